package main

import (
	"fmt"
	"time"

	"artifice/internal/cli"
	"artifice/trace"
	"artifice/tracer/device"
)

// figure is one estimate as calibrate prints it.
type figure struct {
	Figure  string  `json:"figure"`
	Value   float64 `json:"value"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Unit    string  `json:"unit"`
	N       int     `json:"observations"`
	Meaning string  `json:"meaning"`
}

// calibration lists what the traces say.
func calibration(traces []calibrated, interval time.Duration) *cli.Table {
	l := &cli.Table{
		Columns: []string{"figure", "value", "low", "high", "n", "meaning"},
		Right:   []bool{false, true, true, true, true, false},
		Spare:   []string{"n", "low", "high"},
	}
	said := make([]map[string]any, len(traces))
	for i, c := range traces {
		var all []figure
		c.list(interval, func(name string, e device.Estimate, format string, args ...any) {
			meaning := fmt.Sprintf(format, args...)
			cells := []string{name, "-", "-", "-", fmt.Sprint(e.N), meaning}
			if e.N > 0 {
				cells[1], cells[2], cells[3] = e.Value.String(), e.Low.String(), e.High.String()
			}
			l.Rows = append(l.Rows, cells)
			all = append(all, figure{name, float64(e.Value), float64(e.Low), float64(e.High), "ns", e.N, meaning})
		})
		said[i] = map[string]any{"evidence": c.Evidence, "events": c.Events, "figures": all}
	}
	l.JSON = said[0]
	if len(traces) > 1 {
		for i, c := range traces {
			said[i]["trace"] = c.trace
		}
		l.JSON = map[string]any{"traces": said}
	}
	return l
}

// list tells add each figure of a trace.
func (c *calibrated) list(interval time.Duration, add func(string, device.Estimate, string, ...any)) {
	if c.Sampled != nil {
		listSampled(c.Sampled, c.symbols, interval, add)
		return
	}
	i := c.Instrumented
	how := "mean of the kinds that are shortest, the app's own work in them included"
	switch {
	case i.UpperBound:
		how = "mean of the kinds that are shortest; an upper bound, as most of it can be the app's own work"
	case i.ByQuantile:
		how = "p10 (p1 to p25), as no kind of them is often enough"
	}
	add("event", i.Event, "cost of one event: gaps between events of a thread, %s", how)
	add("clocks", exactly(i.ClockOverhead), "part of it that reading the clocks takes, as the trace states it")
	add("step", exactly(i.Granularity), "step of the clocks")
}

// exactly is a figure that was read, not estimated.
func exactly(d time.Duration) device.Estimate {
	return device.Estimate{Value: d, Low: d, High: d, N: 1}
}

func listSampled(s *device.SampledTiming, symbols *trace.Symbols, interval time.Duration, add func(string, device.Estimate, string, ...any)) {
	busiest := symbols.Thread(s.Thread)
	asked := exactly(interval)
	origin := "nominal, as asked"
	if interval == 0 {
		interval = s.Interval()
		low, high := s.IntervalRange()
		asked = device.Estimate{Value: interval, Low: low, High: high, N: s.AppRun.N}
		origin = "a guess, as no file stores it: the largest of 1, 2, 3, 5 × 10ⁿ that the shortest periods have room for"
	}
	overshoot, spread := s.Overshoot(interval)
	add("period", s.Period, "from one sample to the next, median; from thread %s", busiest)
	add("short-period", s.ShortPeriod, "the same, p1")
	add("app-run", s.AppRun, "how long the app runs between two samples")
	add("interval", asked, "%s", origin)
	add("overshoot", overshoot, "by how much sleeps end late, mean; standard deviation %s; the device gets the whole distribution", spread)
	add("pause", s.PauseAt(interval), "how long a sample stops the app")
	if s.SaysStops() {
		add("per-tick", exactly(s.DevicePerTick(interval)), "all of it, as the dumps say; the device gets the whole distribution")
	} else {
		add("per-tick", exactly(s.DevicePerTick(interval)), "of it, before the first thread: no more than the shortest periods leave beside interval and walk")
		add("per-thread", s.PerThread, "of it, walking each of %.1f threads (%d at the end)", s.MeanThreads, s.Threads)
		add("per-frame", s.PerFrame, "and each of their %.0f frames", s.Frames)
	}
	add("cpu", s.CPU, "CPU time of %s in a period, median; %.1f %% of all periods", busiest, 100*s.CPUShare)
	if s.Skew.N > 0 {
		add("skew", s.Skew, "stamp of %s behind that of %s, %d places before it in the list", symbols.Thread(s.SkewTo), busiest, s.SkewPlaces)
	}
	add("order", device.Estimate{}, "%d neighbouring stamps of a sample in list order, %d against it", s.Ordered, s.Reversed)
}
