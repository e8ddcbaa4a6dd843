package stackdump_test

import (
	"strings"
	"testing"

	"artifice/format"
	"artifice/format/internal/anr"
	"artifice/format/internal/blockinfo"
	"artifice/format/internal/btrace"
	"artifice/format/internal/folded"
	"artifice/format/internal/formattest"
	"artifice/format/internal/jsonlines"
	"artifice/format/internal/jvm"
	"artifice/format/internal/perf"
	"artifice/format/internal/profilo"
	"artifice/format/internal/simpleperf"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata"
)

func TestDetect(t *testing.T) {
	prose := strings.Repeat("2023-04-04 INFO nothing happens\n", 1000)
	for _, test := range []struct {
		text string
		want *stackdump.Format
	}{
		{formattest.ANR, anr.Format.Dumps},
		{"Subject: Input dispatching timed out\n" + formattest.ANR, anr.Format.Dumps},
		{prose + "Full thread dump OpenJDK 64-Bit Server VM (17 mixed mode):\n", jvm.Format.Dumps},
		{"63406\n2025-06-10T00:49:22.146091Z\n21.0.1\n\n#1 \"main\"\n", jvm.Text.Dumps},
		{"63406\n2025-06-10\n21.0.1\n\n#1 \"main\"\n", nil},
		{`{"threadDump": {`, jvm.JSON.Dumps},
		{"\n {\n  \"threadDump\": {", jvm.JSON.Dumps},
		{`{"startTime":1,"stackTraceSamples":[]}`, blockinfo.Format.Dumps},
		{`{"thread":"m","time_us":1,"frames":[]}` + "\n", jsonlines.Format.Dumps},
		{`ames":["a"]}` + "\n" + `{"thread":"m","time_us":1,"frames":[]}`, jsonlines.Format.Dumps},
		{"a;b 1\n", folded.Format.Dumps},
		{"# c\n\n// c\na 1", folded.Format.Dumps},
		{"app 7 1.0: cycles:\n\t1 f (x)\n", perf.Format.Dumps},
		{"# c\n#\nV8 W 1/2 [000] 1.5: 3 cycles:u:\n", perf.Format.Dumps},
		{"func_ab 15294 cpu-clock: \n\t          400570 func_b (/root/lang/func_ab)\n", perf.Format.Dumps},
		{"func_ab 15294 cpu-clock: \n400570 func_b (/root/lang/func_ab)\n", perf.Format.Dumps},
		{"func_ab 15294 cpu-clock: \n400570 func_b\n", nil},
		{"    false 39654 19115.489713:   1 cycles:u:  ffffffff9b201293 [unknown] ([unknown])\n", perf.Format.Dumps},
		{"    false 39654 cycles:u:  ffffffff9b201293 [unknown] ([unknown])\n", nil},
		{"a;b 0\na;c 2\n", folded.Format.Dumps},
		{"a;b 0.5\n", folded.Format.Dumps},
		{"a 0\nb 0\n", nil},
		{"MAIN MAIN <built-in> 103 0 0.0 0.0 0.0 100.0\nCAF GHC <entire-module> 190 0 0.0 0.0 0.0 5.0\n", nil},
		{"app 7\n\t1 f (x)\n", perf.Format.Dumps},
		{"app 7\nb 8\n", folded.Format.Dumps},
		{"sample:\n  event_type: cpu-clock\n", simpleperf.Text.Dumps},
		{"metric\nsample:\n  event_type: cpu-clock\n", simpleperf.Text.Dumps},
		{"a sample:\n  event_type: cpu-clock\n", nil},
		{"\"m\" id=3 in RUNNABLE\n    at a.b(C.java:1)\n", jvm.Format.Dumps},
		{prose + "\"m\" - Thread t@3\r\n   java.lang.Thread.State: RUNNABLE\r\n\tat a.b(C.java:1)\r\n", jvm.Format.Dumps},
		{"\"m\" id=3 in RUNNABLE\n\n", nil},
		{"", nil},
		// The first line is longer than the bytes passed to Detect.
		{strings.Repeat("a;b;", 1<<19) + "c 3\nd 1\n", folded.Format.Dumps},
		{strings.Repeat("{;", 1<<20), nil},
		{strings.Repeat("\x01;", 1<<20), nil},
		{strings.Repeat("lorem ipsum dolor sit amet 12\n", 8), nil},
		{"a;b 1\nint main(int, char) 5\n", folded.Format.Dumps},
		{"a;b 1\n\x00;c 2\n", nil},
		{prose, nil},
		{"{}", nil},
		{`{"a":1}`, nil},
		{"*version\n3\nclock=dual\n", nil},
		{"# artifice text trace\ninfo\tclock\tdual\nthread\t1\tmain\nmethod\t0x4\ta\tb\t()V\n0 0 1 enter a.b()V\n", nil},
		{"Scenario: x\nDuration: PT10S\nDump Interval: PT2S\nDumps Captured: 6\n", nil},
		{"dt\nver|3\n", profilo.Format.Dumps},
		{"\x04\x03\x02\x01\x00\x00\x00\x00\x05\x00\x00\x00" + strings.Repeat("\x00", 16), btrace.Sampling.Dumps},
		{"SIMPLEPERF\x01\x00\x04\x00\x00\x00", simpleperf.Proto.Dumps},
		{`{"traceEvents":[{"args":{"data":{"cpuProfile":{"nodes":[{"callFrame":{}}]}}}}]}`, nil},
		{"SIMPLEPERF\x02\x00\x04\x00\x00\x00", nil},
		{"\v\n", nil},
		{"SLOW\x03\x00\x20\x00\nFull thread dump \n", nil},
		{"*version\n3\nFull thread dump 1\n", nil},
	} {
		if got := stackdump.Detect([]byte(test.text[:min(len(test.text), stackdump.SniffLen)]), format.Dumps()); got != test.want {
			t.Errorf("%.60q: %s, want %s", test.text, got, test.want)
		}
	}
}

// TestDetectLeavesMethodTraces checks that method traces are not recognized as dumps.
func TestDetectLeavesMethodTraces(t *testing.T) {
	for _, name := range []string{"sampled-art-file.trace", "sampled-streaming.trace", "tiny-basic.trace"} {
		if s, err := formattest.OpenAll([]string{testdata.Path(t, "traces", name)}, stackdump.Config{}); err == nil {
			t.Errorf("%s is recognized as %s", name, s.Counts().Format)
		}
	}
}

// TestExcerpts checks that files quoted in emails, issues, pages and diffs are read like the files
// themselves.
func TestExcerpts(t *testing.T) {
	before := func(mark string) func(string) string {
		return func(text string) string {
			return strings.TrimSuffix(mark+strings.ReplaceAll(text, "\n", "\n"+mark), mark)
		}
	}
	for _, text := range []string{
		"\"main\" #1 prio=5 os_prio=0 tid=0x1 nid=0x1 runnable  [0x7]\n   java.lang.Thread.State: RUNNABLE\n\tat a.B.<init>(B.java:3)\n\t- locked <0x7> (a a.L)\n\tat a.B.main(B.java:1)\n\n",
		"----- pid 7 at 2023-04-04 22:06:31 -----\nCmd line: a\nDALVIK THREADS (1):\n\"main\" prio=5 tid=1 Native\n  | sysTid=7 nice=0\n  at a.B.<init>(B.java:3)\n  - locked <0x07> (a a.L)\n  at a.B.main(B.java:1)\n\n----- end 7 -----\n",
		"app 7/7 [000] 1.000000:     1000000 cpu-clock:u: \n\t          401140 f<int>+0x3 (/bin/app)\n\t          401136 main+0x30 (/bin/app)\n\napp 7/7 [000] 1.001000:     2000000 cpu-clock:u: \n\t          401150 g<int>+0x3 (/bin/app)\n\n",
		"main;f<int> 10\nmain;g(a&) 20\n",
		"@[\n    f<int>+1\n    main+2\n]: 5\n@[\n    g+1\n]: 7\n",
		"sample:\n  event_type: cpu-clock\n  time: 1000\n  event_count: 1000000\n  thread_id: 7\n  thread_name: main\n  vaddr_in_file: 1\n  file: /a.so\n  symbol: f<int>\n",
		"*** *** *** *** *** *** *** ***\npid: 7, tid: 7, name: main  >>> a <<<\nbacktrace:\n      #00 pc 0000000000000001  /libc.so (f<int>(a&)+20)\n",
	} {
		want := formattest.Text(t, formattest.Parse(t, stackdump.Config{}, text))
		for name, quoted := range map[string]string{
			"email":       before("> ")(text),
			"two levels":  before("> > ")(text),
			"no blanks":   before(">")(text),
			"indented":    before("    ")(text),
			"tabs":        before("\t")(text),
			"added":       before("+")(text),
			"diff":        "--- /dev/null\n+++ b/x\n@@ -0,0 +1,9 @@\n" + before("+")(text),
			"fence":       "Here:\n\n```\n" + text + "```\nThanks\n",
			"quoted code": before("> ")("```java\n" + text + "```\n"),
			"details":     "<details>\n\n```\n" + text + "```\n\n</details>\n",
			"Jira":        "{noformat}\n" + text + "{noformat}\n",
			"entities":    strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;", "\"", "&quot;").Replace(text),
			"backticks":   strings.ReplaceAll(before("`")(strings.ReplaceAll(text, "\n", "`\n")), "``", ""),
			"line ends":   strings.ReplaceAll(strings.ReplaceAll(text, "\n", "`\n"), "\n`\n", "\n\n"),
			"page":        "<!DOCTYPE html>\n<html><body>\n<p>Here &gt;</p>\n<pre><code class=\"x\">" + strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;").Replace(text) + "</code></pre>\n</body></html>\n",
			"raw block":   "Hi\n<pre>\n" + text + "</pre>\n",
			"escapes":     strings.NewReplacer("<", "\\<", "_", "\\_", "*", "\\*").Replace(text),
			"blanks":      strings.ReplaceAll(text, "\n", "  \n"),
			"CRLF":        before("> ")(strings.ReplaceAll(text, "\n", "\r\n")),
		} {
			s, err := formattest.New(strings.NewReader(quoted), "x", stackdump.Config{})
			if err != nil {
				t.Errorf("%s: %v\n%s", name, err, quoted)
				continue
			}
			if got := formattest.Text(t, s); got != want {
				t.Errorf("%s: %s\nwant %s\n%s", name, got, want, quoted)
			}
		}
	}
}
