package score

import (
	"fmt"
	"slices"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// replay has each thread's calls, from which it computes the stack at any time.
type replay struct {
	events  []trace.Event
	end     time.Duration
	threads []replayThread
}

type replayThread struct {
	start, end time.Duration
	calls      []replayCall
}

// replayCall is one call, which is on the stack in [from, to).
type replayCall struct {
	from, to time.Duration
	path     string
	depth    int
	left     bool // the call has an exit
}

func newReplay(rec *trace.Recording, events []trace.Event) *replay {
	r := &replay{events: events, threads: make([]replayThread, len(rec.Symbols.Threads))}
	open := make([][]int, len(r.threads))
	names := make([][]trace.MethodID, len(r.threads))
	for i := range r.threads {
		r.threads[i].start = -1
		if r.threads[i].end = rec.Symbols.Threads[i].End; r.threads[i].end == 0 { // the thread does not end before the truth
			r.threads[i].end = events[len(events)-1].Wall
		}
	}
	for _, e := range events {
		t := &r.threads[e.Thread]
		if t.start < 0 {
			t.start = e.Wall
		}
		r.end = e.Wall
		stack, name := open[e.Thread], names[e.Thread]
		switch {
		case e.Action == trace.Enter:
			name = append(slices.Clone(name), e.Method)
			t.calls = append(t.calls, replayCall{from: e.Wall, to: t.end, path: fmt.Sprint(name), depth: len(name)})
			open[e.Thread], names[e.Thread] = append(stack, len(t.calls)-1), name
		case len(name) > 0:
			call := &t.calls[stack[len(stack)-1]]
			call.to, call.left = e.Wall, true
			open[e.Thread], names[e.Thread] = stack[:len(stack)-1], name[:len(name)-1]
		}
	}
	return r
}

// at returns the paths on a thread's stack at now, outermost first.
func (t *replayThread) at(now time.Duration) []string {
	var stack []string
	for _, c := range t.calls {
		if c.from <= now && now < c.to {
			stack = append(stack, c.path)
		}
	}
	return stack
}

// expected is the report of a sampler with exact ticks, computed by brute force.
type expected struct {
	self                     map[string]time.Duration // by thread and path
	calls                    map[string]int64
	samples, seen, reported  int64
	thread, equal            time.Duration
	truth, observed, common_ time.Duration
}

// bruteSample takes a sample every gap, from phase on. Each sample stops the app for pause. A
// sample has one timestamp for all threads: its beginning.
func bruteSample(r *replay, phase, gap, pause time.Duration) *expected {
	x := &expected{self: map[string]time.Duration{}, calls: map[string]int64{}}
	for id := range r.threads {
		t := &r.threads[id]
		if t.start < 0 {
			continue
		}
		hit := make([]bool, len(t.calls))
		var before []string
		x.thread += t.end - t.start
		// Steps are half microseconds, so that ticks and events coincide with their bounds.
		tick := phase
		for now := t.start; now < t.end; now += us / 2 {
			for ; tick <= now; tick += gap {
				if tick < t.start {
					continue
				}
				stack := t.at(tick)
				x.sample(id, stack, before, gap+pause)
				for i, c := range t.calls {
					if c.from <= tick && tick < c.to && !hit[i] {
						hit[i] = true
						x.seen++
					}
				}
				before = stack
			}
			x.moment(t.at(now), before)
		}
		// A sample at the thread's last instant includes the thread.
		for ; tick <= t.end; tick += gap {
			if tick >= t.start {
				stack := r.lastStack(trace.ThreadID(id))
				x.sample(id, stack, before, gap+pause)
				before = stack
				x.lastInstant(t, hit)
			}
		}
	}
	return x
}

// lastStack returns the stack of a thread at its end.
func (r *replay) lastStack(id trace.ThreadID) []string {
	var stack []string
	for _, c := range r.threads[id].calls {
		if !c.left {
			stack = append(stack, c.path)
		}
	}
	return stack
}

// lastInstant counts the calls that are first sampled at the thread's end.
func (x *expected) lastInstant(t *replayThread, hit []bool) {
	for i, c := range t.calls {
		if !c.left && !hit[i] {
			hit[i] = true
			x.seen++
		}
	}
}

func (x *expected) sample(id int, stack, before []string, owns time.Duration) {
	same := 0
	for same < min(len(stack), len(before)) && stack[same] == before[same] {
		same++
	}
	for _, p := range stack[same:] {
		x.calls[fmt.Sprint(id, p)]++
		x.reported++
	}
	leaf := "[]"
	if len(stack) > 0 {
		leaf = stack[len(stack)-1]
		x.samples++
	}
	x.self[fmt.Sprint(id, leaf)] += owns
}

// moment compares the stacks for half a microsecond.
func (x *expected) moment(truth, reported []string) {
	common := 0
	for common < min(len(truth), len(reported)) && truth[common] == reported[common] {
		common++
	}
	if common == len(truth) && common == len(reported) {
		x.equal += us / 2
	}
	x.truth += time.Duration(len(truth)) * us / 2
	x.observed += time.Duration(len(reported)) * us / 2
	x.common_ += time.Duration(common) * us / 2
}

// name formats a path like replay does.
func name(table *calltree.Contexts, p calltree.Node) string {
	stack := []trace.MethodID{}
	for ; !table.IsRoot(p); p = table.Parent(p) {
		stack = append(stack, table.Method(p))
	}
	slices.Reverse(stack)
	return fmt.Sprint(stack)
}
