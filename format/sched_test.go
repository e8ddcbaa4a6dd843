package format_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	formatpkg "artifice/format"
	"artifice/internal/encode"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
	"artifice/workload"
)

// phone is an app with two threads of different priority on one core with two clock rates. Each
// thread works for 3 ms, is in I/O for 5 ms, and works for 1 ms more.
const phone = `
name: phone
cores: [{mhz: [1000, 2000], ramp: 8ms}]
slice: 4ms
duration: 1s
methods:
  A.work: {do: [{self: 3ms}, {call: A.read}, {self: 1ms}]}
  A.read: {wait: io, do: [{self: 5ms}]}
threads:
  - {name: main, tid: 77, do: [{call: A.work}]}
  - {name: a-long-name-of-a-thread, tid: 78, priority: 130, do: [{call: A.work}]}
`

func phoneTruth(t *testing.T) *trace.Recording {
	t.Helper()
	p, err := workload.ReadYAML(strings.NewReader(phone), "phone.yaml")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := p.Truth(workload.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// write writes a recording in a format.
func write(t *testing.T, format string, rec *trace.Recording) []byte {
	t.Helper()
	return writeAs(t, format, rec)
}

func writeAs(t *testing.T, format string, rec *trace.Recording, options ...any) []byte {
	t.Helper()
	return tracetest.Written(t, formatpkg.ByName(format), rec, options...)
}

// TestFtraceSched checks lines computed by hand. At 1000 of 2000 MHz, the 3 ms of work of main take
// 6 ms, followed by a read until 11 ms. The other thread has done 1 ms of work by 8 ms, when the
// clock rate rises, and its other 2 ms by 10 ms, and reads until 15 ms. The last 1 ms of main
// begins at 11 ms, when the core was idle for only 1 ms, and ends at 12 ms. At 15 ms the core was
// idle for 3 ms, less than 8, so the clock rate is unchanged.
func TestFtraceSched(t *testing.T) {
	file := write(t, "ftrace", phoneTruth(t))
	testdata.Save(t, "ftrace", file)
	testdata.Save(t, "perfetto", write(t, "perfetto", phoneTruth(t)))
	_, body, ok := strings.Cut(string(file), "|         |\n")
	if !ok {
		t.Fatal("no header")
	}
	want := `          <idle>-0     (-----) [000] d..3 0.000000: cpu_frequency: state=1000000 cpu_id=0
          <idle>-0     (-----) [000] d..3 0.000000: cpu_idle: state=0 cpu_id=0
          <idle>-0     (-----) [000] d..3 0.000000: sched_waking: comm=main pid=77 prio=120 target_cpu=000
          <idle>-0     (-----) [000] d..3 0.000000: sched_wakeup: comm=main pid=77 prio=120 target_cpu=000
          <idle>-0     (-----) [000] d..3 0.000000: sched_waking: comm=a_long_name_of_ pid=78 prio=130 target_cpu=000
          <idle>-0     (-----) [000] d..3 0.000000: sched_wakeup: comm=a_long_name_of_ pid=78 prio=130 target_cpu=000
          <idle>-0     (-----) [000] d..3 0.000000: cpu_idle: state=4294967295 cpu_id=0
          <idle>-0     (-----) [000] d..3 0.000000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=main next_pid=77 next_prio=120
            main-77    (   77) [000] ...1 0.000000: tracing_mark_write: B|77|A.work
            main-77    (   77) [000] ...1 0.006000: tracing_mark_write: B|77|A.read
            main-77    (   77) [000] d..3 0.006000: sched_switch: prev_comm=main prev_pid=77 prev_prio=120 prev_state=D ==> next_comm=a_long_name_of_ next_pid=78 next_prio=130
 a_long_name_of_-78    (   77) [000] ...1 0.006000: tracing_mark_write: B|77|A.work
          <idle>-0     (-----) [000] d..3 0.008000: cpu_frequency: state=2000000 cpu_id=0
 a_long_name_of_-78    (   77) [000] ...1 0.010000: tracing_mark_write: B|77|A.read
 a_long_name_of_-78    (   77) [000] d..3 0.010000: sched_switch: prev_comm=a_long_name_of_ prev_pid=78 prev_prio=130 prev_state=D ==> next_comm=swapper/0 next_pid=0 next_prio=120
          <idle>-0     (-----) [000] d..3 0.010000: cpu_idle: state=0 cpu_id=0
          <idle>-0     (-----) [000] d..3 0.011000: sched_waking: comm=main pid=77 prio=120 target_cpu=000
          <idle>-0     (-----) [000] d..3 0.011000: sched_blocked_reason: pid=77 iowait=1 caller=wait_on_page_bit+0x0/0x0
          <idle>-0     (-----) [000] d..3 0.011000: sched_wakeup: comm=main pid=77 prio=120 target_cpu=000
          <idle>-0     (-----) [000] d..3 0.011000: cpu_idle: state=4294967295 cpu_id=0
          <idle>-0     (-----) [000] d..3 0.011000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=main next_pid=77 next_prio=120
            main-77    (   77) [000] ...1 0.011000: tracing_mark_write: E|77
            main-77    (   77) [000] ...1 0.012000: tracing_mark_write: E|77
            main-77    (   77) [000] d..3 0.012000: sched_switch: prev_comm=main prev_pid=77 prev_prio=120 prev_state=X ==> next_comm=swapper/0 next_pid=0 next_prio=120
          <idle>-0     (-----) [000] d..3 0.012000: cpu_idle: state=0 cpu_id=0
          <idle>-0     (-----) [000] d..3 0.015000: sched_waking: comm=a_long_name_of_ pid=78 prio=130 target_cpu=000
          <idle>-0     (-----) [000] d..3 0.015000: sched_blocked_reason: pid=78 iowait=1 caller=wait_on_page_bit+0x0/0x0
          <idle>-0     (-----) [000] d..3 0.015000: sched_wakeup: comm=a_long_name_of_ pid=78 prio=130 target_cpu=000
          <idle>-0     (-----) [000] d..3 0.015000: cpu_idle: state=4294967295 cpu_id=0
          <idle>-0     (-----) [000] d..3 0.015000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a_long_name_of_ next_pid=78 next_prio=130
 a_long_name_of_-78    (   77) [000] ...1 0.015000: tracing_mark_write: E|77
 a_long_name_of_-78    (   77) [000] ...1 0.016000: tracing_mark_write: E|77
 a_long_name_of_-78    (   77) [000] d..3 0.016000: sched_switch: prev_comm=a_long_name_of_ prev_pid=78 prev_prio=130 prev_state=X ==> next_comm=swapper/0 next_pid=0 next_prio=120
          <idle>-0     (-----) [000] d..3 0.016000: cpu_idle: state=0 cpu_id=0
`
	if diff := cmp.Diff(want, body); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPerfettoSched decodes the bundles with the field numbers of Perfetto's
// protos/perfetto/trace/ftrace/{ftrace_event_bundle,ftrace_event,sched,power}.proto, and compares
// them with the recorded scheduler events.
func TestPerfettoSched(t *testing.T) {
	rec := phoneTruth(t)
	facts := &schedLog{}
	if _, err := trace.Copy(facts, rec.Events); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, packet := range fields(t, write(t, "perfetto", phoneTruth(t)))[1] {
		bundle := sub(t, fields(t, packet.([]byte)), 1)
		for _, event := range bundle[2] {
			got = append(got, perfettoSched(t, number(bundle, 1), fields(t, event.([]byte))))
		}
	}
	if diff := cmp.Diff(facts.lines, got); diff != "" {
		t.Errorf("(-recorded +decoded):\n%s", diff)
	}
	if len(got) < 10 {
		t.Errorf("only %d scheduler events", len(got))
	}
}

// schedLog records scheduler events as lines, with the thread names of the test.
type schedLog struct {
	trace.Buffer
	lines []string
}

var phoneTask = map[int]string{trace.NoThread: "swapper/0 0", 0: "main 77", 1: "a_long_name_of_ 78"}

func (f *schedLog) WriteSched(events []trace.SchedEvent) error {
	states := map[trace.SchedState]int{trace.Ready: 0, trace.Sleeping: 1, trace.Uninterruptible: 2, trace.Dead: 16}
	for _, e := range events {
		head := fmt.Sprintf("%d %v ", e.Core, e.Wall)
		switch e.Kind {
		case trace.SchedSwitch:
			f.lines = append(f.lines, head+fmt.Sprintf("switch %s %d state %d to %s %d", phoneTask[e.Prev], e.PrevPriority, states[e.State], phoneTask[e.Next], e.NextPriority))
		case trace.SchedWakeup:
			f.lines = append(f.lines, head+fmt.Sprintf("wakeup %s %d on %d", phoneTask[e.Next], e.NextPriority, e.Core))
		case trace.SchedWaking:
			f.lines = append(f.lines, head+fmt.Sprintf("waking %s %d on %d", phoneTask[e.Next], e.NextPriority, e.Core))
		case trace.SchedBlocked:
			_, tid, _ := strings.Cut(phoneTask[e.Next], " ")
			f.lines = append(f.lines, head+"blocked "+tid+" by a device")
		case trace.CoreSpeed:
			f.lines = append(f.lines, head+fmt.Sprintf("frequency %d of %d", e.Value, e.Core))
		case trace.CoreIdle:
			f.lines = append(f.lines, head+fmt.Sprintf("idle %d of %d", e.Value, e.Core))
		}
	}
	return nil
}

func perfettoSched(t *testing.T, core uint64, event map[protowire.Number][]any) string {
	t.Helper()
	text := func(m map[protowire.Number][]any, field protowire.Number) string { return string(m[field][0].([]byte)) }
	head := fmt.Sprintf("%d %v ", core, time.Duration(number(event, 1)))
	if m := sub(t, event, 4); m != nil {
		return head + fmt.Sprintf("switch %s %d %d state %d to %s %d %d", text(m, 1), number(m, 2), number(m, 3), number(m, 4), text(m, 5), number(m, 6), number(m, 7))
	}
	if m := sub(t, event, 17); m != nil {
		return head + fmt.Sprintf("wakeup %s %d %d on %d", text(m, 1), number(m, 2), number(m, 3), number(m, 5))
	}
	if m := sub(t, event, 20); m != nil {
		return head + fmt.Sprintf("waking %s %d %d on %d", text(m, 1), number(m, 2), number(m, 3), number(m, 5))
	}
	if m := sub(t, event, 18); m != nil && number(m, 3) == 1 {
		return head + fmt.Sprintf("blocked %d by a device", number(m, 1))
	}
	if m := sub(t, event, 11); m != nil {
		return head + fmt.Sprintf("frequency %d of %d", number(m, 1), number(m, 2))
	}
	if m := sub(t, event, 13); m != nil {
		return head + fmt.Sprintf("idle %d of %d", int32(number(m, 1)), number(m, 2))
	}
	return head + "unknown"
}

// TestCategories: in both formats, each kernel category selects exactly its events, and the app's
// category selects its calls. The marks of calls contain the cores even without scheduler events.
func TestCategories(t *testing.T) {
	names := map[string][]string{"sched": {"sched_switch:", "sched_waking:", "sched_blocked_reason:", "sched_wakeup:"}, "freq": {"cpu_frequency:"}, "idle": {"cpu_idle:"}, "app": {"tracing_mark_write:"}}
	fieldsOf := map[string][]protowire.Number{"sched": {4, 20, 18, 17}, "freq": {11}, "idle": {13}}
	for category := range names {
		chosen, err := encode.ParseCategories([]string{category})
		if err != nil {
			t.Fatal(err)
		}
		text := string(writeAs(t, "ftrace", phoneTruth(t), formatpkg.FtraceOptions{Categories: chosen}))
		seen := map[protowire.Number]int{}
		marks := 0
		for _, packet := range fields(t, writeAs(t, "perfetto", phoneTruth(t), formatpkg.PerfettoOptions{Categories: chosen}))[1] {
			of := fields(t, packet.([]byte))
			marks += len(of[11])
			for _, event := range sub(t, of, 1)[2] {
				for field := range fields(t, event.([]byte)) {
					seen[field]++
				}
			}
		}
		for other := range names {
			for i, name := range names[other] {
				inText, inPerfetto := strings.Count(text, name), marks
				if other != "app" {
					inPerfetto = seen[fieldsOf[other][i]]
				}
				if inText != inPerfetto || (inText > 0) != (other == category) {
					t.Errorf("--category %s: %d times %s in text, %d in Perfetto's format", category, inText, name, inPerfetto)
				}
			}
		}
		if category == "app" && (marks != 8 || strings.Count(text, " [000] ...1 ") != 8) {
			t.Errorf("%d marks of 4 calls:\n%s", marks, text)
		}
	}
}
