package stackdump

import (
	"strings"
	"testing"

	"artifice/internal/testdata"
)

func TestDetect(t *testing.T) {
	prose := strings.Repeat("2023-04-04 INFO nothing happens\n", 1000)
	for _, test := range []struct {
		text string
		want Format
	}{
		{anrTwoDumps, ANR},
		{"Subject: Input dispatching timed out\n" + anrTwoDumps, ANR},
		{prose + "Full thread dump OpenJDK 64-Bit Server VM (17 mixed mode):\n", JVM},
		{"63406\n2025-06-10T00:49:22.146091Z\n21.0.1\n\n#1 \"main\"\n", JVMText},
		{"63406\n2025-06-10\n21.0.1\n\n#1 \"main\"\n", ""},
		{`{"threadDump": {`, JVMJSON},
		{"\n {\n  \"threadDump\": {", JVMJSON},
		{`{"startTime":1,"stackTraceSamples":[]}`, BlockInfo},
		{`{"thread":"m","time_us":1,"frames":[]}` + "\n", JSONLines},
		{`ames":["a"]}` + "\n" + `{"thread":"m","time_us":1,"frames":[]}`, JSONLines},
		{"a;b 1\n", Folded},
		{"# c\n\n// c\na 1", Folded},
		{"app 7 1.0: cycles:\n\t1 f (x)\n", Perf},
		{"# c\n#\nV8 W 1/2 [000] 1.5: 3 cycles:u:\n", Perf},
		{"func_ab 15294 cpu-clock: \n\t          400570 func_b (/root/lang/func_ab)\n", Perf},
		{"func_ab 15294 cpu-clock: \n400570 func_b (/root/lang/func_ab)\n", Perf},
		{"func_ab 15294 cpu-clock: \n400570 func_b\n", ""},
		{"    false 39654 19115.489713:   1 cycles:u:  ffffffff9b201293 [unknown] ([unknown])\n", Perf},
		{"    false 39654 cycles:u:  ffffffff9b201293 [unknown] ([unknown])\n", ""},
		{"a;b 0\na;c 2\n", Folded},
		{"a;b 0.5\n", Folded},
		{"a 0\nb 0\n", ""},
		{"MAIN MAIN <built-in> 103 0 0.0 0.0 0.0 100.0\nCAF GHC <entire-module> 190 0 0.0 0.0 0.0 5.0\n", ""},
		{"app 7\n\t1 f (x)\n", Perf},
		{"app 7\nb 8\n", Folded},
		{"sample:\n  event_type: cpu-clock\n", Simpleperf},
		{"metric\nsample:\n  event_type: cpu-clock\n", Simpleperf},
		{"a sample:\n  event_type: cpu-clock\n", ""},
		{"\"m\" id=3 in RUNNABLE\n    at a.b(C.java:1)\n", JVM},
		{prose + "\"m\" - Thread t@3\r\n   java.lang.Thread.State: RUNNABLE\r\n\tat a.b(C.java:1)\r\n", JVM},
		{"\"m\" id=3 in RUNNABLE\n\n", ""},
		{"", ""},
		{prose, ""},
		{"{}", ""},
		{`{"a":1}`, ""},
		{"*version\n3\nclock=dual\n", ""},
		{"# artifice text trace\ninfo\tclock\tdual\nthread\t1\tmain\nmethod\t0x4\ta\tb\t()V\n0 0 1 enter a.b()V\n", ""},
		{"Scenario: x\nDuration: PT10S\nDump Interval: PT2S\nDumps Captured: 6\n", ""},
		{"dt\nver|3\n", Profilo},
		{"\x04\x03\x02\x01\x00\x00\x00\x00\x05\x00\x00\x00" + strings.Repeat("\x00", 16), Btrace3},
		{"SIMPLEPERF\x01\x00\x04\x00\x00\x00", SimpleperfProto},
		{smallCPUProfile, CPUProfile},
		{smallSpeedscope, Speedscope},
		{smallJFR, JFR},
		{smallFirefox, Firefox},
		{`{"traceEvents":[{"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{}}]}}}}]}`, ""},
		{"SIMPLEPERF\x02\x00\x04\x00\x00\x00", ""},
		{"\v\n", ""},
		{"SLOW\x03\x00\x20\x00\nFull thread dump \n", ""},
		{"*version\n3\nFull thread dump 1\n", ""},
	} {
		got, ok := Detect([]byte(test.text))
		if got != test.want || ok != (test.want != "") {
			t.Errorf("%.60q: %q %t, want %q", test.text, got, ok, test.want)
		}
	}
}

// Method traces are none of ours.
func TestDetectLeavesMethodTraces(t *testing.T) {
	for _, name := range []string{"sampled-art-file.trace", "sampled-streaming.trace", "tiny-basic.trace"} {
		if s, err := Open([]string{testdata.Path(t, "traces", name)}, Config{}); err == nil {
			t.Errorf("%s is taken for %s", name, s.Counts().Format)
		}
	}
}
