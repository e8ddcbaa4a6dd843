package lateness

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
