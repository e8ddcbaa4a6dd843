package estimate

import (
	"math"
	"time"

	"artifice/trace/calltree"
)

// unsampledShare is what part of a thread's CPU time, and of that of all threads, has to be more than samples show them running. It is
// more than what is lost at the ends of a trace, and than what one in twenty of many threads has by chance.
const unsampledShare = 0.05

// What is more than chance makes with 99 % counts where it is a smaller share, too. All three figures were chosen on the built-in
// apps on cores (research/trust -cores).
const (
	z99          = 2.575829303548901
	certainShare = 0.02
)

// unsampled returns by thread how much more CPU time it used than samples show it running ([balance]), where that is more than chance
// makes of it: of the thread by itself, or of all threads together, as of a pool of them of which none has many samples. A
// sampling thread that has to wait for a core gets that of a thread which begins to wait, and so finds threads waiting too often.
//
// What waits is told by the names of methods, and of others by the CPU time that was used while several samples in a row
// showed them (waitsIn).
func (f *follower) unsampled(times []calltree.Times) []time.Duration {
	lost := make([]time.Duration, len(times))
	if f.waiting == nil || f.sums || f.running {
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
		threads[id] = excess{b.unsampled(f.period), times[id].CPU, variance[id]}
		all.add(threads[id])
		if threads[id].is(f.period, z95, unsampledShare) {
			likely.add(threads[id])
		}
	}
	enough := float64(likely.more) > unsampledShare*float64(all.cpu)
	together := all.is(f.period, z95, unsampledShare)
	for id, one := range threads {
		if together || enough && one.is(f.period, z95, unsampledShare) || one.is(f.period, z99, certainShare) {
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

// balance is what a thread's CPU clock says of the samples that show it running and waiting. Samples that come whatever the app
// does find a thread in a wait where its running goes unseen as often as they find it running where a wait goes unseen: the CPU time
// that was used while they show it waiting (ran) is, but for chance, what is missing while they show it running (lack).
//
// What is missing there can have another reason: where cores are short, a thread that wants to run does not. So no more counts as
// missing than the samples leave open: of each stretch of running the last period, in which a wait can have begun, and as
// many periods within stretches as single samples have met waits.
//
// A stretch of one sample stands for a period in which nothing stops the thread, and a longer one of k samples, between which it
// stands still for a pause P, for k(T − P) + P(T − P)/2T, on average (Estimator.SetPause).
type balance struct {
	ran    time.Duration // CPU time used while samples show the thread waiting
	lack   time.Duration // missing at the ends of stretches of running, at most a period of each
	within time.Duration // missing beyond that
	waits  int64         // that a single sample met

	kind    kind          // of the open stretch
	cpu     time.Duration // used in it
	could   time.Duration // that a thread uses which runs all the while
	samples int64         // that showed it
}

// kind is what samples show a thread doing.
type kind uint8

const (
	silentKind  kind = iota // nothing: no samples were taken for a while
	unknownKind             // it may wait, or run: no name says, and the CPU clock is no proof
	runningKind
	waitingKind
)

// add adds a time in which samples show one stack: the CPU time that was used, and that of a thread that runs
// all the while.
func (b *balance) add(k kind, cpu, could time.Duration, samples int64, period time.Duration) {
	if k != b.kind {
		b.close(period)
		b.kind = k
	}
	b.cpu += cpu
	b.could += could
	b.samples += samples
}

// close ends the open stretch.
func (b *balance) close(period time.Duration) {
	switch b.kind {
	case waitingKind:
		b.ran += b.cpu
		if b.samples == 1 {
			b.waits++
		}
	case unknownKind: // where it has run, it may be that it began to wait
		b.lack += min(max(0, b.running(period)-b.cpu), b.cpu, period)
	case runningKind:
		missing := max(0, b.running(period)-b.cpu)
		b.lack += min(missing, period)
		b.within += max(0, missing-period)
	}
	b.cpu, b.could, b.samples = 0, 0, 0
}

// running returns for how long the open stretch shows the thread running.
func (b *balance) running(period time.Duration) time.Duration {
	if b.samples <= 1 {
		return time.Duration(b.samples) * period
	}
	each := b.could / time.Duration(b.samples)
	return b.could + time.Duration(float64(period-each)*float64(each)/float64(2*period))
}

// unsampled returns by how much more the thread ran than samples show; below 0: they show more.
func (b *balance) unsampled(period time.Duration) time.Duration {
	return b.ran - b.lack - min(b.within, time.Duration(b.waits)*period)
}
