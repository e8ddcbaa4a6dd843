package ftrace_test

import (
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/ftrace"
)

const call = "# tracer: nop\n main-1 ( 1) [000] ...1 1.000001: tracing_mark_write: B|1|x\n main-1 ( 1) [000] ...1 1.000004: tracing_mark_write: E|1\n"

// seeds are small files of the format.
func seeds() []string {
	return []string{
		call,
		"# tracer: nop\n <idle>-0 (-----) [000] d..3 1.000001: sched_switch: prev_comm=a prev_pid=1 prev_prio=1 prev_state=S ==> next_comm=b next_pid=2 next_prio=1\n b-2 ( 1) [000] ...1 1.000002: tracing_mark_write: B|1|x\n",
		string(packedAtrace(call)),
	}
}

func FuzzFtrace(f *testing.F) { formattest.Fuzz(f, ftrace.Format, seeds()...) }

func TestCut(t *testing.T) { formattest.Cut(t, ftrace.Format, true, seeds()...) }
