package instrument

import (
	"time"

	"artifice/internal/recorder"
)

// payments are the events that a thread has paid for, with time, before it is known whether
// they are recorded. Those that never are, because the recording has ended before, cost nothing
// after all.
type payments struct {
	paid, recorded int64
	late           time.Duration // by those that are recorded
	waits          []paidWait    // that ended after some that are not
}

// paidWait is a wait, with the number of events that were paid for before it ended.
type paidWait struct {
	paid int64
	recorder.Wait
}

// wait notes a wait that has ended, which can absorb what events have cost, and how late
// the thread is after it.
func (p *payments) wait(w recorder.Wait, late time.Duration) {
	switch {
	case p.paid == p.recorded:
		p.late, p.waits = late, p.waits[:0]
	case w.Absorbs():
		p.waits = append(p.waits, paidWait{p.paid, w})
	}
}

// record notes that the first event that was not recorded is, at a cost.
func (p *payments) record(cost time.Duration) {
	p.settle()
	p.recorded++
	p.late += cost
}

// settle goes through the waits before the first event that is not recorded.
func (p *payments) settle() {
	for len(p.waits) > 0 && p.waits[0].paid <= p.recorded {
		p.late = p.waits[0].Late(p.late)
		p.waits = p.waits[1:]
	}
}

// end returns how late the thread is when no more events are recorded.
func (p *payments) end() time.Duration {
	p.recorded = p.paid
	p.settle()
	return p.late
}
