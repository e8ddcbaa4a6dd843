package sampler

import (
	"math"
	"time"

	"artifice/diffstack"
	"artifice/trace"
)

// thread is what all samplers of a pass share about one thread of the truth.
type thread struct {
	stack diffstack.Stack // frames a walk reports

	// changed is the pass's change counter at the thread's last change: an
	// event, its birth or its death. The threads form a list in order of it,
	// the latest first.
	changed      uint64
	newer, older int32
	born         uint64 // the change counter at its last birth

	wall, cpu time.Duration // of its last event
	limit     time.Duration // CPU time it cannot exceed before its next event
	firstCPU  time.Duration // of its first event
	started   bool          // it has had an event
	living    bool          // it is there to be sampled

	hidden trace.Stack[hiddenFrame] // frames no walk reports
}

// hiddenFrame is what is remembered of a frame of ART's own (flag
// trace.RuntimeInternal): how many reported ones are below it, and where it was called.
// Hidden and reported frames nest each among themselves: a trace with exits that
// do not fit then loses no frame of the one kind to an exit of the other.
type hiddenFrame struct {
	below int
	site  trace.Site
}

const none = -1 // end of the list of changed threads

// kind is what a method's flags mean to the pass. Most methods have none.
type kind uint8

const (
	hidden    kind = 1 << iota // skipped by the walk
	leaf                       // may be hidden as the innermost frame
	waiting                    // uses no CPU in its own time
	collector                  // no sample while it is on a stack
)

func kindOf(m *trace.Method) (k kind) {
	if m.Flags&trace.RuntimeInternal != 0 {
		k |= hidden
	}
	if m.Flags&trace.LeafNoPoll != 0 {
		k |= leaf
	}
	if m.Flags&trace.Collector != 0 {
		k |= collector
	}
	if m.Wait != trace.Running {
		k |= waiting
	}
	return k
}

// innermost returns the method that runs now, reported or not.
func (t *thread) innermost() (m trace.MethodID, ok bool) {
	if h := t.hiddenTop(); h != nil {
		return t.hidden.Innermost()
	}
	return t.stack.Innermost()
}

// hiddenTop returns the hidden frame that runs now; nil when there is none.
func (t *thread) hiddenTop() *hiddenFrame {
	if n := t.hidden.Depth(); n > 0 && t.hidden.Values()[n-1].below >= t.stack.Depth() {
		return &t.hidden.Values()[n-1]
	}
	return nil
}

// cpuAt returns the CPU time that the thread has used by app time at: it runs
// from its last event on until it has used what its next event says, and waits
// for the rest. When the truth tells which methods wait, limit says at once
// whether it runs or waits.
func (t *thread) cpuAt(at time.Duration) time.Duration {
	return min(t.cpu+max(0, at-t.wall), t.limit)
}

// unlimited is the limit of a thread known to run until its next event.
const unlimited = time.Duration(math.MaxInt64)

// seenDepth returns how many frames a sample reports.
func (p *pass) seenDepth(t *thread, rule Leaves) int {
	depth := t.stack.Depth()
	if rule == LeavesSeen {
		return depth
	}
	methods := t.stack.Methods()
	for depth > 0 && p.kinds[methods[depth-1]]&leaf != 0 {
		depth--
	}
	return depth
}
