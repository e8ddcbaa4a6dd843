package jfr_test

import (
	"strings"
	"testing"
	"time"

	"artifice/format/internal/formattest"
	"artifice/format/internal/jfr"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// selfTimes returns the CPU time of each method: self time, and total time on the stack.
func selfTimes(t *testing.T, s *stackdump.Sequence) (self, total map[string]time.Duration) {
	t.Helper()
	self, total = map[string]time.Duration{}, map[string]time.Duration{}
	stacks, last := map[trace.ThreadID][]string{}, map[trace.ThreadID]time.Duration{}
	for _, e := range tracetest.Events(t, s.Events) {
		stack := stacks[e.Thread]
		if ran := e.CPU - last[e.Thread]; len(stack) > 0 {
			self[stack[len(stack)-1]] += ran
			for _, m := range stack { // no method is recursive here
				total[m] += ran
			}
		}
		last[e.Thread] = e.CPU
		if e.Action == trace.Enter {
			stacks[e.Thread] = append(stack, s.Symbols.Method(e.Method).FullName())
		} else {
			stacks[e.Thread] = stack[:len(stack)-1]
		}
	}
	return self, total
}

// TestJFR checks a recording of JDK 17 with the configuration "profile", whose execution samples
// have a period of 10 ms. The expected number of samples of each method is counted in the output of
// `jfr print --events ExecutionSample`: grep -c 'P.a()' and so on.
func TestJFR(t *testing.T) {
	s := formattest.OpenDumps(t, stackdump.Config{}, "testdata/spin.json")
	self, total := selfTimes(t, s)
	const period = 10 * time.Millisecond
	for m, samples := range map[string]time.Duration{
		"P.spin": 14, "P.a": 6, "P.b": 8, "P.main": 6, "P.lambda$main$0": 8, "java.lang.Thread.run": 8, "P$$Lambda$88.run": 8,
	} {
		if total[m] != samples*period {
			t.Errorf("%s: %s, want %s", m, total[m], samples*period)
		}
	}
	if self["P.spin"] != 14*period {
		t.Errorf("self times %v, want %s of P.spin", self, 14*period)
	}
	if n := s.Symbols.Threads; s.Counts().Format != jfr.Format.Dumps || len(n) != 2 || n[0].Name != "main" || n[1].Name != "worker-1" {
		t.Errorf("format %s, threads %v", s.Counts().Format.Name, n)
	}
}

// smallJFR has samples of CPU time with the field names of JDK 25 (jdk.CPUTimeSample in its
// metadata.xml: eventThread, stackTrace, failed, samplingPeriod). It also has a sample of another
// kind, one without a stack, and one of a thread in native code.
const smallJFR = `{"recording": {"events": [
{"type": "jdk.ActiveSetting", "values": {"id": 1, "name": "period", "value": "20 ms"}},
{"type": "jdk.ExecutionSample", "values": {"startTime": "2026-01-02T03:04:05.000+01:00", "sampledThread": {"javaName": "main", "javaThreadId": 1}, "stackTrace": {"truncated": false, "frames": [{"method": {"type": {"name": "a\/B"}, "name": "f", "descriptor": "()V"}, "lineNumber": 7, "type": "Interpreted"}]}}},
{"type": "jdk.NativeMethodSample", "values": {}},
{"type": "jdk.CPUTimeSample", "values": {"startTime": "2026-01-02T02:04:05.010Z", "eventThread": {"osName": "C2", "osThreadId": 9, "javaThreadId": 0}, "stackTrace": null, "failed": true, "samplingPeriod": "PT0.005S"}},
{"type": "jdk.CPUTimeSample", "values": {"startTime": "2026-01-02T02:04:05.011Z", "eventThread": {"javaName": "main", "javaThreadId": 1}, "stackTrace": {"truncated": true, "frames": [{"method": {"type": {"name": "a\/B"}, "name": "g", "descriptor": "()V"}, "lineNumber": -1, "type": "Native"}, {"method": {"type": {"name": "a\/B"}, "name": "f", "descriptor": "()V"}, "lineNumber": 7, "type": "Interpreted"}]}, "failed": false, "samplingPeriod": "PT0.005S"}},
{"type": "jdk.CPUTimeSample", "values": {"startTime": "2026-01-02T02:04:05.017Z", "eventThread": {"javaName": "main", "javaThreadId": 1}, "stackTrace": {"truncated": false, "frames": [{"method": {"type": {"name": "a\/B"}, "name": "f", "descriptor": "()V"}, "lineNumber": 7, "type": "Interpreted"}]}, "failed": false, "samplingPeriod": "PT0.007S"}}
]}}
`

// TestJFRCPUTime checks that samples of CPU time, each with its own period, take precedence over
// other samples. A warning states which samples are ignored.
func TestJFRCPUTime(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, smallJFR)
	self, total := selfTimes(t, s)
	if self["a.B.g"] != 5*time.Millisecond || self["a.B.f"] != 7*time.Millisecond || total["a.B.f"] != 12*time.Millisecond {
		t.Errorf("self times %v, total times %v; want self times a.B.g 5ms and a.B.f 7ms, total time a.B.f 12ms", self, total)
	}
	var warnings []string
	for _, w := range s.Warnings {
		warnings = append(warnings, w.String())
	}
	for _, want := range []string{"1 samples of threads in native code", "1 samples have no stack", "1 stacks are truncated", "1 samples of jdk.ExecutionSample are ignored, because there are 3 samples of CPU time"} {
		if !strings.Contains(strings.Join(warnings, "\n"), want) {
			t.Errorf("no warning has %q: %q", want, warnings)
		}
	}
}

// TestJFRBad checks that impossible data of a sample is an error with its line.
func TestJFRBad(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{"2026-01-02T02:04:05.011Z", "yesterday", `x:6: the startTime "yesterday" is not a date and time`},
		{"2026-01-02T02:04:05.011Z", "2226-01-02T02:04:05Z", "from that of the first sample"},
		{"PT0.007S", "7 ms", `x:7: the samplingPeriod "7 ms" is not a duration`},
		{`"javaThreadId": 1}, "stackTrace": {"truncated": true`, `"javaThreadId": "1"}, "stackTrace": {"truncated": true`, "x:6: invalid jdk.CPUTimeSample event: eventThread.javaThreadId has a value of the wrong type: string"},
		{"]}}\n", "", "the rest of the JSON cannot be read; it may be truncated"},
	} {
		text := strings.Replace(smallJFR, test.old, test.new, 1)
		if text == smallJFR {
			t.Fatalf("%q is not there", test.old)
		}
		s, err := formattest.New(strings.NewReader(text), "x", stackdump.Config{})
		if err == nil {
			_, err = trace.Copy(trace.Discard, s)
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.new, err, test.want)
		}
	}
}
