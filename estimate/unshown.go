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
// What waits is told by the names of methods. Time without frames counts as running, as nothing tells whether it is.
func (f *follower) unshown(times []calltree.Times) []time.Duration {
	lost := make([]time.Duration, len(times))
	if f.waits == nil || f.sums || f.running {
		return lost
	}
	shown, variance := make([]time.Duration, len(times)), make([]float64, len(times))
	for n := calltree.Node(1); int(n) < f.tree.Len(); n++ {
		if f.tree.IsRoot(n) || !f.waits(f.tree.Method(n)) {
			shown[f.tree.Thread(n)] += f.tree.At(n).Self.Wall
		}
	}
	for _, s := range f.slots {
		if !f.waits(s.method) {
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

// waitTimes returns by context the wall time of what waits in it, and below it.
func (f *follower) waitTimes() (own, all []time.Duration) {
	own = make([]time.Duration, f.tree.Len())
	for n := calltree.Node(1); int(n) < f.tree.Len() && f.waits != nil; n++ {
		if !f.tree.IsRoot(n) && f.waits(f.tree.Method(n)) {
			own[n] = f.tree.At(n).Self.Wall
		}
	}
	return own, calltree.Inclusive(&f.tree.Contexts, own)
}

// unshow makes room in an interval for time that samples show waiting and that ran: any of what runs may have it, and what
// waits has it too much, of so much waiting.
func (u *unsure) unshow(lost, waiting time.Duration) {
	u.held += lost
	u.kept += min(lost, waiting)
}
