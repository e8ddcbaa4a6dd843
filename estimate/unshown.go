package estimate

import (
	"math"
	"time"

	"artifice/calltree"
)

// unshownShare is what part of a thread's CPU time, and of that of all threads, has to be more than samples show them running. It is
// more than what is lost at the ends of a trace, and than what one in twenty of many threads has by chance.
const unshownShare = 0.05

// unshown returns by thread how much more CPU time it used than samples show it running, where that is more than chance
// makes of it. Samples that come when they do, whatever the app does, show a thread running for as long as it does on average,
// which is no shorter than its CPU time. But a sampling thread that has to wait for a core gets that of a thread which begins to
// wait, and so finds threads waiting too often.
//
// What waits is told by the names of methods, and of others by the CPU time that was used while several samples in a row
// showed them (waitsIn). Time without frames counts as running, as nothing tells whether it is.
func (f *follower) unshown(times []calltree.Times) []time.Duration {
	lost := make([]time.Duration, len(times))
	if f.waits == nil || f.sums || f.running {
		return lost
	}
	shown, variance := make([]time.Duration, len(times)), make([]float64, len(times))
	for n := calltree.Node(1); int(n) < f.tree.Len(); n++ {
		shown[f.tree.Thread(n)] += f.tree.At(n).Self.Wall - f.waitTime(n)
	}
	for _, s := range f.slots {
		if !f.waitsWithin(s.method) {
			variance[s.thread] += s.exclusive.varWall + s.exclusive.silWall
		}
	}
	unit := z95 * z95 * float64(f.period) / 2
	var all, sum time.Duration
	for id := range lost {
		more := times[id].CPU - shown[id]
		chance := unit + math.Sqrt(z95*z95*variance[id]+unit*unit) // by the score interval (score)
		if float64(more) > chance && float64(more) > unshownShare*float64(times[id].CPU) {
			lost[id] = more
		}
		all, sum = all+times[id].CPU, sum+lost[id]
	}
	if float64(sum) <= unshownShare*float64(all) {
		clear(lost)
	}
	return lost
}

// waitTime returns for how long a thread waited in a context, of the wall time for which samples show it: all of it, where the method's name
// says so. Of others in which threads wait most of the time (waitsIn) it is what they waited while several samples in a row showed them.
func (f *follower) waitTime(n calltree.Node) time.Duration {
	wall := f.tree.At(n).Self.Wall
	switch {
	case f.tree.IsRoot(n) || !f.waitsIn(n):
		return 0
	case f.waits(f.tree.Method(n)):
		return wall
	}
	s := f.shown[f.tree.Method(n)]
	return time.Duration(float64(wall) * min(1, float64(s.waited)/float64(s.wall)))
}

// waitTimes returns by context the wall time of what waits in it, and below it.
func (f *follower) waitTimes() (own, all []time.Duration) {
	own = make([]time.Duration, f.tree.Len())
	for n := calltree.Node(1); int(n) < f.tree.Len() && f.waits != nil; n++ {
		own[n] = f.waitTime(n)
	}
	return own, calltree.Inclusive(&f.tree.Contexts, own)
}

// unshow makes room in an interval for time that samples show waiting and that ran: any of what runs may have it, and what
// waits has it too much, of so much waiting.
func (u *unsure) unshow(lost, waiting time.Duration) {
	u.held += lost
	u.kept += min(lost, waiting)
}
