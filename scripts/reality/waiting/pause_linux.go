package waiting

import (
	"syscall"
	"time"
)

// pause blocks the thread in the kernel, as a thread of Java's does that sleeps.
func pause(d time.Duration) {
	if d <= 0 {
		return
	}
	ts := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&ts, nil) // who is woken early is asked for the time again, or has slept for as long as it says
}
