package expect

import (
	"time"

	"artifice/report/estimate"
	"artifice/trace"
)

// Samples contains the numbers of samples that measure wall time and CPU time, of threads with a
// frame. If weights are unequal, it is the number of equally weighted samples with the same
// variance, (Σw)²/Σw² (Kish). 0 means none or unknown: the recording contains every call, or times
// without samples.
type Samples struct{ Wall, CPU float64 }

// Counter counts the samples of a recording. It is a [trace.Writer] and a [trace.SnapshotWriter].
type Counter struct {
	rec       *trace.Recording
	estimator *estimate.Estimator // estimates the number of samples from events
	wall, cpu weights
	threads   []countedThread
	snapshots bool
}

// countedThread contains the last snapshot of a thread. The next snapshot determines its CPU time.
type countedThread struct {
	count int64
	cpu   time.Duration
	stack bool
}

// mostlyRunning is the minimum ratio of CPU time to wall time for which samples are assumed to be
// samples of CPU time, because profiles do not state the clock of their timer.
const mostlyRunning = 0.9

// weights sums up samples.
type weights struct{ sum, squares float64 }

// add adds count samples with the total weight d.
func (w *weights) add(d time.Duration, count int64) {
	if d > 0 && count > 0 {
		w.sum += float64(d)
		w.squares += float64(d) * float64(d) / float64(count)
	}
}

// samples returns the number of samples of equal weight.
func (w *weights) samples() float64 {
	if w.squares == 0 {
		return 0
	}
	return w.sum * w.sum / w.squares
}

// NewCounter returns a counter of rec's samples. It never reads rec.Events.
func NewCounter(rec *trace.Recording) *Counter {
	return &Counter{rec: rec, estimator: estimate.New(rec, estimate.Config{MethodsOnly: true})}
}

// WriteEvents implements [trace.Writer].
func (c *Counter) WriteEvents(p []trace.Event) error { return c.estimator.WriteEvents(p) }

// WriteSnapshot implements [trace.SnapshotWriter]. It never fails.
func (c *Counter) WriteSnapshot(s *trace.Snapshot) error {
	c.snapshots = true
	for int(s.Thread) >= len(c.threads) {
		c.threads = append(c.threads, countedThread{})
	}
	t := &c.threads[s.Thread]
	if t.stack {
		c.cpu.add(s.CPU-t.cpu, t.count)
	}
	*t = countedThread{count: s.Count, cpu: s.CPU, stack: len(s.Stack) > 0}
	if t.stack {
		c.wall.add(s.Until-s.Wall, s.Count)
	}
	return nil
}

// Samples returns the number of samples, after the last event. running is the true share of running
// time in the time of all methods. It equals the share of wall-time samples with a running thread.
func (c *Counter) Samples(running float64) (n Samples) {
	if c.snapshots {
		if c.rec.Info.Technique == trace.UnknownTechnique { // times without samples
			return n
		}
		n = Samples{Wall: c.wall.samples(), CPU: c.cpu.samples()}
		if c.rec.Info.OfCPU || c.cpu.sum >= mostlyRunning*c.wall.sum { // samples of CPU time
			n.Wall = 0
		}
		return n
	}
	p := c.estimator.Finish()
	if !p.Sampled() {
		return n
	}
	n = Samples{Wall: float64(p.Samples), CPU: float64(p.Samples) * running}
	if p.OfCPU {
		n = Samples{CPU: n.Wall}
	}
	return n
}
