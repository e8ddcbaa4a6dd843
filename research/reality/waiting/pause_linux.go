package waiting

import (
	"os"
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

// gate lets one through each time that it is opened, in the order of their coming. Its threads block in the kernel, a byte of a pipe lets one
// through: so it is the kernel that wakes a thread, as it does for Java's monitors. On a channel Go's scheduler does, and takes some 15 us
// longer where the one who opens goes on running, as it does while it burns.
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

// try tries until no signal of Go's interrupts it.
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
