package seen

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Calls contains the sum over the calls of a method at a depth of a thread.
type Calls map[Call]Sum

// Call is a method at a depth of a thread.
type Call struct {
	Thread int
	Depth  int // 0 of the outermost
	Method string
}

// Stacks contains the time of each stack of a thread, and the number of times an enter produced it,
// or the number of its samples.
type Stacks map[Stack]Sum

// Stack is a stack of a thread.
type Stack struct {
	Thread int
	Frames string // outermost first, each followed by a line end; "" if none is open
}

// Sum is a number of calls or samples, and their total time.
type Sum struct {
	N    int64
	Time time.Duration
}

// Add adds n calls with the total time d.
func (m Calls) Add(c Call, n int64, d time.Duration) {
	m[c] = Sum{m[c].N + n, m[c].Time + d}
}

// Add adds n calls or samples with the total time d.
func (m Stacks) Add(s Stack, n int64, d time.Duration) {
	m[s] = Sum{m[s].N + n, m[s].Time + d}
}

// Frames returns the frames of a stack, outermost first, in the form of Stack.Frames.
func Frames(names []string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(name + "\n")
	}
	return b.String()
}

// frame is an open call.
type frame struct {
	method string
	at     time.Duration
}

// Count counts calls and stacks, with the times returned by at. An exit ends the innermost call,
// whatever method it names, and nothing if none is open; a call open at the end ends at the
// thread's last event; an event earlier than the previous one of its thread gets that one's time.
func (t *Trace) Count(at func(Event) time.Duration) (Calls, Stacks) {
	calls, stacks := Calls{}, Stacks{}
	open, last := make(map[int][]frame), make(map[int]time.Duration)
	end := func(thread int, now time.Duration) {
		innermost := len(open[thread]) - 1
		f := open[thread][innermost]
		open[thread] = open[thread][:innermost]
		calls.Add(Call{thread, innermost, f.method}, 1, now-f.at)
	}
	for _, e := range t.Events {
		now := at(e)
		if before, seen := last[e.Thread]; seen {
			now = max(now, before)
			if now > before {
				stacks.Add(stackOf(e.Thread, open[e.Thread]), 0, now-before)
			}
		}
		last[e.Thread] = now
		if e.Enter {
			open[e.Thread] = append(open[e.Thread], frame{e.Method, now})
			if !e.Inherited {
				stacks.Add(stackOf(e.Thread, open[e.Thread]), 1, 0)
			}
		} else if len(open[e.Thread]) > 0 {
			end(e.Thread, now)
		}
	}
	for thread := range open {
		for len(open[thread]) > 0 {
			end(thread, last[thread])
		}
	}
	return calls, stacks
}

func stackOf(thread int, open []frame) Stack {
	var names []string
	for _, f := range open {
		names = append(names, f.method)
	}
	return Stack{thread, Frames(names)}
}

// Aspects are the compared aspects of calls and stacks.
var Aspects = []string{"calls", "threads", "durations", "depths", "samples", "totals"}

// CompareCalls returns the aspects in which two differ, each with the first difference. Times may
// differ by up to each per call.
func CompareCalls(want, got Calls, each time.Duration) map[string]string {
	differ := make(map[string]string)
	method := func(c Call) string { return fmt.Sprintf("%s of thread %d", c.Method, c.Thread) }
	thread := func(c Call) string { return fmt.Sprintf("thread %d", c.Thread) }
	depth := func(c Call) string { return fmt.Sprintf("depth %d of thread %d", c.Depth, c.Thread) }
	for _, a := range []struct {
		name string
		by   func(Call) string
		time bool
	}{{"calls", method, false}, {"threads", thread, false}, {"durations", method, true}, {"depths", depth, false}, {"totals", thread, true}} {
		compare(differ, a.name, sumBy(want, a.by), sumBy(got, a.by), a.time, each)
	}
	if len(differ) == 0 { // nor in the totals
		all := func(c Call) string { return fmt.Sprintf("%s at depth %d of thread %d", c.Method, c.Depth, c.Thread) }
		compare(differ, "durations", sumBy(want, all), sumBy(got, all), true, each)
	}
	return differ
}

// CompareStacks does the same with stacks. It compares times if timed is set, else numbers.
func CompareStacks(want, got Stacks, timed bool, each time.Duration) map[string]string {
	differ := make(map[string]string)
	thread := func(s Stack) string { return fmt.Sprintf("thread %d", s.Thread) }
	stack := func(s Stack) string {
		return fmt.Sprintf("%q of thread %d", strings.ReplaceAll(s.Frames, "\n", ";"), s.Thread)
	}
	there := func(m Stacks) map[string]Sum { // a thread of weight 0 may be absent
		sums := sumBy(m, thread)
		for name, s := range sums {
			if s.Time > 0 || !timed && s.N > 0 {
				sums[name] = Sum{N: 1}
			} else {
				delete(sums, name)
			}
		}
		return sums
	}
	compare(differ, "threads", there(want), there(got), false, 0)
	compare(differ, "samples", sumBy(want, stack), sumBy(got, stack), timed, each)
	compare(differ, "totals", sumBy(want, thread), sumBy(got, thread), timed, each)
	return differ
}

func sumBy[K comparable](m map[K]Sum, by func(K) string) map[string]Sum {
	sums := make(map[string]Sum)
	for k, s := range m {
		name := by(k)
		sums[name] = Sum{sums[name].N + s.N, sums[name].Time + s.Time}
	}
	return sums
}

// compare records the first difference of two sets of sums under the name of the aspect.
func compare(differ map[string]string, aspect string, want, got map[string]Sum, timed bool, each time.Duration) {
	names := maps.Clone(want)
	maps.Copy(names, got)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		w, g := want[name], got[name]
		if timed {
			if off := w.Time - g.Time; max(off, -off) > each*time.Duration(max(1, w.N)) {
				differ[aspect] = fmt.Sprintf("%s: %v, want %v", name, g.Time, w.Time)
			}
		} else if w.N != g.N {
			differ[aspect] = fmt.Sprintf("%s: %d, want %d", name, g.N, w.N)
		}
		if differ[aspect] != "" {
			return
		}
	}
}

// CPUStacks returns the stacks with CPU times. A CPU time can be lower than that of the previous
// event; a negative sum of a stack is replaced by 0.
func (t *Trace) CPUStacks() Stacks {
	stacks := Stacks{}
	open, last := make(map[int][]frame), make(map[int]time.Duration)
	for _, e := range t.Events {
		if before, seen := last[e.Thread]; seen {
			stacks.Add(stackOf(e.Thread, open[e.Thread]), 0, e.CPU-before)
		}
		last[e.Thread] = e.CPU
		if e.Enter {
			open[e.Thread] = append(open[e.Thread], frame{method: e.Method})
		} else if n := len(open[e.Thread]); n > 0 {
			open[e.Thread] = open[e.Thread][:n-1]
		}
	}
	for s, sum := range stacks {
		stacks[s] = Sum{sum.N, max(sum.Time, 0)}
	}
	return stacks
}
