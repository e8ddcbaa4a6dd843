package ftrace_test

import (
	"strings"
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/kind"
)

// marksOf returns ftrace text with one mark per millisecond, written by thread 7 of process 7.
func marksOf(marks ...string) string {
	var b strings.Builder
	b.WriteString("# tracer: nop\n")
	for i, mark := range marks {
		b.WriteString("  app-7 (    7) [000] ...1 1.00" + string(rune('0'+i)) + "000: " + mark + "\n")
	}
	return b.String()
}

// TestEnds checks that an end with a name closes the innermost section of that name and all
// sections in it. An end without a matching section is skipped, unless the section may have begun
// before the trace.
func TestEnds(t *testing.T) {
	for what, c := range map[string]struct {
		marks []string
		want  string
	}{
		"after a begin": {[]string{"print: B|7|a", "print: E|7", "print: E|7", "print: B|7|a", "print: E"},
			"0 app >a, 1000 app <a, 3000 app >a, 4000 app <a"},
		"before the first begin": {[]string{"print: E|7", "print: B|7|a", "print: E|7"},
			"0 app <(unknown), 1000 app >a, 2000 app <a"},
		"of a name that is not open": {[]string{"print: B|7|a", "print: B|7|b", "print: E|7|c", "print: E|7|b", "print: E|7|a"},
			"0 app >a, 1000 app >b, 3000 app <b, 4000 app <a"},
		"of a name without an open section": {[]string{"print: B|7|a", "print: E|7|a", "print: E|7|a"}, "0 app >a, 1000 app <a"},
		"of an outer section":               {[]string{"print: B|7|a", "print: B|7|b", "print: E|7|a"}, "0 app >a, 1000 app >b, 2000 app <b, 2000 app <a"},
		"no space":                          {[]string{"trace_mark_write:B|7|a", "trace_mark_write:E"}, "0 app >a, 1000 app <a"},
		"other marks":                       {[]string{"print: S|7|x|1", "print: B|7|a", "print: C|7|n|3", "print: I|7|i", "print: F|7|x|1", "print: E|7"}, "0 app >a, 4000 app <a"},
	} {
		formattest.Check(t, what, formattest.Read(t, marksOf(c.marks...), "ftrace", kind.Config{}), c.want)
	}
}

// TestKernelSlices checks that slices of the kernel and its drivers are skipped, and that their
// begins are counted.
func TestKernelSlices(t *testing.T) {
	text := marksOf("print: B|7|a", "workqueue_execute_start: work struct 0: function f", "workqueue_execute_end: work struct 0",
		"dpu_tracing_mark_write: B|7|x", "dpu_tracing_mark_write: E|7|x", "dpu_tracing_mark_write: C|7|n|66", "irq_handler_entry: irq=9 name=x", "sde_tracing_mark_write: B|7|y", "print: E|7")
	formattest.Check(t, "calls", formattest.Read(t, text, "ftrace", kind.Config{}), "0 app >a, 8000 app <a")
	rec := formattest.MustOpen(t, []byte(text), kind.Config{}).Recording
	if len(rec.Warnings) != 1 || !strings.Contains(rec.Warnings[0].Text, "4 slices skipped: they belong to the kernel's work queues, interrupts and drivers, not to threads") {
		t.Errorf("warnings %v, want one of 4 slices", rec.Warnings)
	}
}

// TestProcessList checks that the process lists of systrace name threads, whether they precede or
// follow the trace.
func TestProcessList(t *testing.T) {
	const list = "PROCESS DUMP\nUSER PID PPID VSZ RSS WCHAN PC S NAME COMM\nu0_a1 7 1 0 0 0 0 S com.app com.app\n" +
		"USER           PID   TID CMD\nu0_a1 7 7 com.app\nu0_a1  7   9 Render Thread 1\n"
	const text = "# tracer: nop\n <...>-9 (-----) [000] ...1 1.000000: print: B|7|a\n <...>-9 (-----) [000] ...1 1.001000: print: E\n"
	for what, page := range map[string]string{"before": list + text, "after": text + list} {
		page = "<!DOCTYPE html>\n<script>\n" + page + "</script>\n"
		formattest.Check(t, what, formattest.Read(t, page, "ftrace", kind.Config{}), "0 Render Thread 1 >a, 1000 Render Thread 1 <a")
	}
}
