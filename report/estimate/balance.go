package estimate

import "time"

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
	unsampledKind kind = iota // nothing: no samples were taken for a while
	unknownKind               // it may wait, or run: no name says, and the CPU clock is no proof
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

// unshown returns by how much more the thread ran than samples show; below 0: they show more.
func (b *balance) unshown(period time.Duration) time.Duration {
	return b.ran - b.lack - min(b.within, time.Duration(b.waits)*period)
}
