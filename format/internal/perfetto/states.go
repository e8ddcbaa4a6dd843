package perfetto

import (
	"io"
	"time"

	"artifice/format/internal/timeline"
	"artifice/internal/eventlog"
	"artifice/internal/protobuf"
	"artifice/trace"
)

// coreEvents are the kernel's scheduler events: threads get a core, leave it, and are woken. They
// determine the states of threads. Each bundle is of one core, so the events are sorted by time, in
// memory or, if there are many, in a temporary file.
type coreEvents struct {
	log *eventlog.Log     // nil if there were no events
	on  map[uint64]uint32 // by core: the current thread, for events that state only the next thread
}

// The meaning of a [trace.Event] in the log, by its action. Its method is the thread, and its CPU
// time is the other number.
const (
	coreTaken = trace.Action(iota) // the thread gets a core from another thread
	coreLeft                       // the thread leaves its core in a state: prev_state
	coreWakes
	coreBlocked // the thread waited for a device
)

func (c *coreEvents) add(at time.Duration, what trace.Action, tid uint32, other uint64) error {
	if c.log == nil {
		c.log = eventlog.NewLog("", eventlog.Memory)
	}
	return c.log.AddByTime(&trace.Event{Wall: at, Action: what, Method: trace.MethodID(tid), CPU: time.Duration(other & 0xffff_ffff)})
}

// took records that a thread left a core in a state, and that another thread got the core.
func (c *coreEvents) took(at time.Duration, core uint64, prev, next uint32, state uint64) error {
	if c.on == nil {
		c.on = map[uint64]uint32{}
	}
	c.on[core] = next
	if err := c.add(at, coreTaken, next, uint64(prev)); err != nil {
		return err
	}
	return c.add(at, coreLeft, prev, state)
}

// event processes an FtraceEvent of a core if it is a scheduler event.
func (c *coreEvents) event(at time.Duration, core uint64, field int, b []byte) error {
	var numbers [8]uint64
	err := protobuf.Fields(b, func(field int, number uint64, _ []byte) error {
		if field < len(numbers) {
			numbers[field] = number
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case field == ftraceSwitch:
		return c.took(at, core, uint32(numbers[switchPrevPID]), uint32(numbers[switchNextPID]), numbers[switchPrevState])
	case field == ftraceBlocked && numbers[blockedIO] != 0:
		return c.add(at, coreBlocked, uint32(numbers[blockedPID]), 0)
	case field == ftraceWakeup, field == ftraceWaking:
		return c.add(at, coreWakes, uint32(numbers[wakeupPID]), 0)
	}
	return nil
}

// compact processes a CompactSched, which contains the switches and wakings of a core as columns.
// Times are differences, and the thread that leaves the core is the next thread of the previous
// switch.
func (c *coreEvents) compact(core uint64, b []byte) error {
	var columns [compactWakingPID + 1][]uint64
	err := protobuf.Fields(b, func(field int, number uint64, packed []byte) error {
		if field < len(columns) && field != compactNames {
			columns[field] = appendNumbers(columns[field], number, packed)
		}
		return nil
	})
	if err != nil {
		return err
	}
	states, next := columns[compactState], columns[compactNext]
	at := time.Duration(0)
	for i, d := range columns[compactSwitch] {
		if at += time.Duration(d); i >= len(states) || i >= len(next) {
			break
		}
		prev, known := c.on[core]
		if !known { // the previous thread of the core is unknown: it is not the idle task, which has no events
			prev = 0
		}
		if err := c.took(at, core, prev, uint32(next[i]), states[i]); err != nil {
			return err
		}
	}
	at = 0
	for i, d := range columns[compactWaking] {
		if at += time.Duration(d); i >= len(columns[compactWakingPID]) {
			break
		}
		if err := c.add(at, coreWakes, uint32(columns[compactWakingPID][i]), 0); err != nil {
			return err
		}
	}
	return nil
}

// setStates sets the time in each state for the threads with calls.
func (c *coreEvents) setStates(marks *timeline.Marks) error {
	if c.log == nil {
		return nil
	}
	defer c.log.Close()
	events, err := c.log.Merge(io.EOF)
	if err != nil {
		return err
	}
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, err := events.ReadEvents(batch)
		for i := range batch[:n] {
			e := &batch[i]
			switch tid := uint32(e.Method); e.Action {
			case coreTaken:
				marks.Switch(uint32(e.CPU), tid, e.Wall)
			case coreLeft:
				marks.Left(tid, stateLetter(uint64(e.CPU)), e.Wall)
			case coreWakes:
				marks.Wakes(tid, e.Wall)
			case coreBlocked:
				marks.Blocked(tid)
			}
		}
		if err == io.EOF {
			marks.SetStates()
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// stateLetter returns the kernel's letter for the state in which a thread leaves its core
// (task_state_to_char in include/linux/sched.h). The higher bits do not denote a kind of wait:
// preempted, cannot be killed, no load.
func stateLetter(bits uint64) []byte {
	switch bits &= 0xff; {
	case bits == 0:
		return []byte("R")
	case bits&2 != 0:
		return []byte("D")
	case bits&(16|32) != 0:
		return []byte("X")
	}
	return []byte("S")
}

// FtraceEvents that begin slices of the kernel and its drivers. These slices do not belong to
// threads. The names of events of drivers end in _tracing_mark_write. Source:
// protos/perfetto/trace/ftrace in Perfetto's sources.
const (
	ftraceSoftIRQ = 24
	ftraceIRQ     = 36
	ftraceWork    = 58
	ftraceMDSS    = 80
	ftraceSDE     = 333
	ftraceDPU     = 348
	ftraceG2D     = 349
	ftraceMali    = 350
	ftraceLWIS    = 467
	ftraceSamsung = 484
)

// sliceFields are the numbers of the fields of a driver's event that state whether a slice begins.
type sliceFields struct {
	kind  int // field with 'B' at a begin; 0: the event has no such field
	begin int // field with a nonzero value at a begin; 0: the event has no such field
}

// driverSlices returns the sliceFields of a driver's event.
func driverSlices(field int) (of sliceFields, ok bool) {
	switch field {
	case ftraceMDSS:
		return sliceFields{begin: 3}, true
	case ftraceSDE:
		return sliceFields{kind: 3, begin: 5}, true
	case ftraceDPU, ftraceG2D:
		return sliceFields{kind: 5}, true
	case ftraceMali:
		return sliceFields{kind: 3}, true
	case ftraceLWIS:
		return sliceFields{kind: 6}, true
	case ftraceSamsung:
		return sliceFields{kind: 4}, true
	}
	return sliceFields{}, false
}

// beginsKernelSlice reports whether an FtraceEvent has a field with an event that begins a slice of
// the kernel.
func beginsKernelSlice(field int, event []byte) (begins bool, err error) {
	switch field {
	case ftraceSoftIRQ, ftraceIRQ, ftraceWork:
		return true, nil
	}
	of, ok := driverSlices(field)
	if !ok {
		return false, nil
	}
	err = protobuf.Fields(event, func(field int, number uint64, body []byte) error {
		if body == nil && (field == of.kind && number == 'B' || field == of.begin && number != 0) {
			begins = true
		}
		return nil
	})
	return begins, err
}
