package estimate

import (
	"math"
	"time"

	"artifice/calltree"
)

// MissedRunning reports whether samples showed threads waiting while they ran, for so much time that it has to be said: 1 % of
// the trace's.
func (p *Profile) MissedRunning() bool { return p.Unshown > 0 && p.Unshown >= p.Span/100 }

// unshownSure is by how many standard deviations a thread's CPU time has to be more: of a hundred threads chance makes it so for 0.1.
//
// unshownShare is what part of a thread's CPU time has to be more than samples show it running, to be taken for more than
// what is lost at the ends of the trace.
const (
	unshownSure  = 3
	unshownShare = 0.05
)

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
	unit := unshownSure * unshownSure * float64(f.period) / 2
	for id := range lost {
		more := times[id].CPU - shown[id]
		chance := unit + math.Sqrt(unshownSure*unshownSure*variance[id]+unit*unit) // of the score interval (score): nine periods where it was not seen at all
		if float64(more) > chance && float64(more) > unshownShare*float64(times[id].CPU) {
			lost[id] = more
		}
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
