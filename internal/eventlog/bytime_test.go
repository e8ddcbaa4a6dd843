package eventlog

import (
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
)

// TestAddByTime checks that events are read in time order, and events with equal times in the order
// of adding, even if most events are in the file.
func TestAddByTime(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := NewLog(t.TempDir(), Memory)
	defer p.Close()
	var want []trace.Event
	for i := range testdata.Times(1<<20, 1<<21) {
		e := trace.Event{Wall: time.Duration(i/3) * time.Microsecond, CPU: time.Duration(r.Int64()), Thread: trace.ThreadID(i % 5), Method: trace.MethodID(i)}
		if r.IntN(100) == 0 {
			e.Wall = time.Duration(r.IntN(1 << 19))
		}
		want = append(want, e)
		if err := p.AddByTime(&e); err != nil {
			t.Fatal(err)
		}
	}
	if _, disk := p.Size(); disk == 0 {
		t.Error("no event is in the file")
	}
	slices.SortStableFunc(want, func(a, b trace.Event) int { return int(a.Wall - b.Wall) })
	events, err := p.Merge(io.EOF)
	if err != nil {
		t.Fatal(err)
	}
	batch := make([]trace.Event, 1000)
	for i := 0; ; {
		n, err := events.ReadEvents(batch)
		for _, e := range batch[:n] {
			if e != want[i] {
				t.Fatalf("event %d is %+v, want %+v", i, e, want[i])
			}
			i++
		}
		if n == 0 {
			if i != len(want) {
				t.Errorf("%d events of %d, %v", i, len(want), err)
			}
			return
		}
	}
}

// TestManyRuns checks a Log with more events out of order than a trace has threads: one run per
// event would exceed the number of lists. Times may be negative and far apart.
func TestManyRuns(t *testing.T) {
	const n = trace.MaxThreads + 1000
	for _, step := range []time.Duration{1, math.MaxInt64 / n} {
		l := NewLog(t.TempDir(), Memory)
		defer l.Close()
		for i := range time.Duration(n) {
			if err := l.AddByTime(&trace.Event{Wall: -i * step, Method: trace.MethodID(i)}); err != nil {
				t.Fatal(err)
			}
		}
		r, err := l.Merge(io.EOF)
		if err != nil {
			t.Fatal(err)
		}
		got := readAll(t, r)
		if len(got) != n {
			t.Fatalf("%d events, want %d", len(got), n)
		}
		for i := range got {
			if back := time.Duration(n - 1 - i); got[i].Wall != -back*step || got[i].Method != trace.MethodID(back) {
				t.Fatalf("event %d is of method %d at %d ns, want %d at %d", i, got[i].Method, got[i].Wall, back, -back*step)
			}
		}
	}
}

// TestMostRuns checks that a Log merges the maximum number of runs and refuses one more.
func TestMostRuns(t *testing.T) {
	l := NewLog(t.TempDir(), Memory)
	defer l.Close()
	for i := range time.Duration(maxRuns) {
		e := trace.Event{Wall: maxRuns - i}
		if err := l.addToRun(&e, e.Wall, 0); err != nil {
			t.Fatalf("run %d: %v", i, err)
		}
	}
	if err := l.addToRun(&trace.Event{}, 0, 0); err != errRuns {
		t.Errorf("one more run: error %v, want %v", err, errRuns)
	}
	r, err := l.mergeRuns(io.EOF)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range readAll(t, r) {
		if e.Wall != time.Duration(i+1) {
			t.Fatalf("event %d is at %d ns, want %d", i, e.Wall, i+1)
		}
	}
}
