package eventlog

import (
	"cmp"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
)

// orderIn is Order with the given number of bytes of memory.
func orderIn(t *testing.T, memory int, events []trace.Event) *Ordered {
	t.Helper()
	o := &Ordered{log: NewLog(t.TempDir(), memory)}
	t.Cleanup(func() { o.Close() })
	if err := errors.Join(o.collect(trace.NewSliceReader(events)), o.Rewind()); err != nil {
		t.Fatal(err)
	}
	return o
}

// byTime sorts events stably by the latest time of their thread so far.
func byTime(events []trace.Event) []trace.Event {
	events = slices.Clone(events)
	latest := map[trace.ThreadID]time.Duration{}
	for i := range events {
		e := &events[i]
		latest[e.Thread] = max(latest[e.Thread], e.Wall)
		e.Wall = latest[e.Thread]
	}
	slices.SortStableFunc(events, func(a, b trace.Event) int { return cmp.Compare(a.Wall, b.Wall) })
	return events
}

// threadwise returns n events of each thread, one thread after the other. The function step returns
// the time between consecutive events.
func threadwise(threads, n int, step func() time.Duration) (events []trace.Event) {
	for id := range threads {
		at := time.Duration(0)
		for i := range n {
			at += step()
			events = append(events, trace.Event{Wall: at, CPU: at / 2, Thread: trace.ThreadID(id), Method: trace.MethodID(i)})
		}
	}
	return events
}

// TestRunMerge compares the order of events with a stable sort, for many mixtures of threads, in
// memory and in a file.
func TestRunMerge(t *testing.T) {
	testdata.Seldom(t, 4)
	rng := rand.New(rand.NewPCG(1, 2))
	upTo := func(most int64) func() time.Duration {
		return func() time.Duration { return time.Duration(rng.Int64N(most)) }
	}
	lone := threadwise(1, 40_000, upTo(200)) // one thread has nearly all events
	for id := range 200 {
		for i := range 20 {
			lone = append(lone, trace.Event{Wall: time.Duration(i) * 200 * time.Microsecond, Thread: trace.ThreadID(id + 1)})
		}
	}
	var odd []trace.Event
	for i, e := range threadwise(20, 2000, upTo(1000)) {
		if rng.IntN(50) == 0 {
			e.Method, e.Site = math.MaxUint32-trace.MethodID(i), 7
		}
		odd = append(odd, e)
	}
	var skewed []trace.Event // two alternating threads, one with a fast clock
	for i := range 20_000 {
		id := i / 10 % 2
		skewed = append(skewed, trace.Event{Wall: time.Duration(i+50*id) * time.Microsecond, Thread: trace.ThreadID(id)})
	}
	for name, events := range map[string][]trace.Event{
		"mixed":           threadwise(100, 500, upTo(2000)),
		"few":             threadwise(3, 20_000, upTo(2000)),
		"many":            threadwise(5000, 10, upTo(100_000)),
		"at one time":     threadwise(50, 1000, upTo(1)),
		"nearly one time": threadwise(50, 1000, upTo(2)),
		"far apart":       threadwise(50, 80, upTo(1<<56)), // most gaps exceed longestSort
		"skewed":          skewed,
		"one and others":  lone,
		"long entries":    odd,
		"in turns":        slices.Concat(threadwise(50, 300, upTo(500)), threadwise(1, 300, upTo(500))),
	} {
		want := byTime(events)
		for _, memory := range []int{0, 64 << 10, math.MaxInt32} {
			o := orderIn(t, memory, events)
			if _, disk := o.log.Size(); (disk > 0) != (memory < math.MaxInt32) {
				t.Errorf("%s, %d bytes of memory: %d on disk", name, memory, disk)
			}
			if !slices.Equal(readAll(t, o), want) {
				t.Errorf("%s, %d bytes of memory: the merge differs from a stable sort", name, memory)
			}
		}
	}
}

// TestRunMergeFails checks that a truncated file returns the events before the cut, then an error.
func TestRunMergeFails(t *testing.T) {
	events := threadwise(30, 1000, func() time.Duration { return time.Microsecond })
	want := byTime(events)
	for _, rest := range []int64{0, 20, 50_000, 200_000} {
		o := orderIn(t, 4096, events)
		if err := o.log.file.Truncate(rest); err != nil {
			t.Fatal(err)
		}
		var b trace.Buffer
		if err := o.Rewind(); err == nil {
			_, err = trace.Copy(&b, o)
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("file of %d bytes: error %v", rest, err)
			}
			if n, err := o.ReadEvents(make([]trace.Event, 1)); n > 0 || !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("file of %d bytes: then %d events, error %v", rest, n, err)
			}
		} else if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("file of %d bytes: error %v", rest, err)
		}
		if n := len(b.Events); !slices.Equal(b.Events, want[:n]) || n == len(want) {
			t.Errorf("file of %d bytes: %d events, which are not the first ones", rest, n)
		}
	}
}

// TestSortKeys checks that numbers are sorted by the given bits, and that numbers with equal bits
// keep their order.
func TestSortKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 1000, 5000} {
		for _, span := range [][2]uint{{0, 0}, {18, 18}, {18, 19}, {5, 13}, {18, 42}, {18, 64}, {0, 64}} {
			keys := make([]uint64, n)
			for i := range keys {
				keys[i] = rng.Uint64() >> (64 - span[1])
			}
			want := slices.Clone(keys)
			slices.SortStableFunc(want, func(a, b uint64) int { return cmp.Compare(a>>span[0], b>>span[0]) })
			if got := SortKeys(keys, make([]uint64, n), span[0], span[1]); !slices.Equal(got, want) {
				t.Errorf("%d numbers by bits %d to %d are not in order", n, span[0], span[1]-1)
			}
		}
	}
}
