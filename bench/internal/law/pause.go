package law

import (
	"time"

	"artifice/trace"
)

// pause is what a stop-the-world sampler does to the app's clock: the app runs for
// Run between two samples, then pauses for Stop.
//
// Assumptions: all threads run managed code all the time (threads in native code
// or blocked are not stopped: see waits), and Stop is much shorter than what is measured.
//
// Source: a thread that runs for a time d meets d/Run pauses.
//
// Example: interval 1 ms, overshoot 0.25 ms, pause 1 ms: Run is 1.25 ms, slowdown
// 1 + 1/1.25 = 1.8, period 2.25 ms.
type pause struct {
	Run  time.Duration // app time between two samples, > 0
	Stop time.Duration // pause of one sample
}

// slowdown is the wall time of a sampled run divided by that without sampling: 1 + Stop/Run. As the
// interval approaches 0, it remains below 1 + Stop/overshoot.
func (p pause) slowdown() float64 { return 1 + ratio(p.Stop, p.Run) }

// period is the wall time from one sample to the next.
func (p pause) period() time.Duration { return p.Run + p.Stop }

// ratio is a/b as a number.
func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

// waits determines whether some thread of a truth waits or executes native code. Such a thread
// continues while a sample stops the others, so its delay differs from theirs, and the time between
// two samples differs between the threads' axes. For samples with a cost there is then a closed
// form only for the period.
type waits struct {
	any     bool
	threads []waitThread
}

type waitThread struct {
	stack trace.Stack[struct{}]
	last  trace.Event
}

// apply processes the next event of a truth. It reports whether some thread has waited so far.
func (w *waits) apply(truth *trace.Recording, e *trace.Event) bool {
	for int(e.Thread) >= len(w.threads) {
		t := waitThread{}
		if id := len(w.threads); id < len(truth.Symbols.Threads) {
			t.last.Wall = truth.Symbols.Threads[id].Start
		}
		w.threads = append(w.threads, t)
	}
	t := &w.threads[e.Thread]
	w.any = t.waits(truth, e.Wall, e.CPU)
	t.stack.Apply(e, struct{}{})
	t.last = *e
	return w.any
}

// waits reports whether a thread has waited since its last event. A truth states which of its
// methods wait; for a thread without frames, CPU time decides. In a recorded truth CPU time
// decides, and without CPU time the thread is assumed to wait.
func (t *waitThread) waits(truth *trace.Recording, wall, cpu time.Duration) bool {
	if wall <= t.last.Wall {
		return false
	}
	if m, ok := t.stack.Innermost(); ok && truth.Info.Technique == trace.Truth {
		method := truth.Symbols.Method(m)
		return method.Wait != trace.Running || method.Flags&trace.Native != 0
	}
	return !truth.Info.Clock.HasCPU() || cpu-t.last.CPU < wall-t.last.Wall
}

// end ends a truth. Its threads remain in their states up to the end.
func (w *waits) end(truth *trace.Recording, end time.Duration) {
	for id := range w.threads {
		if t := &w.threads[id]; !w.any && end > t.last.Wall {
			_, runs := t.stack.Innermost()
			w.any = !runs && truth.Symbols.Threads[id].End == 0 || runs && (truth.Info.Technique == trace.Truth || truth.Symbols.Threads[id].End == 0) && t.waits(truth, end, t.last.CPU)
		}
	}
	w.any = w.any || len(w.threads) < len(truth.Symbols.Threads) // a thread without events waits
}
