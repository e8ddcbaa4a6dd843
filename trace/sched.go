package trace

import "time"

// SchedKind is a kind of scheduler event of the kernel.
type SchedKind uint8

const (
	SchedSwitch  SchedKind = iota // a core switches from one thread to another (sched_switch)
	SchedWakeup                   // a waiting thread becomes runnable (sched_wakeup)
	SchedWaking                   // another thread or an interrupt wakes it; precedes the wakeup (sched_waking)
	SchedBlocked                  // the reason of an uninterruptible sleep that has ended (sched_blocked_reason)
	CoreSpeed                     // the clock rate of a core changes (cpu_frequency)
	CoreIdle                      // a core begins or stops idling (cpu_idle)
)

// NoThread is the idle task of a core, which runs if no thread is runnable.
const NoThread = -1

// SchedEvent is one scheduler event of a ground truth.
type SchedEvent struct {
	Wall time.Duration
	Kind SchedKind
	Core int // from 0

	// In a SchedSwitch, Prev leaves the core and Next runs on it. In a SchedWaking, SchedBlocked or
	// SchedWakeup, Prev is running on the core and Next is the thread that becomes runnable. Both
	// are indexes into [Symbols.Threads], or NoThread.
	Prev, Next int

	// PrevPriority and NextPriority are the Linux priorities of both threads, from 0 (most urgent)
	// to 139. The default, also of the idle task, is 120.
	PrevPriority, NextPriority int

	// State is the reason why Prev leaves the core in a SchedSwitch.
	State SchedState

	// Value is the clock rate in kHz for a CoreSpeed. For a CoreIdle it is the idle state, 0, or -1
	// if the core stops idling.
	Value int64
}

// SchedState is the state of a thread that is not running on a core.
type SchedState uint8

const (
	Ready           SchedState = iota // runnable (R)
	Sleeping                          // waits, a signal can wake it (S)
	Uninterruptible                   // waits for a device (D)
	Dead                              // has ended (X)
)

// ThreadStates are the times that a thread spent in each state, between the scheduler events that
// state it.
type ThreadStates struct {
	OnCore, Runnable, Sleeping time.Duration
	Uninterruptible            time.Duration
	Device                     time.Duration // part of Uninterruptible spent waiting for a device (iowait)
}

// SchedWriter receives scheduler events in time order.
type SchedWriter interface {
	WriteSched(events []SchedEvent) error
}

// SchedSource is a Reader that also delivers scheduler events while its events are read. [Copy]
// connects it to a SchedWriter.
type SchedSource interface {
	// SchedTo sets the receiver of scheduler events. It is called before the first
	// event is read. Scheduler events up to the last event of a batch are delivered before
	// ReadEvents returns the batch.
	SchedTo(w SchedWriter)
}
