package estimate

import (
	"time"

	"artifice/trace/calltree"
)

// doubt is what a trace leaves open besides its sampling errors, by context: wall
// time after the threads' last events, and CPU time that may be another's.
type doubt struct {
	f       *follower
	counted bool // the time after the last events is counted

	open, openAll     []time.Duration // as the innermost state, and on the stack
	before, beforeAll []time.Duration // wall time before the threads' first samples, at most a period of each
	run, runAll       []time.Duration // the part of it in which the thread may have run: all, or of what waits at the rate at which it did before
	held, heldAll     []time.Duration // wall time that pauses took beyond what samples say, as the innermost state and on the stack
	kept, keptAll     []time.Duration // that waits have instead
	strayAll          []time.Duration // CPU time on the stack that may be of what is not; own is follower.stray
	most              []time.Duration // by thread: its wall time, with what is open at the end
	mostCPU           []time.Duration // by thread: its CPU time, with what it may have used before its first sample and after its last event
	ofThread          []time.Duration // by thread: all CPU time that may be another's
	lost              []time.Duration // by thread: how much longer it ran than samples show
	ended             *endedWalks
	edge              []time.Duration // by thread: CPU time that it may have used before its first sample and after its last event
}

func newDoubt(f *follower, ends []openEnd, counted bool) *doubt {
	d := &doubt{f: f, counted: counted, open: make([]time.Duration, f.tree.Len()), ofThread: make([]time.Duration, len(f.threads))}
	d.run, d.before = make([]time.Duration, f.tree.Len()), make([]time.Duration, f.tree.Len())
	times := f.threadTimes()
	rates := rates(times)
	d.lost = f.unshown(times)
	d.most, d.mostCPU, d.edge = make([]time.Duration, len(times)), make([]time.Duration, len(times)), make([]time.Duration, len(times))
	for id := range times {
		d.most[id], d.mostCPU[id] = times[id].Wall, times[id].CPU
	}
	for _, e := range ends {
		if !counted {
			d.most[f.tree.Thread(e.at)] += e.wall
		}
		d.open[e.at] += e.wall
		run := e.wall // it may have run all the while
		if f.waits != nil && !f.tree.IsRoot(e.at) && f.waitsIn(e.at) {
			// It woke up as often as before, perhaps, and for a time that samples do not meet, or while none was taken.
			run = min(run, time.Duration(rates[f.tree.Thread(e.at)]*float64(e.wall))+UnseenSamples*f.period+f.unsampled)
		}
		d.run[e.at] += run
		d.mostCPU[f.tree.Thread(e.at)] += run
		d.edge[f.tree.Thread(e.at)] += run
	}
	for _, b := range f.begins {
		d.most[f.tree.Thread(b.at)] += b.wall
		d.mostCPU[f.tree.Thread(b.at)] += b.wall // it may have run all the while
		d.edge[f.tree.Thread(b.at)] += b.wall
		d.before[b.at] += b.wall
		if f.running { // a sample is taken when its CPU time is over: that of the first is from before it
			d.most[f.tree.Thread(b.at)] += max(0, f.cpuEach()-b.wall)
		}
	}
	pause := min(f.idle, f.period/2) // a thread that hardly runs shows less of it
	d.held, d.kept = make([]time.Duration, f.tree.Len()), make([]time.Duration, f.tree.Len())
	for n := range d.held {
		d.held[n], d.kept[n] = time.Duration(f.ended[n])*pause, time.Duration(f.waited[n])*pause
	}
	d.heldAll, d.keptAll = calltree.Inclusive(&f.tree.Contexts, d.held), calltree.Inclusive(&f.tree.Contexts, d.kept)
	d.beforeAll = calltree.Inclusive(&f.tree.Contexts, d.before)
	d.runAll = calltree.Inclusive(&f.tree.Contexts, d.run)
	d.openAll, d.strayAll = calltree.Inclusive(&f.tree.Contexts, d.open), calltree.Inclusive(&f.tree.Contexts, f.stray)
	for n := calltree.Node(1); int(n) < f.tree.Len(); n++ {
		d.ofThread[f.tree.Thread(n)] += f.stray[n]
	}
	d.ended = d.endedWalks()
	return d
}

// cpuEach returns the CPU time that a sample stands for, of samples of CPU time.
func (f *follower) cpuEach() time.Duration {
	if f.period > 0 || f.samples == 0 {
		return f.period
	}
	return f.tree.Total().CPU / time.Duration(f.samples)
}

// threadTimes returns the times of each thread.
func (f *follower) threadTimes() []calltree.Times {
	times := make([]calltree.Times, len(f.threads))
	for n := calltree.Node(1); int(n) < f.tree.Len(); n++ {
		t, self := &times[f.tree.Thread(n)], f.tree.At(n).Self
		t.Wall += self.Wall
		t.CPU += self.CPU
	}
	return times
}

// rates returns the CPU time for each wall time of each thread.
func rates(times []calltree.Times) []float64 {
	rates := make([]float64, len(times))
	for id, t := range times {
		if t.Wall > 0 {
			rates[id] = min(1, float64(t.CPU)/float64(t.Wall))
		}
	}
	return rates
}

// after returns the doubt of a time that has so much after the last event.
func (d *doubt) after(open, run time.Duration) unsure {
	if d.counted {
		return unsure{counted: open, run: run}
	}
	return unsure{open: open, run: run}
}

// context returns the doubts of a context's exclusive and inclusive times.
func (d *doubt) context(n calltree.Node) (exclusive, inclusive unsure) {
	all := d.ofThread[d.f.tree.Thread(n)]
	exclusive, inclusive = d.after(d.open[n], d.run[n]), d.after(d.openAll[n], d.runAll[n])
	exclusive.most = d.most[d.f.tree.Thread(n)]
	exclusive.mostCPU = d.mostCPU[d.f.tree.Thread(n)]
	inclusive.most, inclusive.mostCPU = exclusive.most, exclusive.mostCPU
	exclusive.before, inclusive.before = d.before[n], d.beforeAll[n]
	exclusive.held, exclusive.kept = d.held[n], d.kept[n]
	inclusive.held, inclusive.kept = d.heldAll[n], d.keptAll[n]
	exclusive.stray, exclusive.others = d.f.stray[n], all-d.f.stray[n]
	inclusive.stray, inclusive.others = d.strayAll[n], all-d.strayAll[n]
	inclusive.left = d.f.strayLeft[n]
	lost := d.lost[d.f.tree.Thread(n)]
	exclusive.unshow(lost)
	inclusive.unshow(lost)
	exclusive.hide(d.ended.context(d.f, n), 0)
	inclusive.hide(d.ended.context(d.f, n), 0)
	edge := d.edge[d.f.tree.Thread(n)]
	exclusive.edge, inclusive.edge = edge-exclusive.before-exclusive.run, edge-inclusive.before-inclusive.run
	return exclusive, inclusive
}

// methodDoubt is the doubts of a method's times.
type methodDoubt struct{ exclusive, inclusive unsure }

// methods returns the doubts of the methods, n of which have the given places.
func (d *doubt) methods(place []int32, n int) []methodDoubt {
	f := d.f
	g := calltree.ByMethod(&f.tree.Contexts)
	open, openAll := g.Sum(d.open), g.SumOutermost(d.openAll)
	run, runAll := g.Sum(d.run), g.SumOutermost(d.runAll)
	before, beforeAll := g.Sum(d.before), g.SumOutermost(d.beforeAll)
	stray, strayAll, strayLeft := g.Sum(f.stray), g.SumOutermost(d.strayAll), g.SumOutermost(f.strayLeft)
	held, heldAll := g.Sum(d.held), g.SumOutermost(d.heldAll)
	kept, keptAll := g.Sum(d.kept), g.SumOutermost(d.keptAll)
	threads := make([]time.Duration, n) // what is doubtful on all the method's threads
	most, mostCPU, edge, lost := make([]time.Duration, n), make([]time.Duration, n), make([]time.Duration, n), make([]time.Duration, n)
	for s := range f.asked() {
		i := place[s.method]
		most[i] += d.most[s.thread]
		mostCPU[i] += d.mostCPU[s.thread]
		threads[i] += d.ofThread[s.thread]
		edge[i] += d.edge[s.thread]
		lost[i] += d.lost[s.thread]
	}
	hidden := d.ended.methods(f, place, n)
	doubts := make([]methodDoubt, n)
	for i, m := range g.Keys {
		at := place[m]
		own, all := d.after(open[i], run[i]), d.after(openAll[i], runAll[i])
		own.most, all.most = most[at], most[at]
		own.mostCPU, all.mostCPU = mostCPU[at], mostCPU[at]
		own.before, all.before = before[i], beforeAll[i]
		own.held, all.held = held[i], heldAll[i]
		own.kept, all.kept = kept[i], keptAll[i]
		own.stray, own.others = stray[i], threads[at]-stray[i]
		all.stray, all.others = strayAll[i], threads[at]-strayAll[i]
		all.left = strayLeft[i]
		own.unshow(lost[at])
		all.unshow(lost[at])
		own.hide(hidden[at].own, hidden[at].elsewhere)
		all.hide(hidden[at].all, hidden[at].elsewhere)
		own.edge, all.edge = edge[at]-own.before-own.run, edge[at]-all.before-all.run
		doubts[at] = methodDoubt{own, all}
	}
	return doubts
}
