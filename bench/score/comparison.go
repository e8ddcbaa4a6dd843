package score

import (
	"math"
	"time"

	"artifice/bench/measure"
	"artifice/trace"
)

// Comparison contains an observed trace and the truth, from which measures are computed.
type Comparison struct {
	True, Seen Side
	Calls      measure.Calls
	Samples    int64 // of threads in a method, or [measure.Unknown]
	Line       measure.Timeline
	Cost       measure.Cost

	// ByWall defines running time as the wall time of methods that do not wait, even if CPU time is
	// known.
	ByWall bool

	// Untimed is set if the observed trace has no times: its calls, their durations and the order
	// of its events are meaningless.
	Untimed bool

	// Named are the methods of each name of a goal, see [Reference.Named].
	Named [][]trace.MethodID

	waits   []bool        // by method
	hottest []MethodShare // as reported, by place in Reference.Hottest
	busiest []int64       // reported calls, by place in Reference.Busiest
}

// Side is one of the two traces, as columns. Both sides have the same order.
type Side struct {
	Exclusive []time.Duration    // by method
	Inclusive []time.Duration    // by method; outermost activations only
	Calls     []int64            // by method
	Edges     []time.Duration    // exclusive, by caller and callee
	Contexts  []time.Duration    // exclusive, by calling context
	Time      time.Duration      // exclusive time of all methods
	Durations *measure.Durations // of calls that have ended
	CPU       *CPUSide           // nil if CPU time is unknown or not requested
	OfCPU     bool               // all columns are CPU time, because wall time is unknown
}

// CPUSide contains the columns of CPU time.
type CPUSide struct {
	Exclusive, Inclusive []time.Duration // by method
	Time                 time.Duration   // exclusive time of all methods
}

// Compare compares the report of a tracer with the truth. It does not set the cost. If the state
// spills, the comparison is valid until the next one.
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
			s.Running = math.NaN() // not comparable with the CPU time of the truth
		}
		c.hottest = append(c.hottest, s)
	}
	for _, p := range r.busiest {
		c.busiest = append(c.busiest, int64(seen.calls[p]))
	}
	return c
}

// HottestShares returns the reported shares of the methods of [Reference.Hottest],
// without their names. The share of running time is NaN if the truth has CPU time and the observed
// trace has none.
func (c *Comparison) HottestShares() []MethodShare { return c.hottest }

// BusiestCalls returns the reported calls of the contexts of [Reference.Busiest].
func (c *Comparison) BusiestCalls() []int64 { return c.busiest }

// CallsAbove returns the true calls of methods, with 0 for methods below a share of the exclusive
// time.
func (c *Comparison) CallsAbove(share float64) []int64 {
	calls := make([]int64, len(c.True.Calls))
	for m, t := range c.True.Exclusive {
		if float64(t) >= share*float64(c.True.Time) {
			calls[m] = max(1, c.True.Calls[m])
		}
	}
	return calls
}

// Running time is the subject of most questions: in real traces, threads spend nine tenths of their
// wall time in a few methods that wait. Running time is CPU time if both sides have it; else it is
// the wall time of methods that do not wait, which includes time in which a thread was runnable but
// did not run.
//
// Source: own definition. [trace.Method.Waits] decides which methods wait.
//
// Example: truth 60 ms in Object.wait, 30 ms in A, 10 ms in B, no CPU clock: running time is 30 ms
// in A and 10 ms in B. If the trace reports 90, 5 and 5 ms, the overlap of running time is min(3/4,
// 1/2) + min(1/4, 1/2) = 0.75, and that of wall time is 0.6 + 0.05 + 0.05 = 0.7.

// RunningByCPU reports whether running time is CPU time.
func (c *Comparison) RunningByCPU() bool { return !c.ByWall && c.True.hasCPU() && c.Seen.CPU != nil }

// hasCPU reports whether the side has CPU time. A clock that never advances has none.
func (s *Side) hasCPU() bool { return s.CPU != nil && s.CPU.Time > 0 }

// Running returns the exclusive running time of both sides by method.
func (c *Comparison) Running() (truth, seen []time.Duration) {
	if c.RunningByCPU() {
		return c.True.CPU.Exclusive, c.Seen.CPU.Exclusive
	}
	return awake(c.True.Exclusive, c.waits), awake(c.Seen.Exclusive, c.waits)
}

// RunningAbove returns the true calls of methods, with 0 for methods below a share of the true
// running time.
func (c *Comparison) RunningAbove(share float64) []int64 {
	running := awake(c.True.Exclusive, c.waits)
	if c.True.hasCPU() && !c.ByWall {
		running = c.True.CPU.Exclusive
	}
	least := share * float64(measure.Sum(running))
	calls := make([]int64, len(c.True.Calls))
	for m, t := range running {
		if t > 0 && float64(t) >= least {
			calls[m] = max(1, c.True.Calls[m])
		}
	}
	return calls
}

// running returns the exclusive running time of one side by method.
func (s *Side) running(waits []bool) []time.Duration {
	if s.hasCPU() {
		return s.CPU.Exclusive
	}
	return awake(s.Exclusive, waits)
}

// awake returns a column by method, with 0 for methods that wait.
func awake(column []time.Duration, waits []bool) []time.Duration {
	times := make([]time.Duration, len(column))
	for m, t := range column {
		if !waits[m] {
			times[m] = t
		}
	}
	return times
}

// RunningShares returns the true shares of running time of the methods with any, by CPU time or by
// wall time of methods that do not wait, and the share of running time in the time of all methods.
func (r *Reference) RunningShares(byCPU bool) (list []float64, ofTime float64) {
	column := awake(r.side.Exclusive, r.waits)
	if byCPU {
		column = r.side.CPU.Exclusive
	}
	return shares(nil, column), measure.Share(measure.Sum(column), r.side.Time)
}

// waitingOf returns which methods wait.
func waitingOf(symbols *trace.Symbols) []bool {
	list := make([]bool, len(symbols.Methods))
	for i := range list {
		list[i] = symbols.Method(trace.MethodID(i)).Waits()
	}
	return list
}

// RunningTime describes the running time of the truth.
type RunningTime struct {
	ByCPU bool          // else by wall time of methods that do not wait
	Time  time.Duration // of all threads, in methods
}

// String describes the running time.
func (t RunningTime) String() string {
	if t.ByCPU {
		return "CPU time"
	}
	return "wall time of methods that do not wait (no CPU clock)"
}
