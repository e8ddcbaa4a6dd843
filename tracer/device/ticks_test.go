package device

import (
	"artifice/internal/testdata/tracetest"
	"artifice/sampler"
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/format"
)

// dumped returns n stack dumps of a program, as JSON lines. Their pauses have the durations of
// stops, cyclically, and the program runs for the durations of runs in between. Its only thread
// changes its stack at every tenth dump.
func dumped(n int, stops, runs []time.Duration) string {
	var b strings.Builder
	at := time.Duration(0)
	for i := range n {
		stop := stops[i%len(stops)]
		fmt.Fprintf(&b, `{"time_us":%.3f,"stopped_us":%.3f,"thread":"main","frames":["a.B.m%d"]}`+"\n",
			float64(at)/1e3, float64(stop)/1e3, i/10)
		at += stop + runs[i%len(runs)]
	}
	return strings.ReplaceAll(b.String(), `"stopped_us":0.000,`, "")
}

func calibrateDumps(t *testing.T, lines string) *SampledTiming {
	t.Helper()
	var ticks Ticks
	s := tracetest.Dumps(t, lines, format.DumpConfig{Tick: ticks.Add})
	c, err := ticks.Calibrate(&s.Recording)
	if err != nil {
		t.Fatal(err)
	}
	return c.Sampled
}

// TestTicks: pauses cycle through 100, 200 and 600 µs and runs through 1.1 and 1.3 ms, so each
// pause is combined with each run. The mean pause is 300 µs. The overshoot of the sleeps of 1 ms is
// 200 µs on average, from 100 to 300 µs. Of the six periods (1.2, 1.4, 1.3, 1.5, 1.7, 1.9) the
// minimum is 1.2 ms, and the median is the third, 1.4 ms. Nine of ten periods begin or end without
// an event.
func TestTicks(t *testing.T) {
	s := calibrateDumps(t, dumped(6*200+1, []time.Duration{100 * us, 200 * us, 600 * us}, []time.Duration{1100 * us, 1300 * us}))
	if !s.HasPauses() || s.Period.N != 1200 || s.Period.Value != 1400*us || s.ShortPeriod.Value != 1200*us {
		t.Errorf("period %+v, short %+v, want 1200 of 1.4 ms and 1.2 ms", s.Period, s.ShortPeriod)
	}
	c := s.cost(ms)
	if d := c.PerTick - 300*us; d < -us || d > us || c.PerThread != 0 || c.PerTicks[0] != 100*us || c.PerTicks[quantileSteps] != 600*us {
		t.Errorf("a pause of %s (%s to %s) and %s a thread, want 300 us (100 us to 600 us) and none", c.PerTick, c.PerTicks[0], c.PerTicks[quantileSteps], c.PerThread)
	}
	if d := c.Overshoot - 200*us; d < -us || d > us || c.Overshoots[0] != 100*us || c.Overshoots[quantileSteps] != 300*us {
		t.Errorf("overshoot %s (%s to %s), want 200 us (100 us to 300 us)", c.Overshoot, c.Overshoots[0], c.Overshoots[quantileSteps])
	}
	if got := s.Interval(); got != ms {
		t.Errorf("interval %s, want 1 ms", got)
	}
}

// TestTicksWithoutStops: dumps without a duration have periods but no pauses.
func TestTicksWithoutStops(t *testing.T) {
	s := calibrateDumps(t, dumped(401, []time.Duration{0}, []time.Duration{1100 * us, 1300 * us}))
	if s.HasPauses() || s.Period.N != 400 || s.Period.Value != 1100*us {
		t.Errorf("period %+v, want 400 with the median 1.1 ms, and no pauses", s.Period)
	}
	if c := s.cost(ms); len(c.PerTicks) != 0 || c.PerTick != 0 || c.Overshoot < 199*us || c.Overshoot > 201*us {
		t.Errorf("%+v, want no pause and 200 us of overshoot", c)
	}
}

// TestTwoDistributions: a device with both distributions is unchanged by a round trip. Numbers that
// follow from a distribution are rejected next to it.
func TestTwoDistributions(t *testing.T) {
	want := Device{Name: "x", Sampling: sampler.Cost{
		Overshoots: sampler.Quantiles{100 * us, 300 * us}, Overshoot: 200 * us, OvershootSpread: 57735, // 200/sqrt(12)
		PerTicks: sampler.Quantiles{10 * us, 20 * us, 60 * us}, PerTick: 27500, // (15 + 40) / 2
	}}
	var b bytes.Buffer
	if err := want.WriteYAML(&b); err != nil {
		t.Fatal(err)
	}
	got, err := ReadYAML(&b, "x")
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	_, err = ReadYAML(strings.NewReader("name: x\nsampling:\n  per-tick: 1us\n  per-tick-quantiles: [1us, 2us]\n"), "d.yaml")
	if err == nil || !strings.HasPrefix(err.Error(), "d.yaml:3:13: per-tick follows from per-tick-quantiles") {
		t.Errorf("a distribution and its mean: error %v", err)
	}
}
