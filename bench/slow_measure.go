package bench

import (
	"context"
	"fmt"
	"math"
	"time"

	"artifice/bench/score"
	"artifice/trace"
)

// ChangeLevels is how many truths are recorded: the app as it is, and with the method slower by equal
// steps up to the change that is asked about. Three points tell a line from none; five give
// Student's t three degrees of freedom also where a way of tracing has nothing random.
const ChangeLevels = 5

// TruthAt returns the truth with the method's own times multiplied by a factor; 1: as it is. For an app whose threads share cores or wait for
// each other, live opens runs of what the truth is of ([bench.Config].Live); else it is nil.
type TruthAt func(factor float64) (truth *trace.Recording, live func(run int, length time.Duration) (*trace.Recording, error), err error)

// Result is what traces show of a change.
type Change struct {
	Truth  score.Truth     // of the app as it is
	Method string          // as it was named
	Own    score.NamedTime // of the app as it is, without what a trace shows
	Factor float64         // by which the method's own times were multiplied
	True   float64         // by how much its running time changes in all; less than Factor-1 where an app makes fewer calls then
	Rows   []ChangeRow
	Live   bool // each trace is of a run of its own
}

// Row is what one way of tracing shows.
type ChangeRow struct {
	Mode     string
	Device   string
	Interval time.Duration // nominal; 0: none
	ByCPU    bool          // running time is CPU time; else wall time of methods that do not wait

	// Shown is the change of the method's running time in the traces, relative to what they show of the app as it is,
	// and Low and High its 95 % interval. NaN where the traces do not have the method often enough to tell.
	Shown, Low, High float64

	// Pair is the standard deviation of what one trace of each build shows, relative to the time
	// in the first; NaN where there is one trace of each, which has nothing random.
	Pair float64
}

// Measure runs the sweep cfg over the truth and over those in which the method has got slower, up to
// factor times its own time, and fits a straight line through what each way of tracing shows of it. The
// goal of cfg is not looked at.
func MeasureChange(ctx context.Context, truths TruthAt, cfg Config, method string, factor float64) (*Change, error) {
	cfg.Goal = Goal{Measure: NamedSeen, Wanted: 1, Methods: []string{method}}
	result := &Change{Method: method, Factor: factor}
	var lines []line
	for level := range ChangeLevels {
		truth, live, err := truths(1 + (factor-1)*float64(level)/(ChangeLevels-1))
		if err != nil {
			return nil, err
		}
		cfg.Live = live
		r, err := Run(ctx, truth, cfg)
		if err != nil {
			return nil, err
		}
		if r.Cut {
			return nil, context.Cause(ctx)
		}
		if level == 0 {
			result.Truth, result.Own, result.Live = r.Truth, r.Cells[0].named, r.Live
			lines = make([]line, len(r.Rows))
		}
		cells := r.Cells
		for i, row := range r.Rows {
			for _, c := range cells[:row.Cells] {
				lines[i].add(c.named.True.Seconds(), c.named.Seen.Seconds())
			}
			cells = cells[row.Cells:]
			if level == ChangeLevels-1 {
				result.Rows = append(result.Rows, ChangeRow{Mode: row.Mode, Device: row.Device, Interval: row.Interval, ByCPU: row.ByCPU})
			}
		}
	}
	for i := range lines {
		from, to := lines[i].ends()
		if from == 0 {
			return nil, fmt.Errorf("%s has no running time of its own: it waits, or what it calls takes all of it", method)
		}
		if i == 0 {
			result.True = to/from - 1
		}
		if math.Abs(to/from-1) < math.Abs(factor-1)/100 {
			return nil, fmt.Errorf("%s takes as much of the run as before when each of its calls is slower: the app makes fewer calls then, so that there is no change of its time to be seen", method)
		}
		lines[i].fill(&result.Rows[i])
	}
	return result, nil
}
