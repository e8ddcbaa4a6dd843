package trace

import "time"

// SchedKind is a kind of scheduler event of the kernel.
type SchedKind uint8

const (
	SchedSwitch  SchedKind = iota // a core goes from one thread to another (sched_switch)
	SchedWakeup                   // a thread that waited can run again (sched_wakeup)
	SchedWaking                   // another thread or an interrupt wakes it, just before (sched_waking)
	SchedBlocked                  // what it waited for until now, if it slept uninterruptibly (sched_blocked_reason)
	CoreSpeed                     // a core's clock changes (cpu_frequency)
	CoreIdle                      // a core begins or ends to idle (cpu_idle)
)

// NoThread is the idle task of a core, which runs when no thread does.
const NoThread = -1

// SchedEvent is one scheduler event of a truth.
type SchedEvent struct {
	Wall time.Duration
	Kind SchedKind
	Core int // from 0

	// Of a SchedSwitch: Prev leaves the core, and Next takes it. Of a SchedWaking, SchedBlocked
	// or SchedWakeup: Prev has the core at the time, and Next is the thread that can run. Either
	// is an index into [Symbols.Threads], or NoThread.
	Prev, Next int

	// The priorities of both, as Linux numbers them: from 0, the most urgent, to 139;
	// 120 is the default, and that of the idle task.
	PrevPriority, NextPriority int

	// State is why Prev leaves the core in a SchedSwitch.
	State SchedState

	// Value is the clock in kHz of a CoreSpeed. Of a CoreIdle it is the idle state,
	// 0, or -1 when the core stops idling.
	Value int64
}

// SchedState is the state of a thread that has no core.
type SchedState uint8

const (
	Ready           SchedState = iota // it could run (R)
	Sleeping                          // it waits and can be woken by a signal (S)
	Uninterruptible                   // it waits for a device (D)
	Dead                              // it has ended (X)
)

// ThreadStates are the times of a thread in each state, between scheduler events that state it.
type ThreadStates struct {
	OnCore, Runnable, Sleeping time.Duration
	Uninterruptible            time.Duration
	Device                     time.Duration // part of Uninterruptible: waiting for a device (iowait)
}

// SchedWriter receives scheduler events in time order.
type SchedWriter interface {
	WriteSched(events []SchedEvent) error
}

// SchedSource is a Reader that also delivers scheduler events while its events are
// read. [Copy] connects it to a SchedWriter.
type SchedSource interface {
	// SchedTo sets the receiver of scheduler events. It is called before the first
	// event is read. Scheduler events up to the last event of a batch are delivered before
	// ReadEvents returns the batch.
	SchedTo(w SchedWriter)
}
