package estimate

import (
	"time"

	"artifice/calltree"
	"artifice/trace"
)

// maxPaused is the greatest share of the time between two samples that is taken for a pause: a device
// that took more would have let the app hardly run.
const maxPaused = 0.95

// SetPause sets what each sample took from the threads that ran managed code, before Finish. It is
// taken out of the wall times of methods that do not wait, of a sampled trace. CPU time has none of
// it: a thread that is stopped uses none.
func (e *Estimator) SetPause(d time.Duration) { e.pause = d }

// subtractPauses takes the pauses out of the wall times of a sampled profile. Of k samples that meet a stretch
// of work in a row, each a time T after the one before with a pause P in it, kT − (k−1)P is the app's own: with one sample
// the stretch is as long as chance has it ([follower.endStretch]), and so are its hits. What waits
// goes on waiting. Native code goes on as well, but a trace does not tell it from managed code: of
// native methods too much is taken.
func (e *Estimator) subtractPauses(p *Profile, ended []int64) {
	if e.pause <= 0 || p.Period <= 0 || !p.Clock.HasWall() || p.OfCPU {
		return
	}
	paused := min(maxPaused, float64(e.pause)/float64(p.Period))
	t := p.Tree
	before, after := make([]time.Duration, t.Len()), make([]time.Duration, t.Len())
	for i := 1; i < t.Len(); i++ {
		n := calltree.Node(i)
		self := &t.At(n).Self
		if t.IsRoot(n) {
			continue
		}
		before[n], after[n] = self.Wall, self.Wall
		if !e.rec.Symbols.Method(t.Method(n)).Waits() {
			after[n] = min(self.Wall, time.Duration((1-paused)*float64(self.Wall))+time.Duration(ended[n])*e.pause)
		}
		self.Wall = after[n]
		p.Overhead += before[n] - after[n]
	}
	beforeAll, afterAll := calltree.Inclusive(&t.Contexts, before), calltree.Inclusive(&t.Contexts, after)
	for n := range p.contexts {
		c := &p.contexts[n]
		c.Exclusive.Wall.scale(after[n], before[n])
		c.Inclusive.Wall.scale(afterAll[n], beforeAll[n])
	}
	g := calltree.ByMethod(&t.Contexts)
	own, ownBefore := g.Sum(after), g.Sum(before)
	all, allBefore := g.SumOutermost(afterAll), g.SumOutermost(beforeAll)
	place := map[trace.MethodID]int{}
	for i, m := range g.Keys {
		place[m] = i
	}
	for i := range p.sampled {
		m := &p.sampled[i]
		at, ok := place[m.ID]
		if !ok {
			continue
		}
		m.Exclusive.Wall.scale(own[at], ownBefore[at])
		m.Inclusive.Wall.scale(all[at], allBefore[at])
	}
}

// scale multiplies a time and its interval by part/whole, where there is a whole.
func (t *Time) scale(part, whole time.Duration) {
	if whole <= 0 || part == whole {
		return
	}
	by := float64(part) / float64(whole)
	t.Value, t.Low, t.High = toDuration(by*float64(t.Value)), toDuration(by*float64(t.Low)), toDuration(by*float64(t.High))
}
