package estimate

import (
	"time"

	"artifice/internal/words"
	"artifice/trace"
	"artifice/trace/calltree"
)

// busyShare is the minimum ratio of running to waiting time for which a method counts as running
// although it has the name of a waiting method.
const busyShare = 3

// activity separates the time in which threads ran from that in which they waited. All commands use
// it.
//
//   - With a CPU clock, a thread ran for its CPU time. In a trace of every call, and in samples of
//     CPU time, each context has its own.
//   - A sampled trace attributes the CPU time between two samples to the stack of the first, even
//     if that waited and the next one ran. So a thread's CPU time is divided among the methods that
//     its samples show running, in proportion to their wall time.
//   - Without a CPU clock, methods with known names wait ([trace.Method.Waits]), and all others
//     run.
type activity struct {
	by    RunningBy
	waits []bool           // by method
	to    []trace.MethodID // current ids by those of the tree; nil: the same
	own   []time.Duration  // by context: running time
}

// RunningBy is the criterion of running time.
type RunningBy uint8

const (
	ByNames   RunningBy = iota // names of methods that wait: there is no CPU clock
	ByCPU                      // the CPU time of each context
	BySamples                  // the CPU time of each thread, divided by its samples
)

// String returns names, cpu or samples.
func (r RunningBy) String() string { return words.Of([]string{"names", "cpu", "samples"}, r) }

// longEnough is the minimum share of a method's wall time in runs of at least fewInARow samples for
// which the CPU clock decides whether the method waits. With a smaller share the clock would decide
// by chance, because calls with a wait between them look like one call.
const longEnough = 0.02

// newActivity returns the activity of a profile. f is nil if nothing was sampled.
func (e *Estimator) newActivity(p *Profile, f *follower) *activity {
	t := p.Tree
	a := &activity{waits: make([]bool, len(e.rec.Symbols.Methods)), own: make([]time.Duration, t.Len())}
	for m := range a.waits {
		a.waits[m] = !e.rec.Info.Quantity.IsSet() && e.rec.Symbols.Methods[m].Waits()
	}
	switch {
	case !p.Clock.HasCPU() || !e.used:
		a.byName(t)
	case f == nil || f.sums || f.running || !p.Clock.HasWall() || p.Period == 0:
		a.by = ByCPU
		a.byClock(t)
	default:
		a.by = BySamples
		a.bySamples(t, f)
	}
	return a
}

// byName sets running times to the wall time of methods that do not wait.
func (a *activity) byName(t *calltree.Tree) {
	for n := calltree.Node(1); int(n) < t.Len(); n++ {
		if !t.IsRoot(n) && !a.waits[t.Method(n)] {
			a.own[n] = t.At(n).Self.Wall
		}
	}
}

// byClock sets running times to CPU times. A method without CPU time waits.
func (a *activity) byClock(t *calltree.Tree) {
	ran := make([]bool, len(a.waits))
	for n := calltree.Node(1); int(n) < t.Len(); n++ {
		if !t.IsRoot(n) {
			a.own[n] = t.At(n).Self.CPU
			ran[t.Method(n)] = ran[t.Method(n)] || a.own[n] > 0
		}
	}
	for m := range a.waits {
		a.waits[m] = a.waits[m] && !ran[m]
	}
}

// bySamples divides the CPU time of each thread among the contexts in which it ran. A thread that
// samples never show running keeps the attribution of the trace.
func (a *activity) bySamples(t *calltree.Tree, f *follower) {
	a.decide(t, f)
	cpu, wall := make([]time.Duration, t.Threads()), make([]time.Duration, t.Threads())
	for n := calltree.Node(1); int(n) < t.Len(); n++ {
		if t.IsRoot(n) {
			continue
		}
		self, id := t.At(n).Self, t.Thread(n)
		cpu[id] += self.CPU
		if !a.waits[t.Method(n)] {
			wall[id] += self.Wall
		}
	}
	for n := calltree.Node(1); int(n) < t.Len(); n++ {
		if t.IsRoot(n) {
			continue
		}
		switch self, id := t.At(n).Self, t.Thread(n); {
		case wall[id] == 0:
			a.own[n] = self.CPU
		case !a.waits[t.Method(n)]:
			a.own[n] = toDuration(float64(self.Wall) / float64(wall[id]) * float64(cpu[id]))
		}
	}
}

// decide sets the methods that wait: those whose threads hardly used the CPU during runs of at
// least fewInARow samples. Names decide for methods with too little time in such runs.
func (a *activity) decide(t *calltree.Tree, f *follower) {
	wall := make([]time.Duration, len(a.waits))
	for n := calltree.Node(1); int(n) < t.Len(); n++ {
		if !t.IsRoot(n) {
			wall[t.Method(n)] += t.At(n).Self.Wall
		}
	}
	for m := range a.waits {
		if m >= len(f.shown) {
			break
		}
		s := &f.shown[m]
		if long := s.longRan + s.longWaited; long > 0 && float64(long) >= longEnough*float64(wall[m]) {
			waited := s.longWaited
			if a.waits[m] { // short work between two waits makes a waiting method look busy
				waited *= busyShare
			}
			a.waits[m] = waited > s.longRan
		}
	}
}

// id returns the current id of a method of the tree.
func (a *activity) id(m trace.MethodID) trace.MethodID {
	if a.to == nil {
		return m
	}
	return a.to[m]
}

// renumber changes the ids of methods, once. Those of the tree stay.
func (a *activity) renumber(to []trace.MethodID) {
	a.to = to
	var waits []bool
	for m, w := range a.waits {
		if w && m < len(to) {
			waits = append(waits, make([]bool, max(0, int(to[m])+1-len(waits)))...)
			waits[to[m]] = true
		}
	}
	a.waits = waits
}

// ByClock reports whether the CPU clock decides which time is running time. Otherwise method names
// decide, and running time includes time in which a thread was runnable but did not run.
func (p *Profile) ByClock() bool { return p.activity.by != ByNames }

// RunningBy returns the criterion that determines running time.
func (p *Profile) RunningBy() RunningBy { return p.activity.by }

// Waits reports whether threads wait in the self time of a method.
func (p *Profile) Waits(m trace.MethodID) bool {
	return int(m) < len(p.activity.waits) && p.activity.waits[m]
}

// Running returns the running time of a context, without the contexts that it calls.
func (p *Profile) Running(n calltree.Node) time.Duration { return p.activity.own[n] }

// RunningByMethod returns the running time of each method, without and with its calls, in the order
// of [Profile.Method].
func (p *Profile) RunningByMethod() (self, total []time.Duration) {
	t := p.Tree
	own := make([]time.Duration, t.Len())
	for n := calltree.Node(1); int(n) < t.Len(); n++ {
		if !t.IsRoot(n) {
			own[n] = p.Running(n)
		}
	}
	g := calltree.ByMethod(&t.Contexts)
	sums, totals := g.Sum(own), g.SumOutermost(calltree.Inclusive(&t.Contexts, own))
	of := make(map[trace.MethodID]int, len(g.Keys))
	for i, m := range g.Keys {
		of[p.activity.id(m)] = i
	}
	self, total = make([]time.Duration, p.Len()), make([]time.Duration, p.Len())
	for i := range self {
		if at, ok := of[p.MethodID(i)]; ok {
			self[i], total[i] = sums[at], totals[at]
		}
	}
	return self, total
}

// RunningTime returns the running time of a method or context that has the self time s and ran for
// ran. Its interval is that of the wall time, scaled: the share of the samples is what errs, and
// the CPU clock is exact. The CPU time of a method that waits has bounds.
func (p *Profile) RunningTime(s *Share, ran time.Duration) Time {
	switch {
	case p.activity.by == ByNames && ran == 0:
		return Time{}
	case p.activity.by == ByNames:
		return s.Wall
	case p.activity.by == ByCPU:
		return s.CPU
	case ran == 0 || s.Wall.Value == 0:
		return Time{ran, 0, max(ran, s.CPU.High)}
	}
	scale := float64(ran) / float64(s.Wall.Value)
	times := func(t time.Duration) time.Duration { return toDuration(scale * float64(t)) }
	high := times(s.Wall.High)
	if s.NoCPU {
		high = min(high, s.CPU.High) // a bound
	}
	return Time{ran, min(ran, times(s.Wall.Low)), max(ran, high)}
}
