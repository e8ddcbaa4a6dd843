package device

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"gonum.org/v1/gonum/stat"

	"artifice/instrument"
	"artifice/trace"
)

// maxGaps is the maximum number of gaps kept.
const maxGaps = 1 << 20

// gaps collects the times between adjacent events of a thread: the cost of one event plus the app's
// own work in between.
type gaps struct {
	wall, cpu []time.Duration
	last      []trace.Event // by thread
	seen      []bool
	kinds     map[gapKind]*kindGaps
}

// gapKind identifies two adjacent events of a thread. The app's work between them is nearly
// constant.
type gapKind struct {
	from, to trace.MethodID
	actions  [2]trace.Action
}

// kindGaps are the gaps of a kind. Every other gap is in the second half, so that a kind can be
// chosen by one half and measured by the other.
type kindGaps struct {
	halves [2]struct {
		n                       int
		wall, cpu               time.Duration
		wallSquares, cpuSquares float64
	}
}

// maxKinds is the maximum number of kinds kept.
const maxKinds = 1 << 16

func (g *gaps) add(e trace.Event) {
	for int(e.Thread) >= len(g.last) {
		g.last, g.seen = append(g.last, trace.Event{}), append(g.seen, false)
	}
	last := g.last[e.Thread]
	if g.seen[e.Thread] && len(g.wall) < maxGaps {
		wall, cpu := e.Wall-last.Wall, e.CPU-last.CPU
		g.wall, g.cpu = append(g.wall, wall), append(g.cpu, cpu)
		if wall < longestGap {
			g.addKind(gapKind{last.Method, e.Method, [2]trace.Action{last.Action, e.Action}}, wall, cpu)
		}
	}
	g.last[e.Thread], g.seen[e.Thread] = e, true
}

func (g *gaps) addKind(kind gapKind, wall, cpu time.Duration) {
	k := g.kinds[kind]
	if k == nil {
		if len(g.kinds) == maxKinds {
			return
		}
		if g.kinds == nil {
			g.kinds = map[gapKind]*kindGaps{}
		}
		k = &kindGaps{}
		g.kinds[kind] = k
	}
	half := &k.halves[0]
	if k.halves[1].n < half.n {
		half = &k.halves[1]
	}
	half.n++
	half.wall += wall
	half.cpu += cpu
	half.wallSquares += float64(wall) * float64(wall)
	half.cpuSquares += float64(cpu) * float64(cpu)
}

// Thresholds for the kinds of gaps used for an event's cost:
const (
	minOfHalf   = 40               // gaps in each half of a kind, for a mean that a single outlier does not determine
	minGaps     = 100              // gaps by each half
	shareOfGaps = 100              // or this fraction of all gaps: one in 100
	longestGap  = time.Millisecond // in a longer one the thread waited, or had no core
)

// kindMean is the mean of a kind of gaps.
type kindMean struct {
	kind         gapKind
	chosenBy     float64 // mean of one half
	n            int     // of the other half
	sum, squares float64
}

// cheapest estimates the cost of an event by the mean of the kinds with the shortest gaps: between
// these two events the app does next to nothing, for example in a leaf that returns a field. A
// quantile of all gaps would be in whole microseconds: gaps of 1.3 µs are 1 or 2. The mean of many
// gaps is unbiased, since the number of clock steps in a gap is on average proportional to its
// length. Some events take longer because of a cache miss or an interrupt; a run pays the mean, not
// the minimum.
func (g *gaps) cheapest(cpu bool) Estimate {
	var n int
	var sum, squares float64
	for half := range 2 {
		kinds := g.means(cpu, half)
		total := 0
		for _, k := range kinds {
			total += k.n
		}
		taken := 0
		for _, k := range kinds {
			if taken >= max(minGaps, total/shareOfGaps) {
				break
			}
			taken += k.n
			n, sum, squares = n+k.n, sum+k.sum, squares+k.squares
		}
	}
	if n == 0 {
		return Estimate{}
	}
	mean := sum / float64(n)
	reach := 1.96 * math.Sqrt(max(0, squares/float64(n)-mean*mean)/float64(n))
	reach += float64(time.Microsecond) / math.Sqrt(float64(n)) // stamps are rounded down, and their rounding errors are not independent
	return Estimate{time.Duration(mean), time.Duration(max(0, mean-reach)), time.Duration(mean + reach), n}
}

// means returns the kinds that are frequent enough, sorted by the mean of one of their halves, each
// with the mean of the other half: a kind that is shortest by chance is so in only one half.
func (g *gaps) means(cpu bool, half int) []kindMean {
	var kinds []kindMean
	for kind, k := range g.kinds {
		first, second := &k.halves[half], &k.halves[1-half]
		if k.halves[1].n < minOfHalf {
			continue
		}
		m := kindMean{kind, float64(first.wall) / float64(first.n), second.n, float64(second.wall), second.wallSquares}
		if cpu {
			m.chosenBy, m.sum, m.squares = float64(first.cpu)/float64(first.n), float64(second.cpu), second.cpuSquares
		}
		kinds = append(kinds, m)
	}
	slices.SortFunc(kinds, func(a, b kindMean) int {
		return cmp.Or(cmp.Compare(a.chosenBy, b.chosenBy), cmp.Compare(a.kind.from, b.kind.from), cmp.Compare(a.kind.to, b.kind.to),
			slices.Compare(a.kind.actions[:], b.kind.actions[:]))
	})
	return kinds
}

// InstrumentedTiming is the timing of the device of an instrumented trace.
type InstrumentedTiming struct {
	// Event is the cost of one event: the mean of the kinds of gaps between events of a thread that
	// are shortest, with its 95 % confidence interval. It includes the app's work in these gaps. It
	// is measured in CPU time if the trace has it, which waits do not lengthen.
	//
	// If no kind is frequent enough, it is the 10 % quantile of all gaps, its interval goes from
	// the 1 % to the 25 % quantile, and ByQuantile is set.
	Event      Estimate
	ByQuantile bool

	// UpperBound is set if the app's own work may be most of Event: the trace has no two events
	// with next to nothing between them. The interval then begins with ClockOverhead, because each
	// event reads the clocks.
	UpperBound bool

	// ClockOverhead is the part of Event that reads the clocks: Stated, which the trace states, but
	// at most Event. The runtime measures it when the trace starts, often on a slower core.
	ClockOverhead, Stated time.Duration

	clock trace.Clock // of the trace

	// Granularity is the resolution of the clocks; 0 is finer than 1 µs.
	Granularity time.Duration
}

// timing returns the estimates from the gaps; rec must have been read.
func (g *gaps) timing(rec *trace.Recording) *InstrumentedTiming {
	all := ascending(g.wall)
	if rec.Info.Clock.HasCPU() {
		all = ascending(g.cpu)
	}
	t := &InstrumentedTiming{
		Event:       g.cheapest(rec.Info.Clock.HasCPU()),
		Stated:      rec.Info.ClockOverhead,
		clock:       rec.Info.Clock,
		Granularity: granularity(all),
	}
	if t.Event.N == 0 {
		low, at, high := quantile(all, 0.01), quantile(all, 0.10), quantile(all, 0.25)
		t.Event, t.ByQuantile = Estimate{at.Value, low.Value, high.Value, len(all)}, true
	}
	t.ClockOverhead = t.Stated
	if t.Event.N > 0 {
		t.ClockOverhead = min(t.Stated, t.Event.Value)
	}
	if rec.Info.Clock.HasCPU() && t.ClockOverhead > 0 && t.Event.Value > maxClocks*t.ClockOverhead {
		t.UpperBound, t.Event.Low = true, t.ClockOverhead
	}
	return t
}

// maxClocks is the maximum ratio of an event's cost to reading the clocks, CPU time among them;
// anything longer is attributed to the app's own work. Traces of phones and of ART 11 have 1.4 to
// 3.9. The wall clock alone is read too fast for this test.
const maxClocks = 5

// granularity returns the resolution of a clock, given the differences of its readings in ascending
// order. If most differences are 0, the resolution is the mean of the differences of one step.
// Otherwise it is 1 µs, the unit of most traces, or 0 for a trace with a finer unit.
func granularity(all []float64) time.Duration {
	zeros := sort.Search(len(all), func(i int) bool { return all[i] > 0 })
	some := all[zeros:]
	if len(some) == 0 {
		return time.Microsecond
	}
	if zeros < len(some) {
		for _, d := range some {
			if time.Duration(d)%time.Microsecond != 0 {
				return 0
			}
		}
		return time.Microsecond
	}
	steps := sort.Search(len(some), func(i int) bool { return 2*some[i] >= 3*some[0] })
	return time.Duration(stat.Mean(some[:steps], nil))
}

// Cost returns the cost of the trace's own events, which instrument.Clean subtracts: the clocks
// alone if Event is an upper bound.
func (t *InstrumentedTiming) Cost() instrument.Cost {
	c := ClockCost(t.ClockOverhead, t.clock)
	c.Granularity, c.Compiled = t.Granularity, t.ClockOverhead
	if !t.UpperBound {
		c.Hook, c.Compiled = t.Event.Value-t.ClockOverhead, t.Event.Value
	}
	return c
}

// describe sets the values of device d that are estimated from the trace called source.
func (t *InstrumentedTiming) describe(d *Device, source string) {
	d.Instrumented = t.Cost()
	d.Instrumented.Compiled = 0 // that of apps, which the trace need not contain
	how := "mean of the closest pairs of events; %s to %s"
	if t.ByQuantile {
		how = "p10; p1 %s, p25 %s"
	}
	d.Sampling.ClockOverhead, d.Sampling.Granularity = t.ClockOverhead, t.Granularity
	hook := Measured
	if t.UpperBound {
		hook, how = Unknown, "which may be app code, so only bounds are known and hook is 0; %s to %s"
	}
	d.Origins = []Origin{
		{Numbers: "clock-overhead, cpu-read", Source: source + ": option clock-call-overhead-nsec", Kind: Measured},
		{Numbers: "hook", Source: fmt.Sprintf("the same trace: gaps between events of %s ("+how+"), minus the clock cost",
			t.Event.Value, t.Event.Low, t.Event.High), Kind: hook},
		{Numbers: "granularity", Source: "the same trace: steps of the clock", Kind: Measured},
		{Numbers: "code, interpreted", Source: "0: part of the app's own time, not measured separately", Kind: Unknown},
		{Numbers: "overshoot, overshoot-spread, per-tick, per-thread, per-frame, compiled", Source: "not determined by an instrumented trace: 0", Kind: Unknown},
	}
}
