package bench

import (
	"cmp"
	"math"
	"slices"
	"time"

	"artifice/internal/resample"
	"artifice/tracer/device"
)

// Advice states which modes reach the goal on one device, and at which cost.
type Advice struct {
	Device string
	Goal   Goal
	byCPU  bool         // running time is CPU time, for modes that record it
	Modes  []ModeAdvice // in the order of the sweep
	Best   int          // index of the cheapest mode that reaches the goal within the budget; -1: none
	Near   int          // without a best mode, the index of the closest; -1: none can be advised

	byOverhead bool // modes are compared by CPU overhead, because the slowdown is a wide range
	several    bool // the result has several devices
}

// ModeAdvice states whether one mode reaches the goal, at which intervals and at which cost.
type ModeAdvice struct {
	Mode string

	// Limit is the longest interval at which samples reach the goal, with its 95 % bootstrap
	// interval. The share of traces that reach the goal is interpolated linearly over the logarithm
	// of the interval, between two intervals of the sweep. 0: shorter than all; [Beyond]: longer
	// than all. Modes that do not sample have none.
	Limit [3]time.Duration

	Shortest, Longest time.Duration // intervals that were tried; 0: it does not sample

	At      Row  // the cheapest row that reaches the goal; if none does, the closest one
	Reached bool // At reaches the goal
	blind   bool // the goal is about CPU time, but this mode has no CPU clock
	Fits    bool // At is within the budget

	rows  []Row        // in ascending order of the interval
	worst []wrongShare // of At: the methods with the largest errors of running time, in descending order

	// Within is the closest row within the budget if At exceeds the budget; else nil.
	Within *Row

	// the row of the shortest interval that reaches the goal in this run but not in validation
	// runs, or nil
	unconfirmed *Row

	hottest []string // methods, those with the most running time

	near, nearWithin float64 // [Row.nearness] of At and Within
}

// wrongShare is a method's true share of running time, and the mean of the reported shares.
type wrongShare struct {
	name            string
	truth, reported float64
}

// wrongShares returns the hottest methods with the largest mean errors of a row.
func (r *Result) wrongShares(row Row) (list []wrongShare) {
	for i, share := range row.running {
		if m := r.Methods[i]; !math.IsNaN(share) {
			list = append(list, wrongShare{m.Name, m.Running, share})
		}
	}
	slices.SortStableFunc(list, func(a, b wrongShare) int {
		return cmp.Compare(math.Abs(b.reported-b.truth), math.Abs(a.reported-a.truth))
	})
	return list[:min(fewMissed, len(list))]
}

// Beyond is a limit that no interval of the sweep reaches.
const Beyond = time.Duration(math.MaxInt64)

// Advise returns advice for each device, from the rows of all modes. Discontinued tracers and
// tracers with unknown cost are described, but not recommended: an unknown cost is not a cost of 0.
// A sampled truth and one of sections yield no advice ([Result.NoAdvice]).
func (r *Result) Advise() []Advice {
	var list []Advice
	if r.Sampled || r.Marked {
		return nil
	}
	for _, row := range r.Rows {
		_, known := ModeByName(row.Mode)
		if known && !slices.ContainsFunc(list, func(a Advice) bool { return a.Device == row.Device }) {
			list = append(list, r.advise(row.Device))
		}
	}
	for i := range list {
		list[i].several = len(list) > 1
	}
	return list
}

func (r *Result) advise(device string) Advice {
	a := Advice{Device: device, Goal: r.Goal, byCPU: r.Truth.Running.ByCPU, Best: -1, Near: -1, byOverhead: r.byOverhead}
	var modes []string
	rows := map[string][]Row{}
	for _, row := range r.Rows {
		if _, ok := ModeByName(row.Mode); !ok || row.Device != device {
			continue
		}
		if len(rows[row.Mode]) == 0 {
			modes = append(modes, row.Mode)
		}
		rows[row.Mode] = append(rows[row.Mode], row)
	}
	for _, m := range modes {
		slices.SortStableFunc(rows[m], func(a, b Row) int { return cmp.Compare(a.Interval, b.Interval) })
		a.Modes = append(a.Modes, r.modeAdvice(rows[m]))
	}
	if a.Goal.assumed {
		a.chooseBest()
	} else {
		a.choose()
	}
	return a
}

// choose finds the best mode and the closest; modes within the budget precede others.
func (a *Advice) choose() {
	near := math.Inf(-1)
	for i, w := range a.Modes {
		if !w.advisable() || w.blind {
			continue
		}
		value, fits := w.near, w.Fits
		if w.Within != nil {
			value, fits = w.nearWithin, true
		}
		if !fits {
			value -= 2 // ranks after all modes within the budget
		}
		if value > near {
			a.Near, near = i, value
		}
		if w.Reached && w.Fits && (a.Best < 0 || a.Goal.better(w.At, a.Modes[a.Best].At)) {
			a.Best = i
		}
	}
}

// better reports whether, of two rows that reach the goal, a is the better recommendation: the
// cheaper one or, if the goal is only a budget, the more accurate.
func (g *Goal) better(a, b Row) bool {
	if g.Wanted == 0 {
		return a.Mean[OverlapRunning] > b.Mean[OverlapRunning]
	}
	return a.added() < b.added()
}

// advisable reports whether the mode can trace an app on a phone, at a known cost.
func (w *ModeAdvice) advisable() bool {
	m, _ := ModeByName(w.Mode)
	return !m.Control && !m.Desktop && m.Discontinued == "" && w.At.costs != device.Unknown
}

// modeAdvice returns the advice on one mode from its rows, in ascending order of the interval.
func (r *Result) modeAdvice(rows []Row) ModeAdvice {
	g := &r.Goal
	w := ModeAdvice{Mode: rows[0].Mode, Shortest: rows[0].Interval, Longest: rows[len(rows)-1].Interval, rows: rows}
	switch {
	case g.assumed:
		w.At, w.blind = rows[0], r.Truth.Running.ByCPU && !rows[0].ByCPU
		return w
	case g.Wanted == 0:
		return r.cheap(w, rows)
	}
	for i := range rows {
		rows[i].Reaching = r.reaching(rows[i].Key())
	}
	if rows[0].Interval > 0 {
		w.Limit = r.limit(rows)
	}
	w.unconfirmed = unconfirmed(rows)
	w.At = rows[0]
	first := slices.IndexFunc(rows, g.Reached)
	w.Reached = first >= 0
	if !w.Reached {
		w.At = slices.MaxFunc(rows, func(a, b Row) int { return cmp.Compare(a.nearness(g), b.nearness(g)) })
	} else {
		// An interval above one that misses the goal is not recommended, even if it reaches the
		// goal by chance.
		for _, row := range rows[first:] {
			if !g.Reached(row) {
				break
			}
			w.At = row
		}
	}
	w.near = w.At.nearness(g)
	w.worst = r.wrongShares(w.At)
	for _, m := range r.Methods[:min(hotCount, len(r.Methods))] {
		w.hottest = append(w.hottest, m.Name)
	}
	if w.blind = g.Measure == OverlapRunning && r.Truth.Running.ByCPU && !w.At.ByCPU; w.blind {
		w.Reached, w.Limit = false, [3]time.Duration{}
	}
	if w.Fits = g.Fits(w.At); !w.Fits {
		if w.Within = nearestWithin(rows, g, func(row Row) float64 { return row.nearness(g) }); w.Within != nil {
			w.nearWithin = w.Within.nearness(g)
		}
	}
	return w
}

// nearness orders rows by their distance from the goal: by the share of traces that reach it, if
// that is at least half, also in validation runs; then by the mean of the measure; then by the
// running time correctly attributed.
func (row *Row) nearness(g *Goal) float64 {
	near := row.Mean[g.Measure]/1e3 + row.Mean[OverlapRunning]/1e6
	// for these measures the mean is the share of traces
	if g.Measure == HottestInOrder || g.Measure == NamedSeen {
		near = row.Mean[OverlapRunning] / 1e6
	}
	reaching := row.Reaching
	if row.confirmed != nil {
		reaching = min(reaching, row.confirmed.reaching)
	}
	if reaching >= 0.5 {
		near += reaching
	}
	return near
}

// nearestWithin returns the row within the budget with the highest value, or nil.
func nearestWithin(rows []Row, g *Goal, value func(Row) float64) (best *Row) {
	for i := range rows {
		if g.Fits(rows[i]) && (best == nil || value(rows[i]) > value(*best)) {
			best = &rows[i]
		}
	}
	return best
}

// cheap is modeAdvice for a goal that is only a budget: the most accurate row within it, or else
// the cheapest.
func (r *Result) cheap(w ModeAdvice, rows []Row) ModeAdvice {
	right := func(row Row) float64 { return row.Mean[OverlapRunning] }
	if best := nearestWithin(rows, &r.Goal, right); best != nil {
		w.At, w.Reached, w.Fits, w.near = *best, true, true, right(*best)
		w.blind = r.Truth.Running.ByCPU && !w.At.ByCPU
		return w
	}
	w.At = slices.MinFunc(rows, func(a, b Row) int { return cmp.Compare(a.added(), b.added()) })
	w.near = right(w.At)
	return w
}

// limit returns the longest interval that reaches the goal in the share of traces that is [Sure],
// with its 95 % bootstrap interval: every resample draws the same phases of all rows.
func (r *Result) limit(rows []Row) (limit [3]time.Duration) {
	cells := make([][]float64, len(rows))
	means := make([]float64, len(rows))
	for i, row := range rows {
		cells[i] = r.values(row.Key(), r.Goal.Measure)
		for k, v := range cells[i] { // 1: this trace reaches the goal
			cells[i][k] = 0
			if r.Goal.reachedBy(v) {
				cells[i][k] = 1
			}
		}
		means[i] = mean(cells[i])
	}
	limit[0] = longest(rows, means, Sure)
	var limits []time.Duration
	bootstrap(len(cells[0]), r.Seed, 0x6c696d6974, func(places []int) {
		for i := range cells {
			means[i] = meanAt(cells[i], places)
		}
		limits = append(limits, longest(rows, means, Sure))
	})
	limit[1], limit[2] = resample.Interval95(limits)
	return limit
}

// longest returns the interval at which the mean of a measure falls below wanted, after it first
// reached it. Rows are in ascending order of the interval.
func longest(rows []Row, means []float64, wanted float64) time.Duration {
	reached := func(v float64) bool { return v >= wanted-rounding }
	first := slices.IndexFunc(means, reached)
	if first < 0 {
		return 0
	}
	n := slices.IndexFunc(means[first:], func(v float64) bool { return !reached(v) })
	if n < 0 {
		return Beyond
	}
	i := first + n
	part := (means[i-1] - wanted) / (means[i-1] - means[i])
	from, to := float64(rows[i-1].Interval), float64(rows[i].Interval)
	return time.Duration(math.Round(from * math.Pow(to/from, part)))
}

// chooseBest chooses, for a sweep without a goal, the row that is at least as accurate as every
// other one and costs no more. Most sweeps have no such row, because a shorter interval costs more
// and is more accurate.
func (a *Advice) chooseBest() {
	if a.comparableRows() < 2 {
		return
	}
	for i := range a.Modes {
		w := &a.Modes[i]
		for _, row := range w.rows {
			if w.comparable() && a.bestOfAll(row) {
				w.At, a.Best = row, i
				return
			}
		}
	}
}

// comparable reports whether accuracy and cost of a mode can be compared with those of others.
func (w *ModeAdvice) comparable() bool { return w.advisable() && !w.blind }

// comparableRows returns the number of rows between which a sweep chooses.
func (a *Advice) comparableRows() (n int) {
	for i := range a.Modes {
		if w := &a.Modes[i]; w.comparable() {
			n += len(w.rows)
		}
	}
	return n
}

// bestOfAll reports whether no comparable row is more accurate than row or costs less.
func (a *Advice) bestOfAll(row Row) bool {
	return !slices.ContainsFunc(a.Modes, func(w ModeAdvice) bool { return w.comparable() && !row.worseNowhere(w.rows) })
}

// noWorse reports whether a row is at least as accurate as another and costs no more, in the digits
// of the table.
func (row Row) noWorse(other Row) bool {
	return row.Mean[OverlapRunning] >= other.Mean[OverlapRunning] && row.added() <= other.added()+digits/2
}

// better returns a comparable row of another mode that is no worse than all rows of the mode i;
// nil: there is none.
func (a *Advice) better(i int) (best *Row) {
	for k := range a.Modes {
		w := &a.Modes[k]
		if k == i || !w.comparable() {
			continue
		}
		for r := range w.rows {
			if row := &w.rows[r]; row.worseNowhere(a.Modes[i].rows) && (best == nil || row.added() < best.added()) {
				best = row
			}
		}
	}
	return best
}

// worseNowhere reports whether a row is no worse than each of others.
func (row *Row) worseNowhere(others []Row) bool {
	return !slices.ContainsFunc(others, func(other Row) bool { return !row.noWorse(other) })
}
