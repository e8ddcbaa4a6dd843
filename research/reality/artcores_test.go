package main

import (
	"testing"
	"time"

	"artifice/sampler"
	"artifice/tracer/device"
)

// TestCoreWaits, by hand: threads begin to wait at 5 and 9 ms. Sleeps of 1 ms end at 2.02, 5.03,
// 9.02, 12.5 and 17 ms, which is 20 us, 30 us, 520 us, 500 us and 3 ms too late. The second, which
// is on time, and the third, which is late, end 30 and 20 us after the begin of a wait. Three of
// five sleeps wait for a core, for at most 3 ms, and the overshoot of the others is at most 30 us.
func TestCoreWaits(t *testing.T) {
	us := func(n int) time.Duration { return time.Duration(n) * time.Microsecond }
	var c coreWaits
	c.add(ms, []span{{us(1000), us(2020)}, {us(4000), us(5030)}, {us(7500), us(9020)}, {us(11000), us(12500)}, {us(13000), us(17000)}}, []time.Duration{5 * ms, 9 * ms})
	if len(c.prompt) != 2 || c.promptAtWait != 1 || len(c.late) != 3 || c.lateAtWait != 1 {
		t.Errorf("%+v", c)
	}
	d := c.waitsForCores(device.Device{Sampling: sampler.Cost{Overshoot: ms, Overshoots: sampler.Quantiles{0, ms}, PerTick: us(7)}}).Sampling
	if d.NoCore != 0.6 || d.NoCoreMax != 3*ms || d.Overshoot != us(30) || len(d.Overshoots) > 0 || d.PerTick != us(7) {
		t.Errorf("%+v", d)
	}
}
