package ftrace_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/format/internal/formattest"
	"artifice/format/internal/ftrace"
	"artifice/format/internal/kind"
	"artifice/internal/encode"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
	"artifice/workload"
)

// TestFtraceCPU checks CPU times. Thread 5 is running for 20 us, waits, and is running again from
// 50 us on. So it has used 10 us at its begin at 10 us, and 30 us at its end at 60 us. In the 8 us
// up to its next begin, it is off the core for 1 us. The trace lacks the switch to thread 6, which
// is running at least since its first mark at 70 us; it has used 20 us at 90 us. The text
// "next_pid=" in a name is not a thread id.
func TestFtraceCPU(t *testing.T) {
	const text = "# tracer: nop\n#\n" +
		"          <idle>-0     (-----) [000] d..3 10.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=7 b next_pid=5 next_prio=120\n" +
		"               a-5     (    5) [000] ...1 10.000010: tracing_mark_write: B|5|f\n" +
		"               a-5     (    5) [000] d..3 10.000020: sched_switch: prev_comm=a next_pid=7 b prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n" +
		"          <idle>-0     (-----) [000] d..3 10.000050: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=5 next_prio=120\n" +
		"               a-5     (    5) [000] ...1 10.000060: tracing_mark_write: E|5\n" +
		"               a-5     (    5) [000] d..3 10.000065: sched_switch: prev_comm=a prev_pid=5 prev_prio=120 prev_state=R+ ==> next_comm=c next_pid=8 next_prio=120\n" +
		"               c-8     (    5) [000] d..3 10.000066: sched_switch: prev_comm=c prev_pid=8 prev_prio=120 prev_state=S ==> next_comm=a next_pid=5 next_prio=120\n" +
		"               a-5     (    5) [000] ...1 10.000068: tracing_mark_write: B|5|h\n" +
		"               a-5     (    5) [000] ...1 10.000069: tracing_mark_write: E|5\n" +
		"               b-6     (    5) [001] ...1 10.000070: tracing_mark_write: B|5|g\n" +
		"               b-6     (    5) [001] ...1 10.000090: tracing_mark_write: E|5\n"
	rec := formattest.MustOpen(t, []byte(text), kind.Config{}).Recording
	if rec.Info.Clock != trace.Dual {
		t.Fatalf("clock %s, want dual", rec.Info.Clock)
	}
	var got []string
	for _, e := range tracetest.Events(t, rec.Events) {
		got = append(got, fmt.Sprint(rec.Symbols.Thread(e.Thread).TID, " ", e.Action, " ", e.CPU))
	}
	if want := []string{"5 enter 10µs", "5 exit 30µs", "5 enter 37µs", "5 exit 38µs", "6 enter 0s", "6 exit 20µs"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestFtraceOfCores checks that ftrace text of threads that share cores reads back with the CPU
// times of the truth. CPU times of the truth start at 100 us; in the text they are whole us.
func TestFtraceOfCores(t *testing.T) {
	p, err := workload.ReadYAML(strings.NewReader(`
name: shared
cores: [{count: 2, speed: 0.5, mhz: [600, 1200]}]
slice: 1ms
duration: 60ms
methods:
  A.work: {do: [{self: exp 2ms}, {call: A.read, prob: 0.5}, {self: exp 1ms}]}
  A.read: {wait: io, do: [{self: exp 1ms}]}
threads:
  - {name: main, do: [{loop: forever, do: [{call: A.work}]}]}
  - {name: t%d, count: 4, do: [{loop: forever, do: [{call: A.work}]}]}
`), "shared.yaml")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := p.Truth(workload.Config{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w, err := ftrace.Format.Write(&file, rec)
	if err != nil {
		t.Fatal(err)
	}
	truth := &kept{Writer: w, sched: w.(trace.SchedWriter)}
	if _, err := trace.Copy(truth, rec.Events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	back := formattest.MustOpen(t, file.Bytes(), kind.Config{}).Recording
	got := map[uint32][]time.Duration{}
	for _, e := range tracetest.Events(t, back.Events) {
		tid := back.Symbols.Thread(e.Thread).TID
		got[tid] = append(got[tid], e.CPU)
	}
	compared := map[uint32]int{}
	for _, e := range truth.events.Events {
		if rec.Symbols.Method(e.Method).Wait == trace.Runnable {
			continue
		}
		tid := rec.Symbols.Thread(e.Thread).TID
		i := compared[tid]
		compared[tid]++
		// Each of up to 100 switches rounds by less than 1 us.
		if d := got[tid][i] - (e.CPU - 100*time.Microsecond); d.Abs() > 100*time.Microsecond {
			t.Errorf("thread %d, event %d: CPU time %s, want %s as in the truth", tid, i, got[tid][i], e.CPU)
		}
	}
	if len(compared) != 5 || compared[12001] < 10 {
		t.Errorf("compared %v events of 5 threads", compared)
	}
}

// kept writes a truth with scheduling events, and keeps its calls.
type kept struct {
	encode.Writer
	sched  trace.SchedWriter
	events trace.Buffer
}

// WriteEvents implements [trace.Writer].
func (k *kept) WriteEvents(events []trace.Event) error {
	k.events.WriteEvents(events)
	return k.Writer.WriteEvents(events)
}

// WriteSched implements [trace.SchedWriter].
func (k *kept) WriteSched(events []trace.SchedEvent) error { return k.sched.WriteSched(events) }
