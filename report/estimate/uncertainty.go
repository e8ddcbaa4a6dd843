package estimate

import (
	"time"

	"artifice/trace/calltree"
)

// uncertainty contains the uncertainties of a recording other than sampling errors: wall time
// before a thread's first sample and after its last event, CPU time that may be misattributed, and
// running time that no sample shows.
type uncertainty struct {
	f       *follower
	counted bool // the time after the last events is counted
	columns columns
	threads []threadTotals
	ended   *endedWalks
	stopped *stopped
}

// columns are uncertain times by calling context or, summed, by method.
type columns struct {
	open, before        column          // wall time after the threads' last events, and before their first samples: at most a period of each
	run                 column          // the part of open in which the thread may have run: all of it, or for waits the rate at which it ran before
	held, kept          column          // wall time that pauses took beyond what samples show, and that waits have instead
	misattributed       column          // CPU time that may belong to others
	misattributedOnExit []time.Duration // the part of it between the method and what followed it
}

// column is a time as the innermost frame, and anywhere on the stack.
type column struct{ own, all []time.Duration }

// threadTotals are times of a thread, or of all threads of a method.
type threadTotals struct {
	most, maxCPU  time.Duration // wall and CPU time, including the maximum before the first sample and after the last event
	edge          time.Duration // the part of maxCPU at the ends of the thread
	misattributed time.Duration // CPU time that may belong to another method
	lost          time.Duration // running time beyond that in samples
}

func (t *threadTotals) add(o *threadTotals) {
	t.most += o.most
	t.maxCPU += o.maxCPU
	t.edge += o.edge
	t.misattributed += o.misattributed
	t.lost += o.lost
}

// addEdge adds time at an end of a thread, in which it may have run for run.
func (t *threadTotals) addEdge(wall, run time.Duration) {
	t.most += wall
	t.maxCPU += run
	t.edge += run
}

func newUncertainty(f *follower, ends []openEnd, counted bool) *uncertainty {
	times := f.threadTimes()
	d := &uncertainty{f: f, counted: counted, threads: make([]threadTotals, len(times))}
	for id, lost := range f.unsampled(times) {
		d.threads[id] = threadTotals{most: times[id].Wall, maxCPU: times[id].CPU, lost: lost}
	}
	for n := calltree.Node(1); int(n) < f.tree.Len(); n++ {
		d.threads[f.tree.Thread(n)].misattributed += f.misattributed[n]
	}
	open, run := d.afterLastEvents(ends, rates(times))
	before := d.beforeFirstSamples()
	held, kept := f.heldByPauses()
	d.columns = columns{
		open: f.column(open), before: f.column(before), run: f.column(run), held: f.column(held), kept: f.column(kept),
		misattributed: f.column(f.misattributed), misattributedOnExit: f.misattributedOnExit,
	}
	d.ended = newEndedWalks(f, before, run)
	d.stopped = f.stoppedShares()
	return d
}

// column returns the exclusive and inclusive times of calling contexts.
func (f *follower) column(own []time.Duration) column {
	return column{own, calltree.Inclusive(&f.tree.Contexts, own)}
}

// afterLastEvents returns by context the wall time between the threads' last events and the stop,
// and the part in which they may have run.
func (d *uncertainty) afterLastEvents(ends []openEnd, rates []float64) (open, run []time.Duration) {
	f := d.f
	open, run = make([]time.Duration, f.tree.Len()), make([]time.Duration, f.tree.Len())
	for _, e := range ends {
		ran := e.after // it may have run all the time
		if f.waiting != nil && !f.tree.IsRoot(e.at) && f.waitsIn(e.at) {
			// It may have run at its previous rate, and in addition without a sample, or during
			// silences.
			ran = min(ran, time.Duration(rates[f.tree.Thread(e.at)]*float64(e.after))+UnseenSamples*f.period+f.silentTime)
		}
		wall := e.left
		if d.counted {
			wall = 0
		}
		d.threads[f.tree.Thread(e.at)].addEdge(wall, ran)
		open[e.at] += e.left
		run[e.at] += ran
	}
	return open, run
}

// beforeFirstSamples returns by context the wall time between the sample, or the start, before a
// thread's first sample and that sample. The thread may have run all that time.
func (d *uncertainty) beforeFirstSamples() []time.Duration {
	before := make([]time.Duration, d.f.tree.Len())
	for _, b := range d.f.begins {
		t := &d.threads[d.f.tree.Thread(b.at)]
		t.addEdge(b.left, b.after)
		before[b.at] += b.left
		if d.f.running { // a sample is taken when its CPU time is over: that of the first is from before it
			t.most += max(0, d.f.cpuEach()-b.left)
		}
	}
	return before
}

// heldByPauses returns by context the wall time that pauses took from stretches of work, and from
// code that follows native code, beyond what samples show, and what the waits, the code at whole
// intervals after waits and the native code have instead.
//
// Let T be the period, P the pause and X = T − P. A stretch of work begins in a pause with the
// probability P/T and has its samples at X, 2X and so on. Code of it that takes d has on average s
// samples in these stretches and d/T in the others. Together with its pauses it takes d + P (d/T + s),
// so a sample of the former stretches represents P and one of the latter T + P, where the trace has T
// for each. The difference is a bound because the pause is not known exactly, as is one pause for
// each wait after which the code was sampled first.
func (f *follower) heldByPauses() (held, kept []time.Duration) {
	pause := f.stopped
	held, kept = make([]time.Duration, f.tree.Len()), make([]time.Duration, f.tree.Len())
	lacks, exceeds := f.pastPauses()
	for n := range held {
		first := time.Duration(f.resumed[n]) * pause
		less := time.Duration(f.spread[n])*pause - time.Duration(f.shifted[n])*(f.period-pause)
		held[n] = max(first, less) + lacks[n]
		kept[n] = max(first, -less) + time.Duration(f.waited[n])*pause + exceeds[n]
	}
	return held, kept
}

// cpuEach returns the CPU time per sample, for samples of CPU time.
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

// rates returns the ratio of CPU time to wall time of each thread.
func rates(times []calltree.Times) []float64 {
	rates := make([]float64, len(times))
	for id, t := range times {
		if t.Wall > 0 {
			rates[id] = min(1, float64(t.CPU)/float64(t.Wall))
		}
	}
	return rates
}

// margins returns the margins that widen the intervals of the exclusive and the inclusive times of
// entry i of columns, a context or method of these threads.
func (d *uncertainty) margins(c *columns, i int, t *threadTotals) (exclusive, inclusive margins) {
	exclusive = d.marginsOf(c.open.own[i], c.before.own[i], c.run.own[i], c.held.own[i], c.kept.own[i], c.misattributed.own[i], t)
	inclusive = d.marginsOf(c.open.all[i], c.before.all[i], c.run.all[i], c.held.all[i], c.kept.all[i], c.misattributed.all[i], t)
	inclusive.onExit = c.misattributedOnExit[i]
	return exclusive, inclusive
}

// marginsOf returns the margins of one time. They include unsampled running time: any running
// method may have it, and any may have been sampled instead.
func (d *uncertainty) marginsOf(open, before, run, held, kept, misattributed time.Duration, t *threadTotals) margins {
	m := margins{
		before: before, run: run, held: held + t.lost, kept: kept + t.lost, most: t.most, maxCPU: t.maxCPU,
		misattributed: misattributed, others: t.misattributed - misattributed, edge: t.edge - before - run,
	}
	if d.counted {
		m.counted = open
	} else {
		m.open = open
	}
	return m
}

// context returns the margins of a context's exclusive and inclusive times.
func (d *uncertainty) context(n calltree.Node) (exclusive, inclusive margins) {
	exclusive, inclusive = d.margins(&d.columns, int(n), &d.threads[d.f.tree.Thread(n)])
	hidden := d.ended.context(d.f, n)
	exclusive.hide(hidden, 0)
	inclusive.hide(hidden, 0)
	return exclusive, inclusive
}

// methodMargins are the margins of a method's times.
type methodMargins struct{ exclusive, inclusive margins }

// methods returns the margins of n methods; place is by method id.
func (d *uncertainty) methods(place []int32, n int) []methodMargins {
	threads := make([]threadTotals, n)
	for s := range d.f.selected() {
		threads[place[s.method]].add(&d.threads[s.thread])
	}
	hidden := d.ended.methods(d.f, place, n)
	g := calltree.ByMethod(&d.f.tree.Contexts)
	sum := func(c column) column { return column{g.Sum(c.own), g.SumOutermost(c.all)} }
	c := &d.columns
	sums := &columns{
		open: sum(c.open), before: sum(c.before), run: sum(c.run), held: sum(c.held), kept: sum(c.kept),
		misattributed: sum(c.misattributed), misattributedOnExit: g.SumOutermost(c.misattributedOnExit),
	}
	all := make([]methodMargins, n)
	for i, m := range g.Keys {
		at := place[m]
		exclusive, inclusive := d.margins(sums, i, &threads[at])
		exclusive.hide(hidden[at].own, hidden[at].elsewhere)
		inclusive.hide(hidden[at].all, hidden[at].elsewhere)
		all[at] = methodMargins{exclusive, inclusive}
	}
	return all
}
