package manifest

import (
	"context"
	"os"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// waiting is the number of concurrent requests to file systems; their time is mostly network
// latency.
const waiting = 64

// sideBySide calls f for the numbers below n, several concurrently.
func sideBySide(n int, f func(i int)) {
	var group sync.WaitGroup
	next := make(chan int)
	for range min(waiting, n) {
		group.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	group.Wait()
}

// sizes returns the sizes of files, with one connection to each file system.
type sizes struct {
	mutex   sync.Mutex
	systems map[string]filesystem.Interface // by scheme; nil: none
}

func newSizes() *sizes { return &sizes{systems: map[string]filesystem.Interface{}} }

// of returns the size of a file, or -1 if it is unknown.
func (s *sizes) of(ctx context.Context, path string) int64 {
	if !IsURL(path) {
		if info, err := os.Stat(path); err == nil {
			return info.Size()
		}
		return -1
	}
	if system := s.system(ctx, path); system != nil {
		if n, err := system.Size(ctx, path); err == nil {
			return n
		}
	}
	return -1
}

// system returns the file system of a path, or nil if it cannot be reached.
func (s *sizes) system(ctx context.Context, path string) filesystem.Interface {
	scheme, _, _ := strings.Cut(path, "://")
	s.mutex.Lock()
	defer s.mutex.Unlock()
	system, known := s.systems[scheme]
	if !known {
		if opened, err := FileSystem(ctx, path); err == nil {
			system = opened
		}
		s.systems[scheme] = system
	}
	return system
}

func (s *sizes) close() {
	for _, system := range s.systems {
		if system != nil {
			system.Close()
		}
	}
}
