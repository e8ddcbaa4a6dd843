package estimate

import (
	"slices"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// maxPaused is the maximum pause as a share of the period. With longer pauses the app would hardly
// run.
const maxPaused = 0.95

// SetPause sets the pause P of each sample, for which it stops threads in managed code. It must be
// called before Finish. Pauses are subtracted from the wall times of non-waiting methods of a
// sampled trace. CPU time contains no pauses: stopped threads use none. Each sample that shows a
// method adds one pause to its time.
//
// If a thread waits, the pause before the first sample of a stretch of work may be part of the
// wait. Let T be the period and X = T − P. A stretch of work D = jX + r (0 ≤ r < X) that begins
// anywhere in T has j + 1 samples with the probability r/T, and j otherwise. So for k samples
//
//   - short stretches (j = 0) take kT on average: a stretch with one sample contains no pause;
//   - for longer stretches kX is too short by r P/T and kX + P too long by P − r P/T; with r
//     uniform in X, kX + P X/2T is unbiased.
//
// The lengths of stretches, which would decide between these, are unknown. So the lower limit of
// the interval is kX, and the upper limit kX + P for each stretch.
//
// Waits and native code continue during a sample. Because a stopped thread uses no CPU time, at
// most the difference of wall and CPU time is subtracted if the trace has both clocks; otherwise
// too much is subtracted from native methods. A delayed thread waits less for the garbage
// collector, which ends at a fixed time: the upper limit includes pauses up to the time without
// samples.
func (e *Estimator) SetPause(d time.Duration) { e.pause = d }

// subtractPauses subtracts the pauses from the wall times of a sampled profile.
func (e *Estimator) subtractPauses(p *Profile, f *follower, open []openEnd) {
	if e.pause <= 0 || p.Period <= 0 || !p.Clock.HasWall() || p.OfCPU {
		return
	}
	pause := min(e.pause, time.Duration(maxPaused*float64(p.Period)))
	t := p.Tree
	cut := newCuts(t.Len())
	tails := map[calltree.Node]time.Duration{} // wall time after the last events, with unknown CPU time
	for _, o := range open {
		tails[o.at] += o.counted
	}
	ofLonger := float64(pause) * float64(p.Period-pause) / float64(2*p.Period)
	for i := 1; i < t.Len(); i++ {
		n := calltree.Node(i)
		self := &t.At(n).Self
		if t.IsRoot(n) {
			continue
		}
		cut.set(n, self.Wall, self.Wall, self.Wall, self.Wall)
		if !e.rec.Symbols.Method(t.Method(n)).Waits() {
			taken := min(self.Wall, time.Duration(f.taken[n])*pause)
			if p.Clock.HasCPU() {
				taken = min(taken, max(0, self.Wall-tails[n]-self.CPU))
			}
			least := self.Wall - taken
			once, longer := time.Duration(f.once[n]), time.Duration(f.ended[n]-f.once[n])
			value := least + once*pause + time.Duration(float64(longer)*ofLonger)
			cut.set(n, self.Wall, min(self.Wall, least), min(self.Wall, value), min(self.Wall, least+(once+longer)*pause+min(taken, f.silent[n])))
		}
		p.Overhead += self.Wall - cut.value[n]
		self.Wall = cut.value[n]
	}
	all := cut.inclusive(t)
	for n := range p.contexts {
		c := &p.contexts[n]
		cut.apply(n, &c.Exclusive.Wall)
		all.apply(n, &c.Inclusive.Wall)
	}
	g := calltree.ByMethod(&t.Contexts)
	own, all := cut.each(g.Sum), all.each(g.SumOutermost)
	place := map[trace.MethodID]int{}
	for i, m := range g.Keys {
		place[m] = i
	}
	for i := range p.sampled {
		m := &p.sampled[i]
		if at, ok := place[m.ID]; ok {
			own.apply(at, &m.Exclusive.Wall)
			all.apply(at, &m.Inclusive.Wall)
		}
	}
}

// walkTime returns a lower bound of the time for which a sample stops running threads: a sample
// stamps its threads one after another while all are stopped. It is the 99 % quantile of the time
// from the first stamp to the last, over samples at which several threads have changed. If that is
// an outlier, as when the sampling thread lost its core in between, walkTime returns the median;
// with too few samples, 0.
func walkTime(events []trace.Event, period time.Duration) time.Duration {
	var walks []time.Duration
	for i := 0; i < len(events); {
		first, last := &events[i], &events[i]
		for i++; i < len(events) && events[i].Wall-first.Wall < period/2; i++ {
			last = &events[i]
		}
		if last.Thread != first.Thread {
			walks = append(walks, last.Wall-first.Wall)
		}
	}
	if len(walks) < minSteps {
		return 0
	}
	slices.Sort(walks)
	n := len(walks)
	if longest := walks[n-1-n/100]; longest < walks[n-1-n/10]*3/2 {
		return longest
	}
	return walks[n/2]
}

// cuts are times by context or method: before pauses are subtracted, and the minimum, mean and
// maximum after.
type cuts struct{ before, low, value, high []time.Duration }

func newCuts(n int) *cuts {
	column := func() []time.Duration { return make([]time.Duration, n) }
	return &cuts{column(), column(), column(), column()}
}

func (c *cuts) set(n calltree.Node, before, low, value, high time.Duration) {
	c.before[n], c.low[n], c.value[n], c.high[n] = before, low, value, high
}

// each returns the cuts with f applied to each column.
func (c *cuts) each(f func([]time.Duration) []time.Duration) *cuts {
	return &cuts{f(c.before), f(c.low), f(c.value), f(c.high)}
}

// inclusive returns the inclusive times of contexts.
func (c *cuts) inclusive(t *calltree.Tree) *cuts {
	return c.each(func(column []time.Duration) []time.Duration { return calltree.Inclusive(&t.Contexts, column) })
}

// apply scales a time and its limits by the remaining shares.
func (c *cuts) apply(i int, t *Time) {
	whole := c.before[i]
	if whole <= 0 || c.low[i] == whole {
		return
	}
	scaled := func(t, part time.Duration) time.Duration {
		return toDuration(float64(t) * float64(part) / float64(whole))
	}
	t.Value, t.Low, t.High = scaled(t.Value, c.value[i]), scaled(t.Low, c.low[i]), scaled(t.High, c.high[i])
}

// stopped is the number of samples that stopped their threads, by context and by method, as a share
// of all samples.
//
// A sample stops managed code for a pause P, and the trace attributes the pause correctly, to the
// code that was stopped. Only the rest of the period T errs. So sampling errors of code that
// samples stop are proportional to T − P, not to T.
type stopped struct {
	own, all             []float64 // by context
	ownMethod, allMethod []float64 // by method, on all threads
	rest                 float64   // (T − P)/T
}

// stoppedShares returns the shares of samples that stopped their threads. Waits and native code
// continue.
func (f *follower) stoppedShares() *stopped {
	own, taken := make([]time.Duration, f.tree.Len()), make([]time.Duration, f.tree.Len())
	for n := calltree.Node(1); int(n) < f.tree.Len(); n++ {
		taken[n] = time.Duration(f.taken[n])
		if !f.tree.IsRoot(n) && f.waiting != nil && !f.waitsIn(n) && f.stops(n) > 0 {
			own[n] = taken[n]
		}
	}
	s := &stopped{rest: 1}
	if f.period > 0 {
		s.rest = 1 - float64(f.stopped)/float64(f.period)
	}
	all, takenAll := calltree.Inclusive(&f.tree.Contexts, own), calltree.Inclusive(&f.tree.Contexts, taken)
	s.own, s.all = shares(own, taken), shares(all, takenAll)
	g := calltree.ByMethod(&f.tree.Contexts)
	ownMethod, allMethod := shares(g.Sum(own), g.Sum(taken)), shares(g.SumOutermost(all), g.SumOutermost(takenAll))
	for i, m := range g.Keys {
		for len(s.ownMethod) <= int(m) {
			s.ownMethod, s.allMethod = append(s.ownMethod, 0), append(s.allMethod, 0)
		}
		s.ownMethod[m], s.allMethod[m] = ownMethod[i], allMethod[i]
	}
	return s
}

// shares divides counts by others; 0 where these are 0.
func shares(part, whole []time.Duration) []float64 {
	list := make([]float64, len(part))
	for i := range part {
		if whole[i] > 0 {
			list[i] = float64(part[i]) / float64(whole[i])
		}
	}
	return list
}

// factor returns the variance of a wall time relative to that without pauses, if a share of its
// samples stopped the thread.
func (s *stopped) factor(share float64) float64 { return 1 - share*(1-s.rest*s.rest) }

// context returns the factors of a context's exclusive and inclusive time.
func (s *stopped) context(n calltree.Node) (exclusive, inclusive float64) {
	return s.factor(s.own[n]), s.factor(s.all[n])
}

// method returns the factors of a method's exclusive and inclusive time.
func (s *stopped) method(m trace.MethodID) (exclusive, inclusive float64) {
	return s.factor(s.ownMethod[m]), s.factor(s.allMethod[m])
}
