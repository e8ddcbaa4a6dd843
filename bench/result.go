package bench

import (
	"math"
	"slices"
	"time"

	"artifice/bench/metric"
	"artifice/bench/theory"
)

// Cell is one tracer's result.
type Cell struct {
	Mode     string
	Device   string
	Interval time.Duration // nominal
	Index    int           // which of its row's cells
	Phase    time.Duration // app time of the first sample
	Scores   Scores
}

// Row is the result of cells that differ in nothing but phase and seed.
type Row struct {
	Mode     string
	Device   string
	Interval time.Duration
	Cells    int
	Mean     Scores
	StdDev   Scores // of one cell; 0 with a single one
	Low      Scores // 95 % confidence interval of the mean, by bootstrap
	High     Scores
	Shares   []float64    // reported shares of Result.Methods, in the row's first cell
	Curve    []CurvePoint // of the contexts with the most calls; only for rows with an interval
	Law      Scores       // what the closed forms say of the mean; NaN where they say nothing
}

// Truth is what was watched.
type Truth struct {
	Length  time.Duration // from start to end
	Events  int64
	Threads int // with events
	Methods int // called
	Paths   int // distinct calling contexts
	Calls   int64
	Time    time.Duration // of all threads, in methods
}

// Result is the outcome of a sweep.
type Result struct {
	Truth   Truth
	Methods []MethodShare // those with the most time, the hottest first
	Cells   []Cell
	Rows    []Row
	Cut     bool // the sweep was interrupted: the truth is what had been read
	Phases  int
	Seed    uint64
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

func newResult(cfg *Config, rows [][]*cell, relay *relay, reference *reference, laws *lawJob) *Result {
	r := &Result{Cut: relay.cut, Phases: cfg.Phases, Seed: cfg.Seed}
	r.Truth = reference.truth()
	r.Truth.Events = relay.events
	r.Methods = reference.methodShares()
	methods, contexts := shares(reference.methodT.exclusive), shares(reference.self)
	for i, cells := range rows {
		scores := make([]Scores, len(cells))
		for k, c := range cells {
			scores[k] = c.Scores
		}
		// The floor is a smooth function of the number of samples, so one value
		// serves the row.
		ideal := meanOf(scores)
		reference.floors(&ideal, methods, contexts)
		for k, c := range cells {
			s := &c.Scores
			s[Floor], s[FloorPaths] = ideal[Floor], ideal[FloorPaths]
			s[Relative] = metric.RelativeOverlap(s[Overlap], s[Floor])
			s[RelativePaths] = metric.RelativeOverlap(s[OverlapPaths], s[FloorPaths])
			scores[k] = *s
			r.Cells = append(r.Cells, c.Cell)
		}
		first := cells[0]
		row := newRow(first.Cell, scores, cfg.Seed)
		row.Shares = first.detail.shares
		if laws != nil && !r.Cut { // they are of the whole truth
			row.Law = laws.expected(i, &first.mode, first.config)
			if gaps := laws.rows[i]; gaps.mean > 0 {
				row.Curve = reference.curve(gaps.mean, cells)
			}
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}

func newRow(first Cell, scores []Scores, seed uint64) Row {
	row := Row{Mode: first.Mode, Device: first.Device, Interval: first.Interval, Cells: len(scores), Law: noScores()}
	row.Mean = meanOf(scores)
	row.StdDev = stdDevOf(scores, row.Mean)
	row.Low, row.High = bootstrap(scores, seed)
	return row
}

// gapRounding is the relative error of a law whose gaps are whole ns.
const gapRounding = 1e-6

// Cells that all came to the same but for rounding have no standard error, and a
// law's edge term, of a truth that begins and ends somewhere, shows bare.
const (
	sameDigits = 1e-12
	edgeTerm   = 1e-3
)

// Z returns how many standard errors the row's mean is off what the law says,
// as [theory.ZScore] counts them, and whether there is a law and an error to
// measure it by. The cells count as independent; stratified phases are better
// than that, so it is rather too small.
func (r Row) Z(m Measure) (z float64, ok bool) {
	if math.IsNaN(r.Law[m]) || math.IsNaN(r.Mean[m]) || r.Cells < 2 {
		return 0, false
	}
	e := r.estimate(m)
	z = theory.ZScore(e, r.Law[m], gapRounding*math.Abs(r.Law[m]))
	mean := math.Abs(r.Mean[m])
	return z, z == 0 || e.StdErr > sameDigits*mean || math.Abs(r.Mean[m]-r.Law[m]) > edgeTerm*mean
}

// estimate returns the row's mean with its standard error.
func (r Row) estimate(m Measure) theory.Estimate {
	return theory.Estimate{Value: r.Mean[m], StdErr: r.StdDev[m] / math.Sqrt(float64(r.Cells)), N: r.Cells}
}

func (r *reference) truth() Truth {
	t := Truth{Length: r.course.end, Calls: r.calls, Time: r.total}
	for _, n := range r.methodT.calls {
		if n > 0 {
			t.Methods++
		}
	}
	for _, life := range r.course.threads {
		if life.began() {
			t.Threads++
		}
	}
	t.Paths = r.course.table.Len() - 1 - t.Threads
	return t
}

// meanOf averages scores; a measure that does not apply to all is NaN.
func meanOf(list []Scores) (mean Scores) {
	for _, s := range list {
		for m := range s {
			mean[m] += s[m]
		}
	}
	for m := range mean {
		mean[m] /= float64(len(list))
	}
	return mean
}

func stdDevOf(list []Scores, mean Scores) (sd Scores) {
	if len(list) < 2 {
		return sd
	}
	for _, s := range list {
		for m := range s {
			sd[m] += (s[m] - mean[m]) * (s[m] - mean[m]) / float64(len(list)-1)
		}
	}
	for m := range sd {
		sd[m] = math.Sqrt(sd[m])
	}
	return sd
}
