package estimate

import (
	"math"
	"time"

	"artifice/trace/calltree"
)

// unshownShare is what part of a thread's CPU time, and of that of all threads, has to be more than samples show them running. It is
// more than what is lost at the ends of a trace, and than what one in twenty of many threads has by chance.
const unshownShare = 0.05

// What is more than chance makes with 99 % counts where it is a smaller share, too. All three figures were chosen on the built-in
// apps on cores (research/trust -cores).
const (
	z99          = 2.575829303548901
	certainShare = 0.02
)

// unshown returns by thread how much more CPU time it used than samples show it running ([balance]), where that is more than chance
// makes of it: of the thread by itself, or of all threads together, as of a pool of them of which none has many samples. A
// sampling thread that has to wait for a core gets that of a thread which begins to wait, and so finds threads waiting too often.
//
// What waits is told by the names of methods, and of others by the CPU time that was used while several samples in a row
// showed them (waitsIn).
func (f *follower) unshown(times []calltree.Times) []time.Duration {
	lost := make([]time.Duration, len(times))
	if f.waits == nil || f.sums || f.running {
		return lost
	}
	variance := make([]float64, len(times))
	for _, s := range f.slots {
		if !f.waitsWithin(s.method) {
			variance[s.thread] += s.exclusive.varWall + s.exclusive.silWall
		}
	}
	threads := make([]excess, len(times))
	var all, likely excess
	for id := range threads {
		b := &f.threads[id].balance
		b.close(f.period)
		threads[id] = excess{b.unshown(f.period), times[id].CPU, variance[id]}
		all.add(threads[id])
		if threads[id].is(f.period, z95, unshownShare) {
			likely.add(threads[id])
		}
	}
	enough := float64(likely.more) > unshownShare*float64(all.cpu)
	together := all.is(f.period, z95, unshownShare)
	for id, one := range threads {
		if together || enough && one.is(f.period, z95, unshownShare) || one.is(f.period, z99, certainShare) {
			lost[id] = max(0, one.more)
		}
	}
	return lost
}

// excess is how much more than samples show threads ran.
type excess struct {
	more, cpu time.Duration
	variance  float64 // of what samples show, in ns²
}

func (e *excess) add(o excess) {
	e.more += o.more
	e.cpu += o.cpu
	e.variance += o.variance
}

// is reports whether it is more than so many standard deviations, by the score interval (score), and than a share of the CPU time.
func (e *excess) is(period time.Duration, z, share float64) bool {
	unit := z * z * float64(period) / 2
	chance := unit + math.Sqrt(z*z*e.variance+unit*unit)
	return float64(e.more) > chance && float64(e.more) > share*float64(e.cpu)
}

// unshow makes room in an interval for time that ran unseen: any of what runs may have it, and any may have been shown
// in its place.
func (u *unsure) unshow(lost time.Duration) {
	u.held += lost
	u.kept += lost
}
