package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"

	"artifice/fleet/corpus"
)

// watched is Beam's file system in memory under another name. It records how often each file was
// opened, and the largest read.
type watched struct{ filesystem.Interface }

var watch struct {
	sync.Mutex
	opened map[string]int
	closed int
	most   int
}

func init() {
	filesystem.Register("watched", func(ctx context.Context) filesystem.Interface { return watched{memfs.New(ctx)} })
}

func inMemory(name string) string { return strings.Replace(name, "watched://", "memfs://", 1) }

func (w watched) List(ctx context.Context, glob string) ([]string, error) {
	names, err := w.Interface.List(ctx, inMemory(glob))
	for i := range names {
		names[i] = strings.Replace(names[i], "memfs://", "watched://", 1)
	}
	return names, err
}

func (w watched) Size(ctx context.Context, name string) (int64, error) {
	return w.Interface.Size(ctx, inMemory(name))
}

func (w watched) OpenWrite(ctx context.Context, name string) (io.WriteCloser, error) {
	return w.Interface.OpenWrite(ctx, inMemory(name))
}

func (w watched) OpenRead(ctx context.Context, name string) (io.ReadCloser, error) {
	r, err := w.Interface.OpenRead(ctx, inMemory(name))
	watch.Lock()
	defer watch.Unlock()
	watch.opened[name]++
	return watchedFile{r}, err
}

type watchedFile struct{ r io.ReadCloser }

func (f watchedFile) Read(p []byte) (int, error) {
	watch.Lock()
	defer watch.Unlock()
	watch.most = max(watch.most, len(p))
	return f.r.Read(p)
}

func (f watchedFile) Close() error {
	watch.Lock()
	defer watch.Unlock()
	watch.closed++
	return f.r.Close()
}

// TestOtherFileSystem reads a fleet and writes lists and results in a file system other than this
// machine's, by Beam: each trace is opened once and read in small parts, and the profile is that
// of the same files on this machine.
func TestOtherFileSystem(t *testing.T) {
	watch.opened = map[string]int{}
	made := traces(t, corpus.Config{Traces: 24, Seed: 9, Broken: 24, Frames: 2000})
	for _, name := range append([]string{made.Manifest}, made.Paths...) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		memfs.Write("memfs://bucket/"+filepath.Base(name), b)
	}
	want, got := filepath.Join(t.TempDir(), "want.pb.gz"), filepath.Join(t.TempDir(), "got.pb.gz")
	partly(t, "profile", made.Manifest, "--by", "app", "-o", want)
	_, messages := partly(t, "profile", "watched://bucket/manifest.csv", "--by", "app", "-o", got, "--temp", "watched://bucket/temp")
	a, errA := os.ReadFile(want)
	b, errB := os.ReadFile(got)
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("the profile is another one: %v %v", errA, errB)
	}
	if bad := "watched://bucket/" + filepath.Base(made.Bad[0]) + ": offset "; !strings.Contains(messages, bad) {
		t.Errorf("no %q in\n%s", bad, messages)
	}
	opens := 0
	for _, n := range watch.opened {
		opens += n
	}
	for _, path := range made.Paths {
		if n := watch.opened["watched://bucket/"+filepath.Base(path)]; n != 1 {
			t.Errorf("%s was opened %d times", path, n)
		}
	}
	if watch.closed != opens {
		t.Errorf("%d of %d files were closed", watch.closed, opens)
	}
	if info, err := os.Stat(made.Paths[0]); err != nil || info.Size() < 8*int64(watch.most) {
		t.Errorf("%d bytes were read at once, of files of %d: %v", watch.most, info.Size(), err)
	}

	// A folder there, with a pair of files that is one trace; and a missing file.
	memfs.Write("memfs://pair/x.key", []byte("no trace"))
	memfs.Write("memfs://pair/x.data", []byte("no trace"))
	_, out, messages := fleet(t, "check", "--keep-going", "watched://pair/", "watched://bucket/00000.trace", "watched://bucket/missing.trace")
	if !strings.Contains(out, "3 files: 1 valid, ") || !strings.Contains(messages, "watched://bucket/missing.trace: ") || watch.opened["watched://pair/x.data"] != 1 {
		t.Errorf("%s%s", out, messages)
	}
}
