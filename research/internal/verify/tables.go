package verify

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"artifice/bench"
	"artifice/research/internal/reference"
	"artifice/tracer/device"
)

// phases is the number of cells of a row: enough for each to have another phase and seed.
const phases = 3

// tables compares every column of bench's table, for every mode, with the reference implementation.
func (r *run) tables(ctx context.Context, w observed, truth *reference.Truth) error {
	cfg := bench.Config{
		Seed: r.cfg.Seed, OneClock: r.cfg.OneClock, Phases: phases, CPU: true, Modes: witnessed(bench.Modes()),
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

// testDevices returns one device without costs, and one with expensive samples and exact clocks:
// rules for the end of calls divide the time between two stamps.
func testDevices() []device.Device {
	exact := device.All()[1]
	exact.Name += "-exact"
	exact.Sampling.Granularity, exact.Instrumented.Granularity = 0, 0
	return []device.Device{device.All()[0], device.All()[1], exact}
}

// row compares the cells of a row.
func (r *run) row(w observed, truth *reference.Truth, row bench.Row, cells []bench.Cell, d device.Device) {
	var all []map[string]float64
	var samples float64
	knowsCPU := true
	for i, cell := range cells {
		seen := witnesses[cell.Mode](truth, &observedCell{cell, i, len(cells), r.cfg.Seed, d, r.cfg.OneClock})
		if seen == nil {
			return // this mode does not run on this device
		}
		m := truth.Measures(seen)
		knowsCPU = !seen.NoCPU
		samples += m["samples"] / float64(len(cells))
		all = append(all, m)
	}
	running, ofTime := truth.RunningShares(knowsCPU)
	if slices.Contains([]string{"simpleperf", "perfetto", "profilingmanager", "profilo", "perf", "go", "go-itimer", "jfr", "jfr-cpu", "async", "safepoints"}, row.Mode) {
		ofTime = 1 // they sample running threads
	}
	floors := map[string]float64{
		"random_cpu_correct":   floor(running, samples*ofTime),
		"random_wall_correct":  floor(truth.MethodShares(), samples),
		"random_paths_correct": floor(truth.ContextShares(), samples),
	}
	for i, m := range all {
		maps.Copy(m, floors)
		for relative, of := range map[string]string{"relative_wall_correct": "wall_correct", "relative_paths_correct": "paths_correct"} {
			m[relative] = m[of] / m["random_"+of]
		}
		if cells[i].Interval == 0 { // instrumenting tracers take no samples
			for _, key := range []string{"random_cpu_correct", "random_wall_correct", "random_paths_correct", "relative_wall_correct", "relative_paths_correct"} {
				delete(m, key)
			}
		}
		for _, measure := range bench.Measures() {
			r.measure("bench", measure, m, fmt.Sprintf("%s, phase %d of %d", caseOf(w, row.Key()), i+1, len(cells)), cells[i].Scores[measure])
		}
	}
}

// floor returns the expected overlap of a number of random samples, interpolated between integers.
func floor(shares []float64, samples float64) float64 {
	n := math.Floor(samples)
	return (1-samples+n)*reference.Floor(shares, int(n)) + (samples-n)*reference.Floor(shares, int(n)+1)
}
