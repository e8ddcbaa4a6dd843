package device

import (
	"fmt"
	"sort"
	"time"

	"gonum.org/v1/gonum/stat"

	"artifice/trace"
)

// maxGaps bounds the gaps that are kept.
const maxGaps = 1 << 20

// gaps gathers the times between adjacent events of a thread: what one event
// costs, plus what the app did in between.
type gaps struct {
	wall, cpu []time.Duration
	last      []trace.Event // by thread
	seen      []bool
}

func (g *gaps) add(e trace.Event) {
	for int(e.Thread) >= len(g.last) {
		g.last, g.seen = append(g.last, trace.Event{}), append(g.seen, false)
	}
	last := g.last[e.Thread]
	if g.seen[e.Thread] && len(g.wall) < maxGaps {
		g.wall, g.cpu = append(g.wall, e.Wall-last.Wall), append(g.cpu, e.CPU-last.CPU)
	}
	g.last[e.Thread], g.seen[e.Thread] = e, true
}

// InstrumentedTiming is what an instrumented trace says of its device.
type InstrumentedTiming struct {
	// Event is the cost of one event: the 10 % quantile of the gaps between
	// events of a thread, since in the shortest the app does next to nothing.
	// Its interval goes from the 1 % to the 25 % quantile. It is taken from CPU
	// time where that is there, which waiting does not lengthen.
	Event Estimate

	// ClockOverhead is the part of it that the trace itself states.
	ClockOverhead time.Duration

	// Granularity is the step of the clocks; 0 is finer than 1 us.
	Granularity time.Duration
}

// timing returns what the gaps say; rec has been read.
func (g *gaps) timing(rec *trace.Recording) *InstrumentedTiming {
	all := ascending(g.wall)
	if rec.Info.Clock.HasCPU() {
		all = ascending(g.cpu)
	}
	low, at, high := quantile(all, 0.01), quantile(all, 0.10), quantile(all, 0.25)
	return &InstrumentedTiming{
		Event:         Estimate{at.Value, low.Value, high.Value, len(all)},
		ClockOverhead: rec.Info.ClockOverhead,
		Granularity:   granularity(all),
	}
}

// granularity returns the step of a clock, given the differences of its
// readings in ascending order: when most are 0, the mean of those that are one
// step; else 1 us, in which most traces count, or 0 for a trace that counts
// finer.
func granularity(all []float64) time.Duration {
	zeros := sort.Search(len(all), func(i int) bool { return all[i] > 0 })
	some := all[zeros:]
	if len(some) == 0 {
		return time.Microsecond
	}
	if zeros < len(some) {
		for _, d := range some {
			if time.Duration(d)%time.Microsecond != 0 {
				return 0
			}
		}
		return time.Microsecond
	}
	steps := sort.Search(len(some), func(i int) bool { return 2*some[i] >= 3*some[0] })
	return time.Duration(stat.Mean(some[:steps], nil))
}

// describe sets what the trace called source shows of the device d.
func (t *InstrumentedTiming) describe(d *Device, source string) {
	d.Instrumented = clocks(t.ClockOverhead)
	d.Instrumented.Hook = max(0, t.Event.Value-t.ClockOverhead)
	d.Instrumented.Granularity = t.Granularity
	d.Sampling.ClockOverhead, d.Sampling.Granularity = t.ClockOverhead, t.Granularity
	d.Origins = []Origin{
		{Numbers: "clock-overhead, cpu-read", Source: source + ": option clock-call-overhead-nsec"},
		{Numbers: "hook", Source: fmt.Sprintf("the same: gaps between events of %s (p10; p1 %s, p25 %s), minus the clocks",
			t.Event.Value, t.Event.Low, t.Event.High)},
		{Numbers: "granularity", Source: "the same: steps of the clock"},
		{Numbers: "overshoot, overshoot-spread, per-tick, per-thread, per-frame, compiled", Source: "an instrumented trace does not show them: 0"},
	}
}
