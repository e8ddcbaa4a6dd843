package trace

import "fmt"

// Wait is what a thread does in a method's own time. A method of a synthetic
// truth either runs or waits: between two events of a thread CPU time grows
// like wall time, or stands still.
type Wait uint8

const (
	Running    Wait = iota // uses the CPU
	Sleep                  // Thread.sleep
	Lock                   // a monitor or a park
	IO                     // a file, a socket, a poll of the message queue
	Binder                 // a call into another process
	GCPause                // the garbage collector holds the thread up
	Runnable               // it could run, but other threads have all cores
	waitsCount             // how many kinds there are
)

var waitNames = [waitsCount]string{"run", "sleep", "lock", "io", "binder", "gc", "runnable"}

// String returns the kind's word in workload files.
func (w Wait) String() string {
	if w >= waitsCount {
		return fmt.Sprintf("wait(%d)", uint8(w))
	}
	return waitNames[w]
}

// ParseWait is the inverse of [Wait.String].
func ParseWait(s string) (w Wait, ok bool) {
	for w, name := range waitNames {
		if name == s {
			return Wait(w), true
		}
	}
	return 0, false
}
