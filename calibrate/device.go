package calibrate

import (
	"fmt"
	"time"

	"artifice/device"
	"artifice/instrument"
)

// wallRead is what one read of the wall clock takes on a phone. Traces only
// state the sum of both clocks.
const wallRead = 50 * time.Nanosecond

// Device returns the device that recorded the trace called source, for traces
// of that nominal interval (0: [Sampled.Interval]). Costs of the way of tracing
// that the trace is not of are those of the clocks alone.
func (r *Result) Device(name, source string, interval time.Duration) device.Device {
	d := device.Device{Name: name, Description: "estimated from " + source}
	if r.Sampled != nil {
		r.Sampled.describe(&d, source, interval)
	} else {
		r.Instrumented.describe(&d, source)
	}
	return d
}

// clocks returns the costs of reading the clocks, which traces state as a sum.
func clocks(overhead time.Duration) instrument.Cost {
	return instrument.Cost{CPURead: max(0, overhead-wallRead), WallRead: min(overhead, wallRead)}
}

func (s *Sampled) describe(d *device.Device, source string, interval time.Duration) {
	guess := ""
	if interval == 0 {
		interval, guess = s.Interval(), ", a guess"
	}
	d.Sampling = s.Cost(interval)
	d.Instrumented = clocks(s.clockOverhead)
	d.Instrumented.Granularity = d.Sampling.Granularity
	d.Origins = []device.Origin{
		{Numbers: "overshoot", Source: fmt.Sprintf("%s: the app runs %s between two samples (%s to %s) of nominally %s%s",
			source, s.AppRun.Value, s.AppRun.Low, s.AppRun.High, interval, guess)},
		{Numbers: "overshoot-spread", Source: fmt.Sprintf("the same: periods of %s (p1) and %s (p50)", s.ShortPeriod.Value, s.Period.Value)},
		{Numbers: "per-tick", Source: fmt.Sprintf("the same: a pause of %s (%s to %s) minus the walk of %d threads",
			s.Pause.Value, s.Pause.Low, s.Pause.High, s.Threads)},
		{Numbers: "per-thread, per-frame", Source: fmt.Sprintf("the same: stamps within a sample, %d distances; %s to %s and %s to %s",
			s.PerThread.N, s.PerThread.Low, s.PerThread.High, s.PerFrame.Low, s.PerFrame.High)},
		{Numbers: "clock-overhead, cpu-read", Source: "the same: option clock-call-overhead-nsec"},
		{Numbers: "granularity", Source: "traces count in us"},
		{Numbers: "hook, compiled", Source: "a sampled trace does not show them: 0"},
	}
}

func (i *Instrumented) describe(d *device.Device, source string) {
	d.Instrumented = clocks(i.ClockOverhead)
	d.Instrumented.Hook = max(0, i.Event.Value-i.ClockOverhead)
	d.Instrumented.Granularity = i.Granularity
	d.Sampling.ClockOverhead, d.Sampling.Granularity = i.ClockOverhead, i.Granularity
	d.Origins = []device.Origin{
		{Numbers: "clock-overhead, cpu-read", Source: source + ": option clock-call-overhead-nsec"},
		{Numbers: "hook", Source: fmt.Sprintf("the same: gaps between events of %s (p10; p1 %s, p25 %s), minus the clocks",
			i.Event.Value, i.Event.Low, i.Event.High)},
		{Numbers: "granularity", Source: "the same: steps of the clock"},
		{Numbers: "overshoot, overshoot-spread, per-tick, per-thread, per-frame, compiled", Source: "an instrumented trace does not show them: 0"},
	}
}
