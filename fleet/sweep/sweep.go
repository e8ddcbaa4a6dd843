// Package sweep summarizes the sweeps of package bench over many traces: the distribution of each
// measure over the traces of a group, and the longest interval at which nearly all of them reach a
// goal.
//
// Each trace counts once, regardless of its length. Intervals are 95 % bootstrap intervals over
// traces: they cover the variation between samples of this number of traces from the same fleet.
// The uncertainty of the sweep of a single trace is in the output of artifice bench.
package sweep

import (
	"cmp"
	"math"
	"slices"
	"time"

	"artifice/bench"
	"artifice/internal/resample"
)

// Key identifies a tracer and its interval: a line of artifice bench.
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

// Row is one line of a Trace.
type Row struct {
	Key
	Mean     bench.Scores
	Reaching float64 // share of its recordings that reach the goal: see [bench.Row]
}

// Limit is the longest interval at which a sampling mode reaches the goal: see [bench.ModeAdvice].
type Limit struct {
	Mode, Device string
	At           time.Duration
}

// Of returns the parts of a sweep that the summary needs.
func Of(index int, r *bench.Result) Trace {
	t := Trace{Index: index}
	for _, row := range r.Rows {
		t.Rows = append(t.Rows, Row{Key{row.Mode, row.Device, row.Interval}, row.Mean, row.Reaching})
	}
	for _, a := range r.Advise() {
		for _, w := range a.Modes {
			if w.At.Interval > 0 {
				t.Limits = append(t.Limits, Limit{w.Mode, a.Device, w.Limit[0]})
			}
		}
	}
	return t
}

// Spread is the distribution of a measure over traces: the 10th percentile, the median and the
// 90th percentile, each with the ends of its 95 % interval.
type Spread struct {
	Traces           int // number of traces to which the measure applies
	P10, Median, P90 [3]float64
}

// Line is a line of a group's table.
type Line struct {
	Key
	Reached [3]float64 // share of the traces that reach the goal, with its interval
	Spreads []Spread   // by measure
}

// Group is the summary of the traces of a group.
type Group struct {
	Labels []string // values
	Traces int
	Goal   bench.Goal
	Lines  []Line
	Advice []Advice
}

// Share is the share of traces that must reach the goal.
const Share = 0.95

// Advice is the longest interval at which a sampling mode reaches the goal in [Share] of the
// traces. 0: shorter than all intervals tried; [bench.Beyond]: longer.
type Advice struct {
	Mode, Device      string
	Limit             [3]time.Duration // with its interval
	Shortest, Longest time.Duration    // of the intervals tried
}

// Parameters of the bootstrap.
const (
	resamples = 1000
	stream    = 0x666c656574
)

// Summarize summarizes the traces of a group. The result does not depend on their order.
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

// drawn returns, for each resample, the number of times that each of n traces was drawn.
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

// advise returns the advice for the sampling mode of a trace's limit i, given this limit for all
// traces.
func advise(t *Trace, i int, limits []float64, draws [][]uint16) Advice {
	l := &t.Limits[i]
	a := Advice{Mode: l.Mode, Device: l.Device}
	for k, v := range quantiles(limits, draws, 1-Share) { // at least Share of the traces have this limit or a longer one
		a.Limit[k] = time.Duration(v)
		if v >= math.MaxInt64 { // no float64 equals it exactly
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

// reached returns the share of the traces that reach the goal in row i, with its interval.
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
	share[0] = min(share[0], 1) // sums of shares may exceed 1 by rounding
	share[1], share[2] = resample.Interval95(of[:])
	share[2] = min(share[2], 1)
	return share
}

// spread returns the distribution of values, one for each trace, NaN if the measure does not
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

// quantiles returns the quantile at part, the smallest value such that more than that share of the
// values do not exceed it, and the ends of its interval. It ignores NaN.
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
			continue // the measure applies to none of the drawn traces
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

// below returns how many of n values are below the quantile.
func below(part float64, n int) int { return int(math.Floor(part*float64(n) + 1e-9)) }
