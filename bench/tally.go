package bench

import (
	"time"

	"artifice/bench/metric"
	"artifice/bench/paths"
)

// columns is what one tracer reports of every path.
type columns struct {
	self  []time.Duration // reported time as the innermost state
	cpu   []time.Duration // CPU time of it; nil: nobody asks
	calls []uint32        // reported calls; 4 billion of one path would take a day
}

// grow makes room for n paths.
func (c *columns) grow(n int) {
	if n > len(c.self) {
		c.self = append(c.self, make([]time.Duration, n-len(c.self))...)
		c.calls = append(c.calls, make([]uint32, n-len(c.calls))...)
	}
	if c.cpu != nil && n > len(c.cpu) {
		c.cpu = append(c.cpu, make([]time.Duration, n-len(c.cpu))...)
	}
}

// tally is what one tracer reports in all.
type tally struct {
	samples   int64 // samples of a thread that found it in a method
	seen      int64 // true calls that a sample fell into
	line      metric.Timeline
	reported  int64 // calls
	columns   columns
	durations metric.Durations
}

// call counts a reported call of path p.
func (t *tally) call(p paths.ID) {
	t.columns.grow(int(p) + 1)
	t.columns.calls[p]++
	t.reported++
}

// events returns how many events say so: the enters of the reported calls, and
// the exits of those that have ended.
func (t *tally) events() int64 { return t.reported + t.durations.Total() }

// spend adds reported time, and CPU time of it, in path p as the innermost state.
func (t *tally) spend(p paths.ID, d, cpu time.Duration) {
	t.columns.grow(int(p) + 1)
	t.columns.self[p] += d
	if t.columns.cpu != nil {
		t.columns.cpu[p] += cpu
	}
}

// withCPU lets the tally count CPU time, too.
func (t *tally) withCPU() { t.columns.cpu = []time.Duration{} }
