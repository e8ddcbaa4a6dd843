package waiting

import (
	"os"
	"syscall"
	"time"
)

// pause blocks the thread in the kernel, like a sleeping Java thread.
func pause(d time.Duration) {
	if d <= 0 {
		return
	}
	ts := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&ts, nil) // after an interrupted sleep the caller reads the clock: it waits again, or logs the actual duration
}

// gate admits one waiter each time it is opened, in order of arrival. Its threads block in the
// kernel; a byte in a pipe admits one. The kernel therefore wakes the thread, as for Java's
// monitors. With a channel, Go's scheduler wakes it, about 15 us later if the opener continues to
// run, as it does while it burns.
type gate struct{ in, out int }

func newGate() gate {
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil {
		panic(os.NewSyscallError("pipe", err))
	}
	return gate{ends[1], ends[0]}
}

func (g gate) open() { g.try("write", func() (int, error) { return syscall.Write(g.in, []byte{1}) }) }

func (g gate) wait() {
	g.try("read", func() (int, error) { return syscall.Read(g.out, make([]byte, 1)) })
}

// try repeats a call while Go's signals interrupt it.
func (g gate) try(what string, call func() (int, error)) {
	for {
		switch _, err := call(); err {
		case nil:
			return
		case syscall.EINTR:
		default:
			panic(os.NewSyscallError(what, err))
		}
	}
}
