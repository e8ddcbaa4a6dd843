package recorder

import "artifice/trace"

// Doing is what a thread is about when something befalls it.
type Doing uint8

const (
	Managed Doing = iota // runs code that stops at suspend checks: Java, compiled or interpreted
	Native               // runs code of a JNI method, in ART's state kNative
	Waiting              // uses no CPU
)

// LosesToPause reports whether a thread stands still while all are suspended
// (ThreadList::SuspendAll): only managed code does. The others are held up only if they
// come to managed code before all are resumed ([Wake]).
func (d Doing) LosesToPause() bool { return d == Managed }

// LosesToOwn reports whether a thread loses what its own sample or event takes: it is
// interrupted, or reports itself, where it runs. A sample of a thread that waits is taken
// by whoever takes it.
func (d Doing) LosesToOwn() bool { return d != Waiting }

// Of returns what a thread of a truth is about whose innermost method is m, and how it ends
// where that is a wait. Of a recorded trace, which does not know, it is always managed code.
func Of(m *trace.Method) (Doing, LatenessWait) {
	switch {
	case m.Wait != trace.Running:
		return Waiting, LatenessWait{Period: m.Period, AtOnce: m.AtOnce, Other: m.Link.Does == trace.Awaits}
	case m.Flags&trace.Native != 0:
		return Native, LatenessWait{}
	}
	return Managed, LatenessWait{}
}
