package estimate

import (
	"slices"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// maxPaused is the greatest share of the time between two samples that is taken for a pause: a device
// that took more would have let the app hardly run.
const maxPaused = 0.95

// SetPause sets what each sample took from the threads that ran managed code, before Finish. It is
// taken out of the wall times of methods that do not wait, of a sampled trace. CPU time has none of
// it: a thread that is stopped uses none. Of each of the samples that showed a method the
// pause P is part of its time; while none was taken, there was none.
//
// Where a thread waits, the pause before the first sample of a stretch of work may be the wait's. With a time T from
// sample to sample, X = T − P, a stretch of D = jX + r of work (0 ≤ r < X) that begins anywhere in T is met by j + 1
// samples with the probability r/T, and by j else. So k samples say
//
//   - kT on average where all stretches are short, j = 0: a stretch that is met once has no pause in it;
//   - of longer ones kX is too little by r P/T, and kX + P is too much by P − r P/T: with r anywhere in X, kX + P X/2T
//     is right on average.
//
// Which it is, lengths of stretches would have to tell that are not known. So the lower end of the interval has kX, and the upper end
// kX + P for each stretch.
//
// What waits goes on waiting, and native code goes on as well. A thread that stands still uses no CPU time: so no more is
// taken than wall time has beyond CPU time, where there are both clocks. Where there are not, too much is
// taken of native methods. A thread that is late waits less for the garbage collector, which is done when it is
// done: so the upper end has the pauses again that the time without samples has room for.
func (e *Estimator) SetPause(d time.Duration) { e.pause = d }

// subtractPauses takes the pauses out of the wall times of a sampled profile.
func (e *Estimator) subtractPauses(p *Profile, f *follower) {
	if e.pause <= 0 || p.Period <= 0 || !p.Clock.HasWall() || p.OfCPU {
		return
	}
	pause := min(e.pause, time.Duration(maxPaused*float64(p.Period)))
	t := p.Tree
	cut := newCuts(t.Len())
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
				taken = min(taken, max(0, self.Wall-self.CPU))
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

// walkTime returns for how long a sample stops what runs, at least: its threads are stamped one after another while all
// stand still. It is the time from the first stamp to the last that one in a hundred samples exceeds, of those at which several threads have
// changed; the median, where that is much more than others take, as where the sampling thread lost its core in between. 0: there are too few.
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

// cuts are times of what a profile lists: before pauses are taken out, and what is left at least, on average, and at most.
type cuts struct{ before, low, value, high []time.Duration }

func newCuts(n int) *cuts {
	column := func() []time.Duration { return make([]time.Duration, n) }
	return &cuts{column(), column(), column(), column()}
}

func (c *cuts) set(n calltree.Node, before, low, value, high time.Duration) {
	c.before[n], c.low[n], c.value[n], c.high[n] = before, low, value, high
}

// each returns the cuts with each of their columns changed.
func (c *cuts) each(f func([]time.Duration) []time.Duration) *cuts {
	return &cuts{f(c.before), f(c.low), f(c.value), f(c.high)}
}

// inclusive returns those of contexts with what they call.
func (c *cuts) inclusive(t *calltree.Tree) *cuts {
	return c.each(func(column []time.Duration) []time.Duration { return calltree.Inclusive(&t.Contexts, column) })
}

// apply scales a time and its ends by what is left.
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
