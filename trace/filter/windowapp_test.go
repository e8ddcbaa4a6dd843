package filter_test

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
	"artifice/trace/filter"
	"artifice/workload"
)

// costs is a tracer that starts at from. From then on, each event has an overhead of 20 us. Every 3
// ms, first 1 ms after the start, all threads are suspended for 300 us. It has no state, so it can
// be queried for any time.
type costs struct{ from time.Duration }

const (
	eventTakes = 20 * time.Microsecond
	pauseEvery = 3 * time.Millisecond
	pauseTakes = 300 * time.Microsecond
	firstPause = time.Millisecond
)

func (c costs) Event(_ trace.ThreadID, wall time.Duration, _ trace.MethodID) time.Duration {
	if wall < c.from {
		return 0
	}
	return eventTakes
}

func (c costs) NextPause(wall time.Duration) (recorder.Pause, bool) {
	at := c.from + firstPause
	if wall >= at+pauseTakes {
		at += ((wall-at-pauseTakes)/pauseEvery + 1) * pauseEvery
	}
	return recorder.Pause{From: at, To: at + pauseTakes}, true
}

// watcher has the same costs from the begin of the window on, and records its calls.
type watcher struct {
	next   time.Duration
	open   []int // open frames of each thread that were reported to it
	events []trace.Event
	rec    *trace.Recording
}

func (*watcher) OwnThread() bool                       { return false }
func (w *watcher) NextPause() (time.Duration, bool)    { return w.next, true }
func (*watcher) Ran(*trace.Event) time.Duration        { return 0 }
func (w *watcher) Suspend(time.Duration) time.Duration { w.next += pauseEvery; return pauseTakes }

func (w *watcher) Happens(e *trace.Event) time.Duration {
	w.events = append(w.events, *e)
	for len(w.open) <= int(e.Thread) {
		w.open = append(w.open, 0)
	}
	if w.open[e.Thread]++; w.open[e.Thread] <= w.rec.Symbols.Threads[e.Thread].Open {
		return 0
	}
	return eventTakes
}

// TestWindowOfApp checks an app that runs untraced until its window begins, and then as under a
// tracer without cost before that time. The expected run comes from the machine itself, from the
// beginning, with a tracer that is independent of the window. The first events are the frames open
// at the begin of the window. Threads end at the same times.
func TestWindowOfApp(t *testing.T) {
	const length, from = 400 * time.Millisecond, 123456789 * time.Nanosecond
	for _, name := range []string{"photo-import", "convoy", "pipeline", "tid-reuse", "cold-start", "scroll-60hz"} {
		p := workload.Must(workload.ByName(name))
		cfg := workload.Config{Seed: 1, Duration: length}
		cfg.Tracer = costs{from}
		want, stacks, opened := eventsFrom(t, p, cfg, from)
		cfg.Tracer = costs{math.MaxInt64 / 2}
		_, _, untraced := eventsFrom(t, p, cfg, from)
		if !slices.Equal(opened, untraced) {
			t.Errorf("%s: frames open at the begin differ from the untraced ones", name)
		}
		cfg.Tracer, cfg.Live = nil, true
		app, err := p.Truth(cfg)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := filter.Window(filter.Inline(app, func(*trace.Method) bool { return false }), from, 0)
		if err != nil {
			t.Fatal(err)
		}
		w := &watcher{next: firstPause, rec: rec}
		rec.Events.(trace.LiveApp).Watch(w)
		var read trace.Buffer
		if _, err := trace.Copy(&read, rec.Events); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(read.Events, w.events) {
			t.Errorf("%s: %d events are read, but the tracer received %d", name, len(read.Events), len(w.events))
		}
		n := 0
		for id, stack := range stacks {
			for _, m := range stack {
				if e := read.Events[n]; e.Wall != 0 || int(e.Thread) != id || e.Method != m || e.Action != trace.Enter {
					t.Errorf("%s: event %d is %+v, want method %d of thread %d open", name, n, e, m, id)
				}
				n++
			}
			if got := rec.Symbols.Threads[id].Open; got != len(stack) {
				t.Errorf("%s: %d open frames of thread %d are reported, want %d", name, got, id, len(stack))
			}
		}
		if n == 0 || len(want) == 0 {
			t.Fatalf("%s: only %d frames and %d events to compare", name, n, len(want))
		}
		got := read.Events[n:]
		byTime := func(a, b trace.Event) int {
			return cmp.Or(cmp.Compare(a.Wall, b.Wall), cmp.Compare(a.Thread, b.Thread))
		} // threads have no order at one time
		slices.SortStableFunc(got, byTime)
		slices.SortStableFunc(want, byTime)
		if len(got) != len(want) {
			t.Errorf("%s: %d events, want %d", name, len(got), len(want))
		}
		for i := range min(len(got), len(want)) {
			if e := want[i]; got[i] != e {
				t.Fatalf("%s: event %d is %+v, want %+v", name, i, got[i], e)
			}
		}
		for id, th := range rec.Symbols.Threads {
			if end := app.Symbols.Threads[id].End; end > 0 && th.End != max(1, end-from) {
				t.Errorf("%s: thread %d ends at %v, want %v", name, id, th.End, end-from)
			}
		}
	}
}

// eventsFrom returns the events of a run from a time on, relative to it; the stacks of its threads
// at that time; and the enters of the frames on these stacks.
func eventsFrom(t *testing.T, p *workload.Program, cfg workload.Config, from time.Duration) (events []trace.Event, stacks [][]trace.MethodID, opened []trace.Event) {
	t.Helper()
	rec, err := p.Truth(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var all trace.Buffer
	if _, err := trace.Copy(&all, rec.Events); err != nil {
		t.Fatal(err)
	}
	stacks = make([][]trace.MethodID, len(rec.Symbols.Threads))
	for _, e := range all.Events {
		switch of := &stacks[e.Thread]; {
		case e.Wall >= from:
			e.Wall -= from
			events = append(events, e)
		case e.Action == trace.Enter:
			opened, *of = append(opened, e), append(*of, e.Method)
		default:
			*of = (*of)[:len(*of)-1]
		}
	}
	return events, stacks, opened
}

// TestWindowOfAppWithEnd checks that the window of a live app cannot have an end.
func TestWindowOfAppWithEnd(t *testing.T) {
	app, err := workload.Must(workload.ByName("convoy")).Truth(workload.Config{Live: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := filter.Window(app, time.Millisecond, time.Second); err == nil {
		t.Error("Window of a live app with an end: no error, want one")
	}
}

// TestWindowEndsThreads checks threads whose end is set only when it is reached: they also end in
// the window of a truth.
func TestWindowEndsThreads(t *testing.T) {
	truth := func() *trace.Recording {
		rec, err := workload.Must(workload.ByName("tid-reuse")).Truth(workload.Config{Seed: 1, Duration: 400 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	const from = 20 * time.Millisecond
	whole := truth()
	part, err := filter.Window(truth(), from, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range []*trace.Recording{whole, part} {
		if _, err := trace.Copy(trace.Discard, rec.Events); err != nil {
			t.Fatal(err)
		}
	}
	ends := 0
	for id, th := range whole.Symbols.Threads {
		want := th.End
		if want > 0 {
			ends++
			want = max(1, want-from)
		}
		if got := part.Symbols.Threads[id].End; got != want {
			t.Errorf("%s ends at %v, want %v", th.Name, got, want)
		}
	}
	if ends == 0 {
		t.Error("no thread ends")
	}
}
