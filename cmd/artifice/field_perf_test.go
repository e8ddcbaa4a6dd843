package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"artifice/internal/testdata"
)

// TestPerfFiles checks reports of profiles in the form of public ones. The times are numbers of
// samples times their periods. A wait lasts from a switch to the thread's next sample, less the CPU
// time of the sample before.
func TestPerfFiles(t *testing.T) {
	for _, test := range []struct {
		file    string
		times   string   // of the thread, without decoration
		methods []string // "self total name"
		warning string
	}{
		{"cpu-first.simpleperf", "main: CPU 900 ms, waiting 990 ms (off-CPU samples; --waiting lists them)", []string{"900 ms 900 ms Work.compute", "0 s 900 ms Main.loop"}, "context switches are read as waits: sched:sched_switch (100 samples)"},
		{"switch-first.simpleperf", "main: CPU 900 ms, waiting 991 ms (off-CPU samples; --waiting lists them)", []string{"900 ms 900 ms Work.compute", "0 s 900 ms Main.loop"}, "context switches are read as waits: sched:sched_switch (101 samples)"},
		{"perf-two-events.txt", "app: CPU 3 ms, waiting 1 ms (off-CPU samples; --waiting lists them)", []string{"3 ms 3 ms compute", "0 s 3 ms main"}, "samples of cpu-clock are read; context switches are read as waits: sched:sched_switch (2 samples)"},
		{"perf-speedscope393.txt", "grpc-default-wo: CPU 122 ms", []string{"122 ms 122 ms work"}, ""},
		{"fg192.txt", "bastel: CPU 10 ms", []string{"10 ms 10 ms foo<(some_enum)0>::bar", "0 s 10 ms operator()", "0 s 10 ms main", "0 s 10 ms [unknown]"}, ""},
		{"perf-srcline.txt", "app: CPU 20 ms", []string{"20 ms 20 ms leaf", "0 s 20 ms outer"}, ""},
		{"nostack.txt", "stuff: CPU 20 ms", []string{"10 ms 10 ms _start", "10 ms 10 ms main"}, ""},
	} {
		file := testdata.Path(t, "field", test.file)
		status, stdout, stderr := artifice("report", file)
		if status != exitOK {
			t.Errorf("%s: %s", test.file, stderr)
			continue
		}
		if lines := strings.Split(stdout, "\n"); lines[1] != test.times {
			t.Errorf("%s: %s, want %s", test.file, lines[1], test.times)
		}
		for _, m := range test.methods {
			f := strings.Fields(m)
			row := regexp.MustCompile(`(?m)^ *` + f[0] + ` ` + f[1] + ` .* ` + f[2] + ` ` + f[3] + ` .* ` + regexp.QuoteMeta(f[4]) + `$`)
			if !row.MatchString(stdout) {
				t.Errorf("%s: no row %q in\n%s", test.file, m, stdout)
			}
		}
		if !strings.Contains(stderr, test.warning) || test.warning == "" && stderr != "" {
			t.Errorf("%s: warnings %q, want %q", test.file, stderr, test.warning)
		}
	}
}

// TestPerfWeights checks that six samples of 20.408163 ms of CPU time in six seconds are
// 122,448,978 ns in every format. The time between the samples is idle.
func TestPerfWeights(t *testing.T) {
	const want = 6 * 20_408_163 / 1e6 // ms
	file := testdata.Path(t, "field", "perf-speedscope393.txt")
	var speedscope struct {
		Profiles []struct{ Weights []float64 }
	}
	var firefox struct {
		Threads []struct {
			Samples struct {
				Stack          []*int
				Weight         []float64
				ThreadCPUDelta []float64
			}
		}
	}
	var chrome struct {
		TraceEvents []struct{ Dur float64 }
	}
	for format, doc := range map[string]any{"speedscope": &speedscope, "firefox": &firefox, "chrome": &chrome} {
		out := filepath.Join(t.TempDir(), "x.json")
		if status, _, stderr := artifice("convert", file, "--format", format, "-o", out); status != exitOK {
			t.Fatal(stderr)
		}
		text, err := os.ReadFile(out)
		if err == nil {
			err = json.Unmarshal(text, doc)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	sum := func(list []float64) (sum float64) {
		for _, n := range list {
			sum += n
		}
		return sum
	}
	same := func(what string, got float64) {
		if got < want-0.001 || got > want+0.001 {
			t.Errorf("%s: %.6f ms, want %.6f", what, got, want)
		}
	}
	same("speedscope", sum(speedscope.Profiles[0].Weights)/1e6)
	if n := len(speedscope.Profiles[0].Weights); n != 6 {
		t.Errorf("speedscope: %d samples", n)
	}
	samples := firefox.Threads[0].Samples
	ran := slices.Clone(samples.Weight)
	for i, stack := range samples.Stack {
		if stack == nil {
			ran[i] = 0
		}
	}
	same("firefox", sum(ran))
	same("firefox, threadCPUDelta", sum(samples.ThreadCPUDelta)/1e6)
	slices, all := 0, 0.0
	for _, e := range chrome.TraceEvents {
		if e.Dur > 0 {
			slices++
			all += e.Dur / 1e3
		}
	}
	same("chrome", all)
	if slices != 6 {
		t.Errorf("chrome: %d slices", slices)
	}
	for _, ending := range []string{"folded", "pb.gz", "pftrace", "trace", "txt"} {
		out := filepath.Join(t.TempDir(), "x."+ending)
		if status, _, stderr := artifice("convert", "-q", file, "-o", out); status != exitOK {
			t.Fatal(stderr)
		}
		if _, stdout, _ := artifice("report", out, "--csv"); !regexp.MustCompile(`,12244[89]\d{3},`).MatchString(stdout) {
			t.Errorf("%s:\n%s", ending, stdout)
		}
	}
}

// TestEvent checks that --event reads another event. If the file lacks the event, the error lists
// the file's events.
func TestEvent(t *testing.T) {
	file := testdata.Path(t, "field", "switch-first.simpleperf")
	_, stdout, _ := artifice("report", file, "--event", "sched_switch")
	if !strings.Contains(stdout, "main: wall 1.09 s, including 1.09 s waiting (off-CPU samples)") {
		t.Errorf("event sched_switch: want waits only:\n%s", stdout)
	}
	misses := filepath.Join(t.TempDir(), "misses.perf")
	writeFile(t, misses, "a 1/1 1.5: 1000 cycles: \n\t40 f (/bin/x)\n\na 1/1 1.6: 70 cache-misses: \n\t40 g (/bin/x)\n\n")
	if _, stdout, stderr := artifice("report", misses, "--event", "cache-misses"); !strings.Contains(stdout, "a: cache-misses 70") {
		t.Errorf("event cache-misses: %s%s", stdout, stderr)
	}
	for file, want := range map[string]string{
		"switch-first.simpleperf": "no samples of event instructions (--event); the file has cpu-clock (900 samples), sched:sched_switch (101 samples)",
		"three.folded":            "--event applies to CPU profiles of perf, simpleperf, Perfetto and JFR",
	} {
		if status, _, stderr := artifice("report", testdata.Path(t, "field", file), "--event", "instructions"); status == exitOK || !strings.Contains(stderr, want) {
			t.Errorf("%s: %d %s, want %s", file, status, stderr, want)
		}
	}
}
