// Package sweep says what the sweeps of package bench over many traces come to: how
// each measure is spread over the traces of a group, and the longest interval at which
// nearly all of them reach a goal.
//
// A trace counts once, however long it is. Intervals are 95 % bootstrap intervals of
// traces: what another sample of as many traces of the same fleet would say. How sure
// the sweep of each trace is by itself is told by artifice bench.
package sweep

import (
	"cmp"
	"math"
	"slices"
	"time"

	"artifice/bench"
	"artifice/internal/resample"
)

// Key names a way of tracing: a line of artifice bench.
type Key struct {
	Mode, Device string
	Interval     time.Duration // nominal; 0: the mode has none
}

// Trace is the sweep of one trace.
type Trace struct {
	Index  int // in the list of the fleet
	Rows   []Row
	Limits []Limit
}

// Row is one line of it.
type Row struct {
	Key
	Mean     bench.Scores
	Reaching float64 // share of the recordings of it that reach the goal: see [bench.Row]
}

// Limit is the longest interval at which samples reach the goal: see [bench.Way].
type Limit struct {
	Mode, Device string
	At           time.Duration
}

// Of returns what is kept of a sweep.
func Of(index int, r *bench.Result) Trace {
	t := Trace{Index: index}
	for _, row := range r.Rows {
		t.Rows = append(t.Rows, Row{Key{row.Mode, row.Device, row.Interval}, row.Mean, row.Reaching})
	}
	for _, a := range r.Advise() {
		for _, w := range a.Ways {
			if w.At.Interval > 0 {
				t.Limits = append(t.Limits, Limit{w.Mode, a.Device, w.Limit[0]})
			}
		}
	}
	return t
}

// Spread is how a measure is spread over traces: the value that a tenth, half and nine
// tenths of them have at most, each with the ends of its 95 % interval.
type Spread struct {
	Traces           int // to which the measure applies
	P10, Median, P90 [3]float64
}

// Line is a line of a group's table.
type Line struct {
	Key
	Reached [3]float64 // share of the traces that reach the goal, with its interval
	Spreads []Spread   // by measure
}

// Group is what the traces of a group come to.
type Group struct {
	Labels []string // values
	Traces int
	Goal   bench.Goal
	Lines  []Line
	Advice []Advice
}

// Share is how many of the traces are to reach the goal.
const Share = 0.95

// Advice is the longest interval at which a way to sample reaches the goal in [Share] of
// the traces. 0: shorter than all that were tried; [bench.Beyond]: longer.
type Advice struct {
	Mode, Device      string
	Limit             [3]time.Duration // with its interval
	Shortest, Longest time.Duration    // that were tried
}

// The resamples of a bootstrap.
const (
	resamples = 1000
	stream    = 0x666c656574
)

// Summarize sums the traces of a group up. The same traces give the same, in any order.
func Summarize(labels []string, traces []Trace, goal bench.Goal, seed uint64) Group {
	slices.SortFunc(traces, func(a, b Trace) int { return cmp.Compare(a.Index, b.Index) })
	g := Group{Labels: labels, Traces: len(traces), Goal: goal}
	if len(traces) == 0 {
		return g
	}
	draws := drawn(len(traces), seed)
	values := make([]float64, len(traces))
	for i, row := range traces[0].Rows {
		line := Line{Key: row.Key}
		for m := range row.Mean {
			for k := range traces {
				values[k] = traces[k].Rows[i].Mean[m]
			}
			line.Spreads = append(line.Spreads, spread(values, draws))
		}
		line.Reached = reached(traces, i, &goal, draws)
		g.Lines = append(g.Lines, line)
	}
	for i := range traces[0].Limits {
		for k := range traces {
			values[k] = float64(traces[k].Limits[i].At)
		}
		g.Advice = append(g.Advice, advise(&traces[0], i, values, draws))
	}
	return g
}

// drawn returns how often each of n traces was drawn, for each resample.
func drawn(n int, seed uint64) (draws [][]uint16) {
	for places := range resample.Draw(n, n, resamples, seed, stream) {
		counts := make([]uint16, n)
		for _, place := range places {
			counts[place]++
		}
		draws = append(draws, counts)
	}
	return draws
}

// advise returns the advice for the way to sample of a trace's limit i, by this limit of
// all traces.
func advise(t *Trace, i int, limits []float64, draws [][]uint16) Advice {
	l := &t.Limits[i]
	a := Advice{Mode: l.Mode, Device: l.Device}
	for k, v := range quantiles(limits, draws, 1-Share) { // at least Share of the traces have this limit or a longer one
		a.Limit[k] = time.Duration(v)
		if v >= math.MaxInt64 { // which no float64 is exactly
			a.Limit[k] = bench.Beyond
		}
	}
	for _, row := range t.Rows {
		if row.Mode == l.Mode && row.Device == l.Device {
			a.Longest = max(a.Longest, row.Interval)
			if a.Shortest == 0 || row.Interval < a.Shortest {
				a.Shortest = row.Interval
			}
		}
	}
	return a
}

// reached is the share of the traces that reach the goal in row i.
func reached(traces []Trace, i int, goal *bench.Goal, draws [][]uint16) (share [3]float64) {
	var of [resamples]float64
	for k := range traces {
		if !goal.Reached(bench.Row{Reaching: traces[k].Rows[i].Reaching}) {
			continue
		}
		share[0] += 1 / float64(len(traces))
		for d, counts := range draws {
			of[d] += float64(counts[k]) / float64(len(traces))
		}
	}
	share[0] = min(share[0], 1) // sums of shares may be off by rounding
	share[1], share[2] = resample.Interval95(of[:])
	share[2] = min(share[2], 1)
	return share
}

// spread is that of values of which each trace has one, NaN where the measure does not
// apply.
func spread(values []float64, draws [][]uint16) Spread {
	s := Spread{}
	for _, v := range values {
		if !math.IsNaN(v) {
			s.Traces++
		}
	}
	s.P10, s.Median, s.P90 = quantiles(values, draws, 0.1), quantiles(values, draws, 0.5), quantiles(values, draws, 0.9)
	return s
}

// quantiles returns the least value that more than a part of the values do not exceed,
// and the ends of its interval. NaN does not count.
func quantiles(values []float64, draws [][]uint16, part float64) [3]float64 {
	var order []int
	for i, v := range values {
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	if len(order) == 0 {
		return [3]float64{math.NaN(), math.NaN(), math.NaN()}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	var of []float64
	for _, counts := range draws {
		total := 0
		for _, i := range order {
			total += int(counts[i])
		}
		if total == 0 {
			continue // only traces were drawn that the measure does not apply to
		}
		rest := below(part, total)
		for _, i := range order {
			if rest -= int(counts[i]); rest < 0 {
				of = append(of, values[i])
				break
			}
		}
	}
	low, high := math.NaN(), math.NaN()
	if len(of) == resamples {
		low, high = resample.Interval95(of)
	}
	return [3]float64{values[order[below(part, len(order))]], low, high}
}

// below is how many of n values lie below the quantile.
func below(part float64, n int) int { return int(math.Floor(part*float64(n) + 1e-9)) }
