package verify

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"artifice/art"
	"artifice/bench"
	"artifice/bench/literal"
	"artifice/device"
)

// phases is how many cells a row has: enough that each has another phase and seed.
const phases = 3

// tables holds every column of bench's table, for every mode, against the second
// implementation.
func (r *run) tables(ctx context.Context, w observed, truth *literal.Truth) error {
	cfg := bench.Config{
		Seed: r.cfg.Seed, Phases: phases, CPU: true, Modes: bench.Modes(),
		Devices: testDevices(), Intervals: []time.Duration{500 * time.Microsecond, 3 * time.Millisecond},
	}
	if r.cfg.Quick {
		cfg.Phases, cfg.Devices, cfg.Intervals = 2, cfg.Devices[1:], cfg.Intervals[:1]
	}
	result, err := r.sweep(ctx, w, cfg)
	if err != nil {
		return err
	}
	cells := result.Cells
	for _, row := range result.Rows {
		d := cfg.Devices[0]
		for _, other := range cfg.Devices {
			if other.Name == row.Device {
				d = other
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r.row(w, truth, row, cells[:row.Cells], d)
		cells = cells[row.Cells:]
	}
	return nil
}

// testDevices are one without cost and one whose samples cost much and whose clocks
// are exact: rules for the end of calls divide what lies between two stamps.
func testDevices() []device.Device {
	exact := device.All()[1]
	exact.Name += "-exact"
	exact.Sampling.Granularity, exact.Instrumented.Granularity = 0, 0
	return []device.Device{device.All()[0], device.All()[1], exact}
}

// row compares the cells of a row.
func (r *run) row(w observed, truth *literal.Truth, row bench.Row, cells []bench.Cell, d device.Device) {
	var all []map[string]float64
	var samples float64
	knowsCPU := true
	for i, cell := range cells {
		seen := record(truth, cell, i, len(cells), r.cfg.Seed, d)
		if seen == nil {
			return // not this mode on this device
		}
		m := truth.Measures(seen)
		knowsCPU = !seen.NoCPU
		samples += m["samples"] / float64(len(cells))
		all = append(all, m)
	}
	running, ofTime := truth.RunningShares(knowsCPU)
	if slices.Contains([]string{"simpleperf", "perfetto", "profilo"}, row.Mode) {
		ofTime = 1 // they sample what runs
	}
	floors := map[string]float64{
		"ideal_overlap_running": floor(running, samples*ofTime),
		"ideal_overlap_methods": floor(truth.MethodShares(), samples),
		"ideal_overlap_paths":   floor(truth.ContextShares(), samples),
	}
	for i, m := range all {
		maps.Copy(m, floors)
		for relative, of := range map[string]string{"relative_overlap_methods": "overlap_methods", "relative_overlap_paths": "overlap_paths"} {
			m[relative] = m[of] / m["ideal_"+of]
		}
		if cells[i].Interval == 0 { // tracers of calls have no samples
			for _, key := range []string{"ideal_overlap_running", "ideal_overlap_methods", "ideal_overlap_paths", "relative_overlap_methods", "relative_overlap_paths"} {
				delete(m, key)
			}
		}
		for _, measure := range bench.Measures() {
			want, ok := m[measure.Key()]
			if !ok {
				want = math.NaN()
			}
			r.judge("bench", measure.Key(), fmt.Sprintf("%s, phase %d of %d", caseOf(w, row.Key()), i+1, len(cells)), want, cells[i].Scores[measure])
		}
	}
}

// floor is the expected overlap of so many random samples, interpolated between whole
// numbers of them.
func floor(shares []float64, samples float64) float64 {
	n := math.Floor(samples)
	return (1-samples+n)*literal.Floor(shares, int(n)) + (samples-n)*literal.Floor(shares, int(n)+1)
}

// record is what the i-th cell of a row records by the second implementation; nil for
// what that does not say of a device.
func record(truth *literal.Truth, cell bench.Cell, i, of int, seed uint64, d device.Device) *literal.Record {
	switch cell.Mode {
	case "instrument-dual":
		return truth.Instrument(bothClocks(d))
	case "instrument-wall":
		return truth.Instrument(wallOnly(d))
	case "longrun":
		return truth.LongRunning(longRun, d.Instrumented.Compiled)
	}
	if p := pluginOf(cell.Mode, d); p != nil {
		return truth.Plug(p)
	}
	if cell.Mode == "btrace3" {
		return truth.Hook(&literal.Hooks{Least: cell.Interval, From: phaseOf(i, of, cell.Interval), Walk: d.Sampling.PerThread, Deepest: 128})
	}
	if timer := timerOf(cell, d); timer != nil {
		timer.Phase, timer.Seed = phaseOf(i, of, cell.Interval), cellSeed(seed, i)
		return truth.SampleThreads(timer)
	}
	s := &literal.Sampler{PerTick: d.Sampling.PerTick, PerThread: d.Sampling.PerThread, Resume: d.Sampling.Resume, Step: d.Sampling.Granularity}
	// A cell's seed is the first number of the generator (seed, place in the row), its
	// phase the middle of its part of the mean gap.
	phase := phaseOf(i, of, cell.Interval+d.Sampling.Overshoot-d.Sampling.Resume)
	s.Ticks = literal.SleepTicks(truth.Length, phase, cell.Interval, d.Sampling.Overshoot, d.Sampling.OvershootSpread, d.Sampling.Resume, cellSeed(seed, i))
	switch cell.Mode {
	case "poisson":
		return truth.Sample(&literal.Sampler{Ticks: literal.PoissonTicks(truth.Length, cell.Interval, cellSeed(seed, i))})
	case "by-line":
		s.Site = true
	case "by-call":
		s.Call = true
	case "end-last", "end-capped", "end-mid":
		if d.Name == "A" {
			return nil // its clocks step by 1 µs: bench takes the stamp of the sample before to be a period earlier, which can be one step off
		}
		s.End = sliceEnds[cell.Mode]
	}
	return truth.Sample(s)
}

// cellSeed is the seed of the i-th cell of every row.
func cellSeed(seed uint64, i int) uint64 { return rand.NewPCG(seed, uint64(i)).Uint64() }

// phaseOf is the middle of the i-th part of a gap.
func phaseOf(i, of int, gap time.Duration) time.Duration {
	return max(1, time.Duration((float64(i)+0.5)/float64(of)*float64(gap)))
}

// timerOf is the timer of each thread, of the modes that have one: what Android's
// documents and measurements say of them (see device.Tools).
func timerOf(cell bench.Cell, d device.Device) *literal.ThreadTimer {
	switch cell.Mode {
	case "simpleperf":
		return &literal.ThreadTimer{Interval: cell.Interval, Mean: d.Tools.PerfCopy, Most: d.Tools.PerfCopyMost, Slots: 15699, Work: d.Tools.PerfWrite}
	case "perfetto":
		return &literal.ThreadTimer{Interval: cell.Interval, Core: true, Mean: d.Tools.PerfCopy, Most: d.Tools.PerfCopyMost, Slots: 1024, Work: d.Tools.PerfUnwind}
	case "blockcanary":
		return &literal.ThreadTimer{Interval: cell.Interval, Wall: true, Mean: d.Sampling.PerThread, Keep: int(20*time.Second/cell.Interval) + 1}
	case "profilo":
		return &literal.ThreadTimer{Interval: cell.Interval, Random: true, Mean: d.Sampling.PerThread, Deepest: 512}
	}
	return nil
}

// longRun is the threshold of Android 16, 2^23 ticks at 24.576 MHz.
const longRun = (1 << 23) * time.Second / 24_576_000

// bothClocks is the tracer of calls with both clocks, CPU read before wall.
func bothClocks(d device.Device) *literal.Instrument {
	c := d.Instrumented
	return &literal.Instrument{CPURead: c.CPURead, WallRead: c.CPURead + c.WallRead, Event: c.CPURead + c.WallRead + c.Hook, Step: c.Granularity}
}

// wallOnly is the tracer of calls with the wall clock alone, which compiled code writes
// from Android 14 QPR2 on: half of it lies before the reading.
func wallOnly(d device.Device) *literal.Instrument {
	c := d.Instrumented
	if !art.Default().CompiledHooks {
		return &literal.Instrument{WallRead: c.WallRead, Event: c.WallRead + c.Hook, Step: c.Granularity, NoCPU: true}
	}
	return &literal.Instrument{WallRead: c.Compiled / 2, Event: c.Compiled, Step: c.Granularity, NoCPU: true}
}

// sliceEnds are the rules of btrace 3 on Android and iOS, and the middle.
var sliceEnds = map[string]func(last, next time.Duration) time.Duration{
	"end-last":   func(last, next time.Duration) time.Duration { return min(last+10, next) },
	"end-capped": func(last, next time.Duration) time.Duration { return min(last+time.Millisecond, next) },
	"end-mid":    func(last, next time.Duration) time.Duration { return last + (next-last)/2 },
}
