package bench

import (
	"context"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"artifice/bench/score"
	"artifice/trace"
)

// ChangeLevels is the number of truths: the unchanged app, and the app with the method slowed in
// equal steps up to the factor. A regression line needs three points; five give Student's t three
// degrees of freedom for tracers without randomness.
const ChangeLevels = 5

// TruthAt opens the truth with the method's self times multiplied by a factor; 1 is the unchanged
// app. live opens further runs of an app with threads that share cores or wait for each other
// ([Config].Live). It is nil for other truths.
type TruthAt func(factor float64) (truth *trace.Recording, live func(run int, length time.Duration) (*trace.Recording, error), err error)

// Change is the true change of a method's time, and the change that traces report.
type Change struct {
	Truth  score.Truth     // of the unchanged app
	Method string          // name as given by the caller
	Own    score.NamedTime // of the unchanged app; Seen is that of its first trace
	Factor float64         // factor of the method's self times
	// relative change of its running time; below Factor-1 if the app makes fewer calls
	True float64
	Rows []ChangeRow
	Live bool // each trace is of a separate run
}

// ChangeRow is the change reported by one tracer.
type ChangeRow struct {
	Mode     string
	Device   string
	Interval time.Duration // nominal; 0: none
	// running time is CPU time; else it is the wall time of methods that do not wait
	ByCPU bool

	// Shown is the relative change of the method's running time in the traces, and Low and High are
	// its 95 % interval. They are NaN if too few samples find the method.
	Shown, Low, High float64

	// Pair is the standard deviation of the change between one trace of each build, relative to the
	// time in the first. It is NaN for a tracer without randomness, which has one trace of each
	// build.
	Pair float64
}

// MeasureChange measures the change that traces report if a method gets slower. It runs the sweep
// cfg over the truth and over truths in which the method's self time is multiplied by up to factor.
// For each tracer, a linear regression over the reported times gives the reported change. The goal
// of cfg is ignored.
//
// Tracing adds its own time to what it measures, and sampling misses some of it. If traces show a
// method 16 % slower, the true change may therefore be 16, 20 or 30 %. A profiler that finds the
// hottest method can be wrong about every change. Mytkowicz, Diwan, Hauswirth and Sweeney also
// slowed methods by known amounts (Evaluating the accuracy of Java profilers, PLDI 2010). A truth
// can be slowed exactly: a workload runs with the method's self times multiplied
// ([workload.Program.Slowed]), and in a recorded truth the method's self time is stretched
// ([Stretched]).
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
			return nil, fmt.Errorf("%s has no running self time: it only waits or calls other methods", method)
		}
		if i == 0 {
			result.True = to/from - 1
		}
		if math.Abs(to/from-1) < math.Abs(factor-1)/100 {
			return nil, fmt.Errorf("%s takes the same share of the run if each of its calls is slower, because the app then makes fewer calls: there is no change to detect", method)
		}
		lines[i].fill(&result.Rows[i])
	}
	return result, nil
}

// line contains the points of a linear regression: true and reported times of the method, in s.
type line struct{ x, y []float64 }

func (l *line) add(x, y float64) { l.x, l.y = append(l.x, x), append(l.y, y) }

// ends returns the true times of the first and of the last level.
func (l *line) ends() (from, to float64) { return l.x[0], l.x[len(l.x)-1] }

// fill fits y = a + b (x - from) by least squares, and sets the row's change, b (to - from)/a. The
// interval is that of a ratio of two estimates by the delta method, with Student's t and n - 2
// degrees of freedom (Draper and Smith, Applied Regression Analysis, 1998, chapter 1: the variances
// and the covariance of a and b).
func (l *line) fill(row *ChangeRow) {
	n := float64(len(l.x))
	from, to := l.ends()
	var mx, my, sxx, sxy float64
	for i := range l.x {
		mx, my = mx+(l.x[i]-from)/n, my+l.y[i]/n
	}
	for i := range l.x {
		dx := l.x[i] - from - mx
		sxx += dx * dx
		sxy += dx * (l.y[i] - my)
	}
	b := sxy / sxx
	a := my - b*mx
	var rss float64
	for i := range l.x {
		e := l.y[i] - a - b*(l.x[i]-from)
		rss += e * e
	}
	variance := rss / (n - 2)
	va, vb, cov := variance*(1/n+mx*mx/sxx), variance/sxx, -variance*mx/sxx
	row.Shown, row.Low, row.High, row.Pair = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	if len(l.x) > ChangeLevels && a > 0 {
		row.Pair = math.Sqrt(2*variance) / a
	}
	if !(a > surely*math.Sqrt(va)) {
		return
	}
	ratio := b / a
	se := math.Sqrt(max(0, vb-2*ratio*cov+ratio*ratio*va)) / a
	reach := distuv.StudentsT{Sigma: 1, Nu: n - 2}.Quantile(0.975) * se * (to - from)
	row.Shown = ratio * (to - from)
	row.Low, row.High = row.Shown-math.Abs(reach), row.Shown+math.Abs(reach)
}

// surely is the minimum ratio of the time at the first level to its standard error.
const surely = 10
