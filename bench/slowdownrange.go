package bench

import (
	"errors"
	"math"
	"time"

	"artifice/sampler"
	"artifice/trace"
	"artifice/trace/stats"
	"artifice/tracer"
)

// Range is the range of the slowdown of a row for a recorded truth, which does not state how its
// waits end. Absorbed is the slowdown if all waits absorb delays, and Kept if none does. A thread
// that misses the tick of a clock and waits for the next one can lose even more; then Kept includes
// that. The zero value is an unknown range, or a known slowdown.
type Range struct{ Absorbed, Kept float64 }

// digits is the number of digits of a slowdown in the table on a terminal.
const digits = 0.01

// Known reports whether the range is known and wider than a slowdown's digits.
func (r Range) Known() bool { return r.Kept-r.Absorbed >= digits }

// cellsInRange is the number of cells of a row that are sampled again for its range. Few are
// enough, because the uncertainty is in the waits and not in the phase.
const cellsInRange = 4

// rangeJob samples a recorded truth again with one rule for all waits. Only the slowdown is used.
type rangeJob struct {
	cfg       *Config
	waits     sampler.Waits
	rows      [][]*cell
	late      *deadline
	slowdowns []float64 // mean by row; nil if the job was stopped
}

// newRangeJobs returns the jobs of the two ends of the range. There are no jobs if the slowdown is
// certain because no sample takes time or because the truth states how its waits end.
func newRangeJobs(truth *trace.Recording, cfg *Config, rows [][]*cell, late *deadline) []*rangeJob {
	if truth.Info.Technique == trace.Truth || cfg.OneClock {
		return nil
	}
	for _, row := range rows {
		if c, ok := row[0].run.(tracer.Samples); ok && c.Cost.TakesTime() {
			return []*rangeJob{{cfg, sampler.WaitsAbsorb, rows, late, nil}, {cfg, sampler.WaitsKeep, rows, late, nil}}
		}
	}
	return nil
}

func (j *rangeJob) run(truth *trace.Recording) error {
	samplers, of := []*sampler.Sampler(nil), []int(nil)
	for i, row := range j.rows {
		for k := 0; k < len(row); k += (len(row) + cellsInRange - 1) / cellsInRange {
			run, ok := row[k].run.(tracer.Samples)
			if !ok {
				break
			}
			config := sampler.Config(run)
			config.Waits, config.Clock = j.waits, trace.Wall
			s, err := sampler.New(truth, config, nil)
			if err != nil {
				return err
			}
			samplers, of = append(samplers, s), append(of, i)
		}
	}
	events := 0
	err := sampler.RunUntil(func(time.Duration) error {
		if j.late.late.Load() {
			return sampler.ErrStopped
		}
		events++
		return j.cfg.exceeded(events)
	}, truth, samplers...)
	if errors.Is(err, sampler.ErrStopped) {
		return nil
	}
	if err != nil {
		return err
	}
	sums, counts := make([]float64, len(j.rows)), make([]float64, len(j.rows))
	for k, s := range samplers {
		sums[of[k]] += s.Stats().Slowdown()
		counts[of[k]]++
	}
	for i := range sums {
		sums[i] /= counts[i] // NaN without a count
	}
	j.slowdowns = sums
	return nil
}

// setRanges gives each row its range, widened to contain its mean, and decides whether tracers are
// compared by the added running time.
func (r *Result) setRanges(jobs []*rangeJob) {
	if len(jobs) < 2 || jobs[0].slowdowns == nil || jobs[1].slowdowns == nil || r.Cut {
		return
	}
	width, added := 0., 0.
	for i := range r.Rows {
		row := &r.Rows[i]
		if absorbed, kept := jobs[0].slowdowns[i], jobs[1].slowdowns[i]; !math.IsNaN(absorbed) {
			row.Range = Range{min(absorbed, row.Mean[Slowdown]), max(kept, row.Mean[Slowdown])}
			width, added = width+row.Range.Kept-row.Range.Absorbed, added+row.Range.Kept-1
		}
	}
	r.byOverhead = width > 0 && width >= added/2
	for i := range r.Rows {
		r.Rows[i].byOverhead = r.byOverhead
	}
}

// Cost returns the cost of the row.
func (row *Row) Cost() stats.Cost {
	c := stats.Cost{Slowdown: row.Mean[Slowdown], Overhead: row.added()}
	if row.Range.Known() {
		c.Low, c.High = row.Range.Absorbed, row.Range.Kept
	}
	c.OfCPU = row.byOverhead && !math.IsNaN(row.Mean[CPUOverhead])
	return c
}

// Costs returns the costs of ART's sampling on a device by interval and, for the interval 0, of its
// trace of every call with both clocks.
func (r *Result) Costs(device string) map[time.Duration]stats.Cost {
	costs := map[time.Duration]stats.Cost{}
	for _, row := range r.Rows {
		if row.Device == device && (row.Mode == ARTSampling.Name || row.Mode == InstrumentedDual.Name) {
			costs[row.Interval] = row.Cost()
		}
	}
	return costs
}

// added is the share by which a row extends the run or, if that is too uncertain, the running time.
// Tracers are compared by it, and the budget limits it.
func (row *Row) added() float64 {
	if overhead := row.Mean[CPUOverhead]; row.byOverhead && !math.IsNaN(overhead) {
		return overhead
	}
	return row.Mean[Slowdown] - 1
}
