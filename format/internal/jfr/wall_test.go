package jfr_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/trace"
)

// asyncJFR returns a recording of async-profiler with an interval of 10 ms and a wall interval of
// 200 ms. Each of samples is "state at method", with at in ms.
func asyncJFR(extra string, samples ...string) string {
	var b strings.Builder
	b.WriteString(`{"recording": {"events": [{"type": "jdk.ActiveSetting", "values": {"name": "interval", "value": "10000000"}},` + "\n")
	b.WriteString(`{"type": "jdk.ActiveSetting", "values": {"name": "wall", "value": "200000000"}}` + extra)
	for _, s := range samples {
		var state, method string
		var at int
		fmt.Sscan(s, &state, &at, &method)
		fmt.Fprintf(&b, `,
{"type": "jdk.ExecutionSample", "values": {"startTime": "2026-01-02T03:04:%02d.%03dZ", "state": "STATE_%s", "sampledThread": {"javaName": "main", "javaThreadId": 1}, "stackTrace": {"frames": [{"method": {"type": {"name": "a\/B"}, "name": "%s"}, "lineNumber": 7}]}}}`, at/1000, at%1000, state, method)
	}
	b.WriteString("]}}\n")
	return b.String()
}

func warningsOf(s *stackdump.Sequence) string {
	var all []string
	for _, w := range s.Warnings {
		all = append(all, w.String())
	}
	return strings.Join(all, "\n")
}

// TestJFRStates checks that each sample of CPU time counts for the stated interval, regardless of
// the distance of samples. Samples of wall time in the same file do not count.
func TestJFRStates(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, asyncJFR("", "DEFAULT 100 f", "SLEEPING 120 park", "DEFAULT 400 f", "RUNNABLE 500 f", "DEFAULT 900 g"))
	self, _ := selfTimes(t, s)
	if self["a.B.f"] != 20*time.Millisecond || self["a.B.g"] != 10*time.Millisecond || self["a.B.park"] != 0 {
		t.Errorf("CPU time %v, want 20ms of f and 10ms of g", self)
	}
	if want := "2 samples of wall time are ignored (1 of sleeping threads), because the file has 3 samples of CPU time"; !strings.Contains(warningsOf(s), want) {
		t.Errorf("no warning has %q: %s", want, warningsOf(s))
	}
}

// TestJFRDefaultInterval checks the default interval of CPU time, 10 ms, which async-profiler
// states as 0. Two samples are 20 ms, regardless of their distance. With an event other than CPU
// time, the distance counts.
func TestJFRDefaultInterval(t *testing.T) {
	text := strings.Replace(asyncJFR(`,
{"type": "jdk.ActiveSetting", "values": {"name": "event", "value": "cpu"}}`, "RUNNABLE 100 f", "RUNNABLE 300 f"), `"10000000"`, `"0"`, 1)
	text = strings.Replace(text, `"name": "wall"`, `"name": "lock"`, 1)
	for event, want := range map[string]time.Duration{`"cpu"`: 20 * time.Millisecond, `"itimer"`: 20 * time.Millisecond, `"cycles"`: 400 * time.Millisecond} {
		self, _ := selfTimes(t, formattest.Parse(t, stackdump.Config{}, strings.Replace(text, `"cpu"`, event, 1)))
		if self["a.B.f"] != want {
			t.Errorf("%s: CPU time %v, want %s of f", event, self, want)
		}
	}
}

// TestJFRWall checks a recording of wall time. A thread uses CPU time from a sample in which it is
// runnable to the next sample, and none while it sleeps. The last sample lasts for the interval.
func TestJFRWall(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, asyncJFR("", "SLEEPING 100 park", "RUNNABLE 300 f", "SLEEPING 500 park", "SLEEPING 700 park", "RUNNABLE 900 g"))
	if s.Info.OfCPU || s.Info.Clock != trace.Dual {
		t.Fatalf("of CPU time: %t, clock %s", s.Info.OfCPU, s.Info.Clock)
	}
	self, _ := selfTimes(t, s)
	if self["a.B.f"] != 200*time.Millisecond || self["a.B.park"] != 0 || self["a.B.g"] != 200*time.Millisecond {
		t.Errorf("CPU time %v, want 200ms of f and of g", self)
	}
}

// TestJFRAlwaysRunning: with a wall interval in the settings, samples of runnable threads are samples
// of wall time, even if no thread slept.
func TestJFRAlwaysRunning(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, asyncJFR("", "RUNNABLE 100 f", "RUNNABLE 300 f", "RUNNABLE 500 g"))
	self, _ := selfTimes(t, s)
	if s.Info.OfCPU || self["a.B.f"] != 400*time.Millisecond || self["a.B.g"] != 200*time.Millisecond {
		t.Errorf("of CPU time: %t, times %v, want 400ms of f and 200ms of g as running wall time", s.Info.OfCPU, self)
	}
}

// TestJFRExecution checks that samples of runnable threads are samples of CPU time if there are no
// settings and no samples of sleeping threads. The JDK's own samples have this state.
func TestJFRExecution(t *testing.T) {
	text := strings.ReplaceAll(asyncJFR("", "RUNNABLE 100 f", "RUNNABLE 120 f", "RUNNABLE 140 g"), "ActiveSetting", "Other")
	self, _ := selfTimes(t, formattest.Parse(t, stackdump.Config{}, text))
	if self["a.B.f"] != 40*time.Millisecond || self["a.B.g"] != 20*time.Millisecond {
		t.Errorf("CPU time %v, want 40ms of f and 20ms of g", self)
	}
}

// TestJFRLoad checks CPU time against the process's load. Three samples of 10 ms have 30 ms of CPU
// time. On 4 cores, two seconds have 8 ms of CPU time at a load of 0.1 %, and 80 ms at 1 %.
func TestJFRLoad(t *testing.T) {
	loads := func(user string) string {
		text := `, {"type": "jdk.CPUInformation", "values": {"startTime": "2026-01-02T03:04:00Z", "hwThreads": 4}}`
		for second := range 2 {
			text += fmt.Sprintf(`, {"type": "jdk.CPULoad", "values": {"startTime": "2026-01-02T03:04:%02dZ", "jvmUser": %s, "jvmSystem": 0.0, "machineTotal": 0.5}}`, second, user)
		}
		return text
	}
	const want = "samples have a CPU time of 30 ms, but the process used 8 ms according to jdk.CPULoad"
	for user, warns := range map[string]bool{"0.001": true, "0.01": false} {
		s := formattest.Parse(t, stackdump.Config{}, asyncJFR(loads(user), "DEFAULT 100 f", "DEFAULT 200 f", "DEFAULT 300 f"))
		selfTimes(t, s)
		if got := warningsOf(s); strings.Contains(got, want) != warns {
			t.Errorf("load %s: warnings %q, want one of CPULoad: %t", user, got, warns)
		}
	}
}
