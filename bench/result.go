package bench

import (
	"context"
	"math"
	"slices"
	"time"

	"artifice/bench/law"
	"artifice/bench/measure"
	"artifice/bench/score"
	"artifice/internal/recorder"
	"artifice/tracer/device"
)

// Cell is one tracer's result.
type Cell struct {
	Mode     string
	Device   string
	Interval time.Duration // nominal
	Index    int           // which of its row's cells
	Phase    time.Duration // app time of the first sample
	Scores   Scores
	named    score.NamedTime // of the methods that the goal names
}

// Row is the result of cells that differ in nothing but phase and seed.
type Row struct {
	Mode      string
	Device    string
	Interval  time.Duration
	Cells     int
	Mean      Scores
	StdDev    Scores // of one cell; 0 with a single one
	Low       Scores // 95 % confidence interval of the mean, by bootstrap
	High      Scores
	costs     device.Kind         // how certain the tracer's costs are
	ByCPU     bool                // running time is CPU time; else wall time of methods that do not wait
	Shares    []score.MethodShare // of Result.Methods as reported in the row's first cell, without names
	Curve     []CurvePoint        // of the contexts with the most calls; only for rows with an interval
	running   []float64           // mean share of running time reported of each of Result.Methods
	Range     Range               // of the slowdown, of recorded truths
	missed    []missedMethod      // methods that the goal is about and that some cells do not have
	Reaching  float64             // share of its cells that reach the goal, each a trace by itself
	confirmed *confirmation       // how other runs of the app do; nil: not tried
	Law       Scores              // the mean by the closed forms; NaN where there is none

	measured [numMeasures]law.Estimate // the mean with its standard error, of measures that there is a law of
	counts   [numMeasures]counted      // the same

	byOverhead bool // of the row's result
}

// CurvePoint is one calling context at one interval, a point beside the curve [law.Universal].
type CurvePoint struct {
	X float64 // interval over the context's correlation time, from its mean times on and off the stack
	Y float64 // reported calls per true call, mean over the row's cells
}

// Result is the outcome of a sweep.
type Result struct {
	Truth   score.Truth
	Methods []score.MethodShare // those with the most running time, the hottest first
	Cells   []Cell
	Rows    []Row
	Goal    Goal
	Cut     bool // the sweep was interrupted: the truth is what had been read
	NoLaws  bool // it was interrupted before the laws of all rows were computed

	// Unconfirmed: it was interrupted before [Result.Confirm] had tried the advice on other runs.
	Unconfirmed bool
	Sampled     bool // the truth was sampled itself, as the caller of [Run] states: it lacks calls, so there is no advice
	Marked      bool // the truth has sections of code instead of calls ([trace.Info]), as the caller of [Run] states: there is no advice
	Live        bool // each tracer had a run of its own ([Config.Live])
	Phases      int
	Seed        uint64

	// Ruled is the time of waits by the rules that samplers apply to the ends of a recorded truth's
	// waits; the zero value is unknown.
	Ruled recorder.WaitTotals

	// byOverhead is set if slowdowns are hardly known: of the time that is added to the run, half
	// or more depends on how waits end, over all rows together. So tracers are compared by how much
	// longer threads run ([Row.added]).
	byOverhead bool
}

// Measures returns the measures that apply to some row.
func (r *Result) Measures() (list []Measure) {
	for _, m := range Measures() {
		if slices.ContainsFunc(r.Rows, func(row Row) bool { return !math.IsNaN(row.Mean[m]) }) {
			list = append(list, m)
		}
	}
	return list
}

func newResult(ctx context.Context, cfg *Config, rows [][]*cell, source *fanout, reference *score.Reference, laws *lawJob) *Result {
	r := &Result{Goal: cfg.Goal, Cut: source.cut, Phases: cfg.Phases, Seed: cfg.Seed}
	r.Truth = reference.Truth()
	r.Truth.Events = source.events
	r.Methods = reference.Hottest()
	methods, contexts := reference.MethodShares(), reference.ContextShares()
	busiest, running := reference.Busiest(), newRunningShares(reference)
	for i, cells := range rows {
		// The floor is a smooth function of the number of samples, so one value
		// serves the row.
		samples := mean(column(cells, Samples))
		trueShares, ran := running.of(cells[0].byCPU, samples)
		if cells[0].onlyRunning() {
			ran = samples
		}
		floorRunning := floorAt(trueShares, ran)
		floor, floorPaths := floorAt(methods, samples), floorAt(contexts, samples)
		for _, c := range cells {
			s := &c.Scores
			s[FloorRunning], s[Floor], s[FloorPaths] = floorRunning, floor, floorPaths
			s[Relative] = measure.RelativeOverlap(s[Overlap], s[Floor])
			s[RelativePaths] = measure.RelativeOverlap(s[OverlapPaths], s[FloorPaths])
			r.Cells = append(r.Cells, c.Cell)
		}
		row := newRow(cells, cfg.Seed)
		row.missed = missedBy(cells, reference)
		if laws != nil && !r.Cut && ctx.Err() != nil {
			r.NoLaws = true
		}
		if laws != nil && !r.Cut && !r.NoLaws { // they are of the whole truth
			if e, ok := laws.expected(i); ok {
				row.Law, row.Curve = lawScores(e, cfg.Threads == nil), curve(busiest, e.Gap, cells)
				row.countedBy(&r.Truth, e.Gap, e.Met)
			}
		}
		r.Rows = append(r.Rows, row)
	}
	for i := range r.Rows {
		r.Rows[i].Reaching = r.reaching(r.Rows[i].Key())
	}
	return r
}

// newRow sums up the cells of a row.
func newRow(cells []*cell, seed uint64) Row {
	first := cells[0]
	row := Row{Mode: first.Mode, Device: first.Device, Interval: first.Interval, Cells: len(cells), costs: first.mode.Costs.Kind(&first.device), ByCPU: first.byCPU, Shares: first.shares, running: meanRunning(cells), Law: noScores()}
	var columns [numMeasures][]float64
	for m := range columns {
		columns[m] = column(cells, Measure(m))
	}
	means := meanIntervals(seed, 0x626f6f7473747261, columns[:]...)
	for m, values := range columns {
		row.Mean[m], row.Low[m], row.High[m] = means[m].Mean, means[m].Low, means[m].High
		if len(values) > 1 {
			row.StdDev[m] = stdDev(values)
			row.measured[m] = law.Stratified(values)
		}
	}
	if len(cells) > 1 {
		row.measured[MergeFactor] = ratioOfMeans(column(cells, CallRecall), column(cells, CallRatio))
	}
	return row
}

// meanRunning returns the means over cells of the reported shares of running time.
func meanRunning(cells []*cell) []float64 {
	means := make([]float64, len(cells[0].shares))
	for _, c := range cells {
		for i, s := range c.shares[:min(len(means), len(c.shares))] {
			means[i] += s.Running / float64(len(cells))
		}
	}
	return means
}

// column returns one measure of all cells.
func column(cells []*cell, m Measure) (values []float64) {
	for _, c := range cells {
		values = append(values, c.Scores[m])
	}
	return values
}

// runningShares are the true shares of running time, for rows with CPU time and for others.
type runningShares struct {
	shares [2][]float64 // by whether it is CPU time: 1
	ofTime [2]float64   // how much of the time in methods is running time
}

func newRunningShares(r *score.Reference) (s runningShares) {
	s.shares[0], s.ofTime[0] = r.RunningShares(false)
	if r.Truth().Running.ByCPU {
		s.shares[1], s.ofTime[1] = r.RunningShares(true)
	}
	return s
}

// of returns the shares, and how many of the samples find a thread running.
func (s *runningShares) of(byCPU bool, samples float64) ([]float64, float64) {
	i := 0
	if byCPU {
		i = 1
	}
	return s.shares[i], samples * s.ofTime[i]
}

// floorAt is the expected overlap of a random sampler without cost and with that number of samples.
// The mean number of samples need not be whole: floorAt interpolates.
func floorAt(shares []float64, samples float64) float64 {
	if math.IsNaN(samples) {
		return math.NaN()
	}
	n, part := math.Modf(samples)
	return (1-part)*law.Floor(shares, int64(n)) + part*law.Floor(shares, int64(n)+1)
}

// curve places contexts on the curve of merging, at the mean gap between samples.
// Contexts that are never off the stack have no place there.
func curve(contexts []score.ContextCalls, gap time.Duration, cells []*cell) (points []CurvePoint) {
	for i, c := range contexts {
		on, off := float64(c.On)/float64(c.Calls), float64(c.Off)/float64(c.Calls)
		if on <= 0 || off <= 0 {
			continue
		}
		var reported int64
		for _, cell := range cells {
			reported += cell.calls[i]
		}
		points = append(points, CurvePoint{
			X: float64(gap) * (on + off) / (on * off),
			Y: float64(reported) / float64(len(cells)) / float64(c.Calls),
		})
	}
	return points
}
