package sampler

import (
	"sort"
	"testing"
	"time"

	"artifice/internal/recorder"

	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/workload"
)

// stopper is the tracer of the closed loop: it suspends an app at the times of a sampler's ticks.
type stopper []recorder.Pause

// NextPause implements [recorder.Pauser].
func (s stopper) NextPause(wall time.Duration) (recorder.Pause, bool) {
	i := sort.Search(len(s), func(i int) bool { return s[i].To > wall })
	if i == len(s) {
		return recorder.Pause{}, false
	}
	return s[i], true
}

func (stopper) Event(trace.ThreadID, time.Duration, trace.MethodID) time.Duration { return 0 }

// lateEvents collects the delayed events of each thread.
type lateEvents [][]trace.Event

// Event implements [Follower].
func (l lateEvents) Event(e *trace.Event, late []time.Duration) {
	event := *e
	event.Wall += late[0]
	l[e.Thread] = append(l[e.Thread], event)
}

// End implements [Follower].
func (l lateEvents) End(trace.ThreadID, time.Duration, []time.Duration) {}

// perThread returns the events of each thread.
func perThread(rec *trace.Recording, events []trace.Event) [][]trace.Event {
	all := make([][]trace.Event, len(rec.Symbols.Threads))
	for _, e := range events {
		all[e.Thread] = append(all[e.Thread], e)
	}
	return all
}

// TestClosedLoop compares the samples of a truth, with each thread's delay computed by the sampler,
// with those of an app that runs while it is suspended at these times (machine.Tracer). The closed
// loop has no delay rules: a wait ends when its condition is met. Threads that collect garbage are
// excluded, because in the loop they collect at their own times, independent of the app's progress.
func TestClosedLoop(t *testing.T) {
	testdata.Seldom(t, 4)
	for _, p := range workload.Builtin() {
		if p.SharesCores() /* the loop has other delays than its truth */ || p.Name == "w4-function-bias" || p.Name == "tid-reuse" /* threads end at a fixed time */ {
			continue
		}
		const length = 500 * time.Millisecond
		truth, err := p.Truth(workload.Config{Seed: 3, Duration: length})
		if err != nil {
			t.Fatal(err)
		}
		cost := Cost{Overshoot: 250 * time.Microsecond, OvershootSpread: 190 * time.Microsecond, PerTick: time.Millisecond}
		var got trace.Buffer
		s, err := New(truth, Config{Seed: 7, Cost: cost, KeepSymbols: true}, struct{ trace.Writer }{&got})
		if err != nil {
			t.Fatal(err)
		}
		pass, err := newPass(truth, []*Sampler{s})
		if err != nil {
			t.Fatal(err)
		}
		walls := make([][]trace.Event, len(truth.Symbols.Threads)) // with the sampler's delays
		pass.follower = lateEvents(walls)
		for err == nil {
			err = pass.step()
		}
		var pauses []recorder.Pause
		for k := int64(1); len(pauses) < 3000; k++ {
			tick, ok := s.tickAt(pass, k)
			if !ok {
				break
			}
			pauses = append(pauses, recorder.Pause{From: tick.Wall, To: tick.Wall + tick.Pause})
		}
		loop, err := p.Truth(workload.Config{Seed: 3, Duration: 3 * length, Tracer: stopper(pauses)})
		if err != nil {
			t.Fatal(err)
		}
		var loopEvents trace.Buffer
		if _, err := trace.Copy(&loopEvents, loop.Events); err != nil {
			t.Fatal(err)
		}
		loop.Events = trace.NewSliceReader(loopEvents.Events)
		want := atTicks(t, loop, pauses)
		collects := make([]bool, len(truth.Symbols.Threads))
		for _, e := range loopEvents.Events {
			if loop.Symbols.Method(e.Method).Flags&trace.Collector != 0 {
				collects[e.Thread] = true
			}
		}
		same, all := 0, 0
		for id, events := range perThread(loop, loopEvents.Events) {
			if end := loop.Symbols.Threads[min(id, len(loop.Symbols.Threads)-1)].End; id >= len(walls) || collects[id] || end > 0 && end == truth.Symbols.Threads[id].End {
				continue // it ends at an instant: a slower app does less
			}
			for i, e := range walls[id] {
				if i >= len(events) || events[i].Wall != e.Wall || events[i].Method != e.Method {
					t.Errorf("%s, thread %d: event %d of %d of the app, with its delay, is %v; want %v as in the loop", p.Name, id, i, len(walls[id]), e, events[min(i, len(events)-1)])
					break
				}
			}
		}
		for id, events := range perThread(truth, got.Events) {
			if end := loop.Symbols.Threads[id].End; collects[id] || end > 0 && end == truth.Symbols.Threads[id].End {
				continue
			}
			for i, e := range events {
				if e.Wall-cost.PerTick > length+pass.threads[id].delays.of[0].late {
					break // the truth has ended, but the loop continues
				}
				if i >= len(want[id]) {
					t.Errorf("%s, thread %d: event %d of %d is not in the loop: %+v", p.Name, id, i, len(events), e)
					break
				}
				all++
				if w := want[id][i]; w.Wall+cost.PerTick == e.Wall && w.Method == e.Method && w.Action == e.Action {
					same++
				} else if all-same < 3 {
					t.Errorf("%s, thread %d: event %d of %d is %+v %v, want %+v %v as in the loop", p.Name, id, i, len(events), e, truth.Symbols.Method(e.Method), w, loop.Symbols.Method(w.Method))
				}
			}
		}
		t.Logf("%s: %d of %d events; slowdown %.4f", p.Name, same, all, s.stats.Slowdown())
	}
}

// atTicks returns the samples of a truth at the start of each pause, taken by a sampler without
// cost.
func atTicks(t *testing.T, rec *trace.Recording, pauses []recorder.Pause) [][]trace.Event {
	t.Helper()
	var truth trace.Buffer
	if _, err := trace.Copy(&truth, rec.Events); err != nil {
		t.Fatal(err)
	}
	type state struct {
		stack, seen []trace.MethodID
		last        trace.Event
	}
	threads := make([]state, len(rec.Symbols.Threads))
	var out []trace.Event
	next := 0
	for _, p := range pauses {
		for ; next < len(truth.Events) && truth.Events[next].Wall <= p.From; next++ {
			e := truth.Events[next]
			th := &threads[e.Thread]
			if th.last = e; e.Action == trace.Enter {
				th.stack = append(th.stack, e.Method)
			} else {
				th.stack = th.stack[:len(th.stack)-1]
			}
		}
		for id := range threads {
			th := &threads[id]
			stack := th.stack
			for len(stack) > 0 && rec.Symbols.IsRuntime(stack[len(stack)-1]) {
				stack = stack[:len(stack)-1]
			}
			if end := rec.Symbols.Thread(trace.ThreadID(id)).End; end > 0 && end < p.From {
				continue
			}
			same := 0
			for same < len(stack) && same < len(th.seen) && stack[same] == th.seen[same] {
				same++
			}
			e := trace.Event{Wall: p.From, Thread: trace.ThreadID(id)}
			for i := len(th.seen) - 1; i >= same; i-- {
				e.Action, e.Method = trace.Exit, th.seen[i]
				out = append(out, e)
			}
			for _, m := range stack[same:] {
				e.Action, e.Method = trace.Enter, m
				out = append(out, e)
			}
			th.seen = append(th.seen[:0], stack...)
		}
	}
	return perThread(rec, out)
}
