package bench

import (
	"context"
	"math"
	"slices"
	"time"

	"artifice/bench/internal/law"
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
	Index    int           // index among its row's cells
	Phase    time.Duration // app time of the first sample
	Scores   Scores
	named    score.NamedTime // time of the methods named by the goal
}

// Row is the result of cells that differ only in phase and seed.
type Row struct {
	Mode     string
	Device   string
	Interval time.Duration
	Cells    int
	Mean     Scores
	StdDev   Scores // standard deviation of one cell; 0 for a single cell
	Low      Scores // 95 % confidence interval of the mean, by bootstrap
	High     Scores
	costs    device.Kind // certainty of the tracer's costs
	// running time is CPU time; else it is the wall time of methods that do not wait
	ByCPU bool
	// shares of Result.Methods as reported in the row's first cell, without names
	Shares []score.MethodShare
	// for the contexts with the most calls; only for rows with an interval
	Curve     []CurvePoint
	running   []float64      // mean reported share of running time of each of Result.Methods
	Range     Range          // range of the slowdown, for recorded truths
	missed    []missedMethod // methods of the goal that some cells miss
	Reaching  float64        // share of its cells, each a separate trace, that reach the goal
	confirmed *confirmation  // result in validation runs; nil: not validated
	Law       Scores         // mean predicted by the closed forms; NaN without a law

	measured [numMeasures]law.Estimate // mean with its standard error, for measures with a law
	counts   [numMeasures]counted      // counts of these measures

	byOverhead bool // Result.byOverhead of the row's result
}

// CurvePoint is one calling context at one interval: a point to compare with the curve
// [law.Universal].
type CurvePoint struct {
	X float64 // interval over the context's correlation time, from its mean times on and off the stack
	Y float64 // reported calls per true call, averaged over the row's cells
}

// Result is the outcome of a sweep.
type Result struct {
	Truth   score.Truth
	Methods []score.MethodShare // methods with the most running time, hottest first
	Cells   []Cell
	Rows    []Row
	Goal    Goal
	Cut     bool // the sweep was interrupted: the truth is the part read before that
	NoLaws  bool // it was interrupted before the laws of all rows were computed

	// Unconfirmed is set if the sweep was interrupted before [Result.Confirm] had validated the
	// advice on other runs.
	Unconfirmed bool
	// the truth itself was sampled, as stated by the caller of [Run]; it lacks calls, so there is
	// no advice
	Sampled bool
	// the truth consists of sections of code instead of calls ([trace.Info]), as stated by the
	// caller of [Run]; there is no advice
	Marked bool
	Live   bool // each tracer had a separate run ([Config.Live])
	Phases int
	Seed   uint64

	// Ruled is the time of waits by the rules that samplers apply to the ends of waits in a
	// recorded truth; the zero value is unknown.
	Ruled recorder.WaitTotals

	// byOverhead is set if slowdowns are too uncertain: over all rows together, at least half of
	// the time added to the run depends on how waits end. Tracers are then compared by the added
	// running time ([Row.added]).
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
		if laws != nil && !r.Cut && !r.NoLaws { // the laws are about the whole truth
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

// meanRunning returns the mean over cells of the reported shares of running time.
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

// runningShares are the true shares of running time, for rows with CPU time and for rows without.
type runningShares struct {
	shares [2][]float64 // index 1 is for CPU time
	ofTime [2]float64   // share of running time in the time in methods
}

func newRunningShares(r *score.Reference) (s runningShares) {
	s.shares[0], s.ofTime[0] = r.RunningShares(false)
	if r.Truth().Running.ByCPU {
		s.shares[1], s.ofTime[1] = r.RunningShares(true)
	}
	return s
}

// of returns the shares, and the number of samples that find a thread running.
func (s *runningShares) of(byCPU bool, samples float64) ([]float64, float64) {
	i := 0
	if byCPU {
		i = 1
	}
	return s.shares[i], samples * s.ofTime[i]
}

// floorAt is the expected overlap of a random sampler without cost, for a number of samples. It
// interpolates, because a mean number of samples need not be an integer.
func floorAt(shares []float64, samples float64) float64 {
	if math.IsNaN(samples) {
		return math.NaN()
	}
	n, part := math.Modf(samples)
	return (1-part)*law.Floor(shares, int64(n)) + part*law.Floor(shares, int64(n)+1)
}

// curve computes the curve points of contexts at the mean gap between samples. Contexts that are
// never off the stack have no point.
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
