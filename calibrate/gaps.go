package calibrate

import (
	"time"

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

// Instrumented is what an instrumented trace says of its device.
type Instrumented struct {
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

// estimate returns what the gaps say; rec has been read.
func (g *gaps) estimate(rec *trace.Recording) *Instrumented {
	all := g.wall
	if rec.Info.Clock.HasCPU() {
		all = g.cpu
	}
	all = sorted(all)
	low, at, high := quantile(all, 0.01), quantile(all, 0.10), quantile(all, 0.25)
	return &Instrumented{
		Event:         Estimate{at.Value, low.Value, high.Value, len(all)},
		ClockOverhead: rec.Info.ClockOverhead,
		Granularity:   granularity(all),
	}
}

// granularity returns the step of a clock, given the sorted differences of its
// readings: when most are 0, the mean of those that are one step; else 1 us, in
// which most traces count, or 0 for a trace that counts finer.
func granularity(all []time.Duration) time.Duration {
	zeros := 0
	for zeros < len(all) && all[zeros] <= 0 {
		zeros++
	}
	some := all[zeros:]
	if len(some) == 0 {
		return time.Microsecond
	}
	if zeros < len(some) {
		for _, d := range some {
			if d%time.Microsecond != 0 {
				return 0
			}
		}
		return time.Microsecond
	}
	var sum time.Duration
	n := 0
	for n < len(some) && 2*some[n] < 3*some[0] {
		sum += some[n]
		n++
	}
	return sum / time.Duration(n)
}
