package estimate

import (
	"math"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// unsampledShare is the minimum unsampled share of a thread's CPU time, and of that of all threads.
// It exceeds the losses at the ends of a trace, and the share that one in twenty threads has by
// chance.
const unsampledShare = 0.05

// With 99 % confidence a smaller share counts, too. All three figures were chosen on the built-in
// apps on limited cores (research/trust -cores).
const (
	z99          = 2.575829303548901
	certainShare = 0.02
)

// unsampled returns for each thread the CPU time beyond the time that samples show it running
// ([balance]), if the difference exceeds chance: for the thread itself, or for all threads
// together, such as a pool of threads with few samples each. A sampling thread that waits for a
// core gets the core of a thread that begins to wait, and so finds threads waiting too often.
//
// Waiting methods are recognized by name, others by the CPU time during consecutive samples
// (waitsIn).
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

// beyondRunning returns the CPU time of the selected threads that is unsampled and exceeds the time
// that samples show them running, if it is a share of their CPU time that exceeds unsampledShare.
// Threads that wait for cores are shown running without using CPU time, so unsampled time need not
// exceed it.
func (f *follower) beyondRunning(u *uncertainty) (more time.Duration) {
	if f.waiting == nil {
		return 0
	}
	running, unnamed, named := make([]time.Duration, len(f.threads)), make([]time.Duration, len(f.threads)), make([]bool, len(f.threads))
	for n := calltree.Node(1); int(n) < f.tree.Len(); n++ {
		id, own := f.tree.Thread(n), f.tree.At(n).Self.Wall
		switch {
		case f.tree.IsRoot(n):
		case f.waiting.has(f.tree.Method(n)):
			named[id] = true
		case f.waitsIn(n) && f.shownOf(n).idle():
		case f.waitsIn(n):
			unnamed[id] += own
		default:
			running[id] += own
		}
	}
	for id := range running {
		if named[id] { // it waits in methods with such names, and used the CPU in others
			running[id] += unnamed[id]
		}
	}
	all := time.Duration(0)
	for id, t := range f.threadTimes() {
		if f.tree.Root(trace.ThreadID(id)) != calltree.NoNode {
			all += t.CPU
			more += max(0, min(u.threads[id].lost, t.CPU-running[id]))
		}
	}
	if float64(more) <= unsampledShare*float64(all) {
		return 0
	}
	return more
}

// excess is the CPU time of threads beyond the time that samples show them running.
type excess struct {
	more, cpu time.Duration
	variance  float64 // of the sampled time, in ns²
}

func (e *excess) add(o excess) {
	e.more += o.more
	e.cpu += o.cpu
	e.variance += o.variance
}

// is reports whether the excess is above z standard deviations, by the score interval (score), and
// above a share of the CPU time.
func (e *excess) is(period time.Duration, z, share float64) bool {
	unit := z * z * float64(period) / 2
	chance := unit + math.Sqrt(z*z*e.variance+unit*unit)
	return float64(e.more) > chance && float64(e.more) > share*float64(e.cpu)
}

// balance compares a thread's CPU clock with the samples that show it running or waiting. Samples
// that are independent of the app miss running during a wait as often as they miss a wait during
// running. So, except for chance, the CPU time used while samples show the thread waiting (ran)
// equals the CPU time missing while they show it running (lack).
//
// CPU time can be missing for another reason: under CPU contention a runnable thread does not run.
// So the missing time is limited to what the samples leave open: the last period of each stretch of
// running, in which a wait can have begun, and one period within stretches for each wait with a
// single sample.
//
// A stretch of one sample represents a period without a pause. A longer one of k samples, with a
// pause P between them, represents k(T − P) + P(T − P)/2T on average (Estimator.SetPause).
type balance struct {
	ran    time.Duration // CPU time used while samples show the thread waiting
	lack   time.Duration // missing at the ends of stretches of running, at most a period of each
	within time.Duration // missing within stretches of running
	waits  int64         // waits with a single sample

	kind    kind          // of the open stretch
	cpu     time.Duration // used in it
	could   time.Duration // CPU time of a thread that runs all the time
	samples int64         // samples in it
}

// kind is the activity of a thread in a sample.
type kind uint8

const (
	silentKind  kind = iota // a silence
	unknownKind             // running or waiting: neither the name nor the CPU clock decides
	runningKind
	waitingKind
)

// add adds the time of one stack: its CPU time, and that of a thread that runs all the time.
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
	case unknownKind: // a thread that ran may have begun to wait
		b.lack += min(max(0, b.running(period)-b.cpu), b.cpu, period)
	case runningKind:
		missing := max(0, b.running(period)-b.cpu)
		b.lack += min(missing, period)
		b.within += max(0, missing-period)
	}
	b.cpu, b.could, b.samples = 0, 0, 0
}

// running returns the running time that the open stretch represents.
func (b *balance) running(period time.Duration) time.Duration {
	if b.samples <= 1 {
		return time.Duration(b.samples) * period
	}
	each := b.could / time.Duration(b.samples)
	return b.could + time.Duration(float64(period-each)*float64(each)/float64(2*period))
}

// unsampled returns the running time beyond that in samples; it is negative if samples show more.
func (b *balance) unsampled(period time.Duration) time.Duration {
	return b.ran - b.lack - min(b.within, time.Duration(b.waits)*period)
}
