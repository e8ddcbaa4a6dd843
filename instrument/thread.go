package instrument

import (
	"time"

	"artifice/trace"
)

// birthCPU is CPU time that a thread has used before anything of it can be
// traced (attaching, native start-up). ART takes a reading of 0 for "no zero
// yet"; no real thread gets there.
const birthCPU = 100 * time.Microsecond

// thread is what tracing has done to one thread.
type thread struct {
	wall  time.Duration // of the truth: when its latest event was
	delay time.Duration // how far its wall time is behind the truth's
	extra time.Duration // CPU time spent on tracing
	base  time.Duration // reading of its CPU clock that counts as 0; 0: none yet

	open   int           // frames on its stack at the start that have not been delivered
	frames []trace.Event // those that have
	hidden []bool        // HidesCompiled: which of its frames at the start are not reported, outermost first
	depth  int           // with hidden: frames entered since the start
	due    bool          // its end is known and waited for
	// unheard are events that the thread has paid for and that have not reached a
	// listener. Those that never do, because the recording has ended before, cost
	// nothing after all.
	unheard int64
}

// cpu returns a reading of the thread's CPU clock when the truth's stands at
// true and tracing has added more to it: Trace::ReadClocks.
func (t *thread) cpu(tm *timing, trueCPU, more time.Duration) time.Duration {
	reading := tm.quantise(birthCPU + trueCPU + t.extra + more)
	if t.base == 0 {
		t.base = reading
		return 0
	}
	return reading - t.base
}

// hides reports whether e is the exit of a frame that is not reported, and
// keeps count of the frames.
func (t *thread) hides(e *trace.Event) bool {
	switch {
	case e.Action == trace.Enter:
		t.depth++
		return false
	case t.depth > 0:
		t.depth--
		return false
	}
	last := len(t.hidden) - 1
	hidden := t.hidden[last]
	t.hidden = t.hidden[:last]
	return hidden
}
