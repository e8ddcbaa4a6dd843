package workload

import (
	"math"
	"time"

	"artifice/lateness"
)

// findPause finds the next pause of who watches.
func (m *machine) findPause() {
	const never = time.Duration(math.MaxInt64)
	m.pause = lateness.Pause{From: never, To: never}
	if m.tracer == nil {
		return
	}
	if next, ok := m.tracer.NextPause(m.now); ok {
		m.pause = next
	}
}

// suspend lets the next pause go by. Threads keep their cores and do nothing on them, but
// for native code, which goes on until it is done; what would wake a thread wakes it after the pause.
func (m *machine) suspend() {
	m.advance(m.pause.From)
	d := m.pause.To - m.now
	for i := range m.cores {
		c := &m.cores[i]
		if c.rise > 0 { // a clock rises with work
			c.rise += d
		}
		if c.task == none {
			continue
		}
		t := &m.tasks[c.task]
		if t.pays || t.run.does().LosesToPause() {
			continue
		}
		rate := c.rate(c.step)
		works := min(d, time.Duration((t.work+rate-1)/rate))
		t.work = max(0, t.work-int64(works)*rate)
		t.run.cpu += works
	}
	m.now = m.pause.To
	m.findPause()
}
