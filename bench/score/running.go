package score

import (
	"time"

	"artifice/bench/measure"
	"artifice/trace"
)

// Running time is what most questions are about: in real traces nine tenths of the
// wall time of all threads is spent in a handful of methods that wait. It is CPU
// time where both sides have it. Else it is the wall time of the methods that do
// not wait, which takes in time in which a thread was ready and did not run.
//
// Source: own definition. What waits is [trace.Method.Waits].
//
// Example: truth 60 ms in Object.wait, 30 ms in A, 10 ms in B, no CPU clock:
// running are A with 30 and B with 10 ms. Seen 90, 5 and 5 ms, the overlap of
// running time is min(3/4, 1/2) + min(1/4, 1/2) = 0.75, that of wall time
// 0.6 + 0.05 + 0.05 = 0.7.

// RunningByCPU reports whether running time is CPU time here.
func (c *Comparison) RunningByCPU() bool { return !c.ByWall && c.True.hasCPU() && c.Seen.CPU != nil }

// hasCPU reports whether the side knows CPU time: a clock that stands still has none.
func (s *Side) hasCPU() bool { return s.CPU != nil && s.CPU.Run > 0 }

// Running returns the exclusive running time of both sides by method.
func (c *Comparison) Running() (truth, seen []time.Duration) {
	if c.RunningByCPU() {
		return c.True.CPU.Exclusive, c.Seen.CPU.Exclusive
	}
	return awake(c.True.Exclusive, c.waits), awake(c.Seen.Exclusive, c.waits)
}

// RunningAbove returns the true calls of methods, 0 for those below a share of the
// true running time.
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

// awake returns a column by method without the methods that wait.
func awake(column []time.Duration, waits []bool) []time.Duration {
	times := make([]time.Duration, len(column))
	for m, t := range column {
		if !waits[m] {
			times[m] = t
		}
	}
	return times
}

// RunningShares returns the true shares of running time of the methods that have
// any, as comparisons of CPU time take it or as others do, and how much of the
// time in methods is running time.
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
	ByCPU bool          // else it is the wall time of methods that do not wait
	Time  time.Duration // of all threads, in methods
}

// String says what the running time is.
func (t RunningTime) String() string {
	if t.ByCPU {
		return "CPU time"
	}
	return "wall time of methods that do not wait, as there is no CPU time"
}
