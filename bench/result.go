package bench

import (
	"math"
	"time"
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
	Truth  Truth
	Cells  []Cell
	Rows   []Row
	Cut    bool // the sweep was interrupted: the truth is what had been read
	Phases int
	Seed   uint64
}

func newResult(cfg *Config, cells []*cell, relay *relay, j *job) *Result {
	r := &Result{Cut: relay.cut, Phases: cfg.Phases, Seed: cfg.Seed}
	r.Truth = j.reference.truth()
	r.Truth.Events = relay.events
	methods, contexts := shares(j.reference.methodT.exclusive), shares(j.reference.self)
	for from := 0; from < len(cells); from += cfg.Phases {
		row := cells[from : from+cfg.Phases]
		scores := make([]Scores, len(row))
		for i, c := range row {
			scores[i] = c.Scores
		}
		// The floor is a smooth function of the number of samples, so one value
		// serves the row.
		ideal := meanOf(scores)
		j.reference.floors(&ideal, methods, contexts)
		for i, c := range row {
			s := &c.Scores
			s[Floor], s[FloorPaths] = ideal[Floor], ideal[FloorPaths]
			s[Relative], s[RelativePaths] = s[Overlap]/s[Floor], s[OverlapPaths]/s[FloorPaths]
			scores[i] = *s
			r.Cells = append(r.Cells, c.Cell)
		}
		r.Rows = append(r.Rows, newRow(row[0].Cell, scores, cfg.Seed))
	}
	return r
}

func newRow(first Cell, scores []Scores, seed uint64) Row {
	row := Row{Mode: first.Mode, Device: first.Device, Interval: first.Interval, Cells: len(scores)}
	row.Mean = meanOf(scores)
	row.StdDev = stdDevOf(scores, row.Mean)
	row.Low, row.High = bootstrap(scores, seed)
	return row
}

func (r *reference) truth() Truth {
	t := Truth{Length: r.course.end, Calls: r.calls, Time: r.total}
	for _, n := range r.methodT.calls {
		if n > 0 {
			t.Methods++
		}
	}
	for _, life := range r.course.threads {
		if life.path != 0 {
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
