package score

import (
	"math"
	"time"

	"artifice/bench/measure"
	"artifice/trace"
)

// Comparison is an observed trace beside the truth: what measures are computed
// from.
type Comparison struct {
	True, Seen Side
	Calls      measure.Calls
	Samples    int64 // of a thread that found it in a method, or [measure.Unknown]
	Line       measure.Timeline
	Cost       measure.Cost

	// ByWall makes running time the wall time of methods that do not wait, also where
	// CPU time is known.
	ByWall bool

	// Untimed is set where the observed trace has no times: its calls, their lengths and
	// the order of its events mean nothing.
	Untimed bool

	// Named are the methods of each name of a goal, see [Reference.Named].
	Named [][]trace.MethodID

	waits   []bool        // by method
	hottest []MethodShare // as reported, by place in Reference.Hottest
	busiest []int64       // reported calls, by place in Reference.Busiest
}

// Side is one of the two traces, as columns in the same order on both sides.
type Side struct {
	Exclusive []time.Duration    // by method
	Inclusive []time.Duration    // by method; outermost activations only
	Calls     []int64            // by method
	Edges     []time.Duration    // exclusive, by caller and callee
	Contexts  []time.Duration    // exclusive, by calling context
	Time      time.Duration      // exclusive time of all methods
	Run       time.Duration      // the same with the time outside of methods
	Durations *measure.Durations // of calls that have ended
	CPU       *CPUSide           // nil where CPU time is not known or not asked for
}

// CPUSide is the same for CPU time.
type CPUSide struct {
	Exclusive, Inclusive []time.Duration // by method
	Run                  time.Duration
}

// inMethods leaves the time outside of methods out of the runs: of sums, of which the
// first is not known, no event tells it.
func (s *Side) inMethods() {
	s.Run = s.Time
	if s.CPU != nil {
		cpu := *s.CPU
		cpu.Run = measure.Sum(cpu.Exclusive)
		s.CPU = &cpu
	}
}

// Compare holds what a tracer reports against the truth. It does not fill in the
// cost. Of a state that spills, the comparison is good until the next one.
func (r *Reference) Compare(a *Accumulator) *Comparison {
	r.state.scratch.Reset()
	seen := a.pages.columns(&r.state.contexts.Contexts, r.state.scratch)
	c := &Comparison{
		True: r.side, Seen: r.sideOf(&seen, r.state.scratch), Samples: a.Samples, Line: a.Line, waits: r.waits,
		Calls: measure.Calls{True: r.state.calls, Seen: a.Seen, Reported: a.Reported},
	}
	c.Seen.Durations = &a.Durations
	_, running := c.Running()
	total := measure.Sum(running)
	for _, m := range r.ranked {
		s := MethodShare{Running: measure.Share(running[m], total), Wall: measure.Share(c.Seen.Exclusive[m], c.Seen.Time)}
		if r.side.hasCPU() && !c.RunningByCPU() {
			s.Running = math.NaN() // not what the truth counts
		}
		c.hottest = append(c.hottest, s)
	}
	for _, p := range r.busiest {
		c.busiest = append(c.busiest, int64(seen.calls[p]))
	}
	return c
}

// HottestShares returns the reported shares of the methods of [Reference.Hottest],
// without their names. The share of running time is NaN where the truth has CPU
// time and the reported trace has none.
func (c *Comparison) HottestShares() []MethodShare { return c.hottest }

// BusiestCalls returns the reported calls of the contexts of [Reference.Busiest].
func (c *Comparison) BusiestCalls() []int64 { return c.busiest }

// CallsAbove returns the true calls of methods, 0 for those below a share of the
// exclusive time.
func (c *Comparison) CallsAbove(share float64) []int64 {
	calls := make([]int64, len(c.True.Calls))
	for m, t := range c.True.Exclusive {
		if float64(t) >= share*float64(c.True.Time) {
			calls[m] = max(1, c.True.Calls[m])
		}
	}
	return calls
}
