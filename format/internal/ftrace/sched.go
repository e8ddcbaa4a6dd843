package ftrace

import (
	"fmt"

	"artifice/internal/encode"
	"artifice/trace"
)

// stateLetters are the kernel's letters for the state in which a thread leaves its core.
var stateLetters = [...]string{trace.Ready: "R+", trace.Sleeping: "S", trace.Uninterruptible: "D", trace.Dead: "X"}

// wakingNames are the kernel's events for the wakeup of a thread.
var wakingNames = map[trace.SchedKind]string{trace.SchedWaking: "sched_waking", trace.SchedWakeup: "sched_wakeup"}

// sched writes the line of a scheduler event, with the text of the kernel's events
// (include/trace/events/sched.h and power.h). They are in atrace's categories sched, freq and idle.
func (f *file) sched(e *trace.SchedEvent) error {
	f.open()
	symbols := f.Rec.Symbols
	// The current thread of the core. For cpu_frequency and cpu_idle it is the idle task, as no
	// other is known.
	on := trace.NoThread
	if e.Kind != trace.CoreSpeed && e.Kind != trace.CoreIdle {
		on = e.Prev
	}
	comm, tid := encode.Task(symbols, on, e.Core)
	group := fmt.Sprintf("%5d", f.pid)
	if tid == 0 {
		comm, group = "<idle>", "-----"
	}
	f.line = fmt.Appendf(f.line[:0], "%16s-%-5d (%s) [%03d] d..3 ", comm, tid, group, e.Core)
	f.line = f.appendTime(f.line, e.Wall)
	size := powerSize
	nextComm, nextTID := encode.Task(symbols, e.Next, e.Core)
	switch e.Kind {
	case trace.SchedSwitch:
		size = switchSize
		prevComm, prevTID := encode.Task(symbols, e.Prev, e.Core)
		state := stateLetters[e.State]
		if e.Prev == trace.NoThread {
			state = "R"
		}
		f.line = fmt.Appendf(f.line, "sched_switch: prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> next_comm=%s next_pid=%d next_prio=%d\n",
			prevComm, prevTID, e.PrevPriority, state, nextComm, nextTID, e.NextPriority)
	case trace.SchedWaking, trace.SchedWakeup:
		size = wakeupSize
		f.line = fmt.Appendf(f.line, "%s: comm=%s pid=%d prio=%d target_cpu=%03d\n", wakingNames[e.Kind], nextComm, nextTID, e.NextPriority, e.Core)
	case trace.SchedBlocked:
		size = blockedSize
		f.line = fmt.Appendf(f.line, "sched_blocked_reason: pid=%d iowait=1 caller=%s+0x0/0x0\n", nextTID, encode.BlockedIn)
	case trace.CoreSpeed:
		f.line = fmt.Appendf(f.line, "cpu_frequency: state=%d cpu_id=%d\n", e.Value, e.Core)
	case trace.CoreIdle:
		f.line = fmt.Appendf(f.line, "cpu_idle: state=%d cpu_id=%d\n", encode.IdleState(e), e.Core)
	}
	return f.put(e.Core, e.Wall, size, f.line)
}
