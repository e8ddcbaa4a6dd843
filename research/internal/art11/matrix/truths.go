package matrix

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"artifice/format/dmtrace"
	"artifice/research/internal/art11"
	"artifice/trace"
	"artifice/workload"
)

// Truth is one of the matrix's truths.
type Truth struct {
	Name string
	Open func() (*art11.Truth, error)
}

// Lengths of the built-in apps: for most, a third of a second is enough.
const (
	length      = 300 * time.Millisecond
	longLength  = 80 * time.Minute     // past the 71 minutes after which 32 bits of microseconds wrap
	shortLength = 5 * time.Millisecond // of calls that take 50 ns
)

// Traces are recorded traces, of other projects and of ART 11 itself, that are also truths of the
// matrix. They are in a separate folder, which is not part of the repository.
var Traces = []string{"instrumented-art-file.trace", "art11/exc.trace", "art11/i-over.trace"}

// OpenTrace returns the truth of a recorded trace, or of its beginning where it is long.
func OpenTrace(path string) (*art11.Truth, error) { return recorded(path) }

// Truths returns those of the matrix: all built-in apps, and the recorded trace of the checkout at
// root.
func Truths(root string) (all []Truth) {
	for _, p := range workload.Builtin() {
		long := length
		switch p.Name {
		case "long-session":
			long = longLength
		case "w4-function-bias":
			long = shortLength
		}
		all = append(all, Truth{p.Name, func() (*art11.Truth, error) {
			truth, err := builtin(p, long)
			if err == nil && truth.Events() > manyEvents {
				return builtin(p, long/5)
			}
			return truth, err
		}})
	}
	path := filepath.Join(root, "testdata", "scroll.txt")
	all = append(all, Truth{filepath.Base(path), func() (*art11.Truth, error) { return recorded(path) }})
	return all
}

// manyEvents is more than enough to cover everything an app does.
const manyEvents = 8000

// builtin returns the truth of a built-in app.
func builtin(p *workload.Program, long time.Duration) (*art11.Truth, error) {
	rec, err := p.Truth(workload.Config{Seed: 1, Duration: long})
	if err != nil {
		return nil, err
	}
	return art11.NewTruth(rec)
}

// recorded returns the truth of a recorded trace.
func recorded(path string) (*art11.Truth, error) {
	f, err := dmtrace.Open(path, dmtrace.ReadOptions{})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := f.InTimeOrder(); err != nil {
		return nil, err
	}
	var events trace.Buffer
	if _, err := trace.Copy(&events, &firstEvents{f.Events, manyEvents}); err != nil {
		return nil, err
	}
	info := f.Info
	if len(events.Events) == manyEvents || info.Overflow {
		info.Elapsed = 0 // the part ends with its last event ([trace.Recording.Stop])
	}
	truth, err := art11.NewTruth(&trace.Recording{Info: info, Symbols: f.Symbols, Events: trace.NewSliceReader(events.Events)})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return truth, nil
}

// firstEvents is a reader that ends after the first events.
type firstEvents struct {
	trace.Reader
	left int
}

func (r *firstEvents) ReadEvents(p []trace.Event) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n, err := r.Reader.ReadEvents(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}
