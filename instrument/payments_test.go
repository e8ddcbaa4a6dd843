package instrument

import (
	"testing"
	"time"

	"artifice/internal/recorder"
)

// TestEventCostsAroundWait checks events that cost 4 ms each, around a wait from 6 ms to a tick at
// 10 ms, by hand. Only recorded events count.
func TestEventCostsAroundWait(t *testing.T) {
	const ms, cost = time.Millisecond, 4 * time.Millisecond
	wait := recorder.Wait{Began: 6 * ms, Ends: 10 * ms, Rule: recorder.WaitRule{Period: 10 * ms}}
	for _, c := range []struct {
		before, after, recorded int // events
		want                    time.Duration
	}{
		{1, 1, 0, 0},
		{2, 0, 0, 0},
		{2, 0, 1, 10 * ms}, // a delay of 4 ms reaches the tick exactly, which is missed
		{0, 2, 1, 4 * ms},
		{3, 2, 3, 10 * ms},
		{3, 2, 4, 14 * ms},
		{4, 1, 4, 20 * ms}, // delay 16 ms
		{4, 1, 5, 24 * ms},
	} {
		var p payments
		late := time.Duration(0)
		take := func(events int) {
			for range events {
				p.paid++
				late += cost
			}
		}
		take(c.before)
		late = wait.Late(late)
		p.wait(wait, late)
		take(c.after)
		for range c.recorded {
			p.record(cost)
		}
		if got := p.end(); got != c.want {
			t.Errorf("%d events before a wait, %d after it, %d recorded: delay %v, want %v", c.before, c.after, c.recorded, got, c.want)
		}
	}
}
