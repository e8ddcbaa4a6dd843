package ftrace_test

import (
	"strings"
	"testing"
	"time"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
	"artifice/trace"
)

// TestStates checks states that are derived by hand from kernel events. Thread 77 is running from 0
// to 6 ms, waits for a device until 11, is runnable until 12, running until 13, sleeping until 15,
// and running until the end at 16 ms. Thread 78 has an unknown state before 2 ms, then it is
// runnable. It is running from 6 to 10 ms, waits for a kernel lock (D without iowait) until 12, and
// has no later event. Some kernels state the reason of a wait before the wakeup (thread 78), others
// after it (thread 77); both are read alike.
func TestStates(t *testing.T) {
	const text = `# tracer: nop
#
          <idle>-0     (-----) [000] d..3 0.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=77 next_prio=120
               a-77    (   77) [000] ...1 0.000000: tracing_mark_write: B|77|f
               a-77    (   77) [000] d..3 0.002000: sched_switch: prev_comm=x prev_pid=78 prev_prio=120 prev_state=R+ ==> next_comm=swapper/1 next_pid=0 next_prio=120
               a-77    (   77) [000] d..3 0.006000: sched_switch: prev_comm=a prev_pid=77 prev_prio=120 prev_state=D|K ==> next_comm=b pid=9 next_pid=78 next_prio=120
               b-78    (   77) [000] ...1 0.006000: tracing_mark_write: B|77|g
               b-78    (   77) [000] ...1 0.007000: tracing_mark_write: E|77
               b-78    (   77) [000] d..3 0.010000: sched_switch: prev_comm=b prev_pid=78 prev_prio=120 prev_state=D ==> next_comm=swapper/0 next_pid=0 next_prio=120
          <idle>-0     (-----) [000] d..3 0.011000: sched_waking: comm=a pid=77 prio=120 target_cpu=000
          <idle>-0     (-----) [000] d..3 0.011000: sched_blocked_reason: pid=77 iowait=1 caller=wait_on_page_bit+0x10/0x40
          <idle>-0     (-----) [000] d..3 0.011500: sched_wakeup: comm=a pid=77 prio=120 target_cpu=000
          <idle>-0     (-----) [000] d..3 0.012000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=77 next_prio=120
               a-77    (   77) [000] d..3 0.012000: sched_blocked_reason: pid=78 iowait=0 caller=mutex_lock+0x10/0x40
               a-77    (   77) [000] d..3 0.012000: sched_wakeup: comm=b pid=78 prio=120 success=1 target_cpu=000
               a-77    (   77) [000] d..3 0.013000: sched_switch: prev_comm=a prev_pid=77 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120
          <idle>-0     (-----) [000] d..3 0.015000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=77 next_prio=120
               a-77    (   77) [000] ...1 0.016000: tracing_mark_write: E|77
               a-77    (   77) [000] d..3 0.016000: sched_switch: prev_comm=a prev_pid=77 prev_prio=120 prev_state=X ==> next_comm=swapper/0 next_pid=0 next_prio=120
`
	const ms = time.Millisecond
	want := map[uint32]trace.ThreadStates{
		77: {OnCore: 8 * ms, Runnable: 1 * ms, Sleeping: 2 * ms, Uninterruptible: 5 * ms, Device: 5 * ms},
		78: {OnCore: 4 * ms, Runnable: 4 * ms, Uninterruptible: 2 * ms},
	}
	check := func(what, text string) {
		rec := formattest.MustOpen(t, []byte(text), kind.Config{}).Recording
		for i := range rec.Symbols.Threads {
			th := &rec.Symbols.Threads[i]
			if th.States != want[th.TID] {
				t.Errorf("%s, %d: %+v, want %+v", what, th.TID, th.States, want[th.TID])
			}
		}
		if len(rec.Symbols.Threads) != 2 {
			t.Errorf("%s: %d threads", what, len(rec.Symbols.Threads))
		}
	}
	check("as it is", text)
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines { // the reason precedes the wakeup
		if strings.Contains(line, "sched_waking") {
			lines[i], lines[i+1] = lines[i+1], line
			break
		}
	}
	check("reason before", strings.Join(lines, ""))
}
