package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"artifice/internal/testdata"
)

// TestValuesOfOtherReaders checks that reports of profiles and dumps of other programs have the
// values that other readers print. The README.md next to the files states the sources.
func TestValuesOfOtherReaders(t *testing.T) {
	for _, c := range []struct {
		file string
		args []string
		want []string // regular expressions of lines
	}{
		{"async-cpu-wall.jfr.json", []string{"--thread", "all"}, []string{
			`^[^\n]*sampled every 10 ms, 50 samples`, `(?m)^main: CPU 500 ms$`, `(?m)^500 ms .* 100.0 % .*Work\.compute$`,
			`warning: .*40 samples of wall time are ignored \(37 of sleeping threads\), because the file has 50 samples of CPU time`}},
		{"anr-headless-part.txt", nil, []string{
			`warning: .*:15: a stack without the first line of its thread is ignored`, `warning: .*:18: a dump has no first line`, `(?m)^1 dump of other processes not shown`}},
		{"chrome-devtools-profilechunk.json", nil, []string{`sampled every 1 ms, 4 samples`, `(?m)^3 ms .* 75\.0 % .* hot$`, `(?m)^1 ms .* 4 ms .* handler$`, `--input-format chrome reads the calls instead; number of events: 2`}},
		{"chrome-pf928.json", nil, []string{`warning: .*calls that end after their caller are shortened to end with their caller: 1 call, by 50 µs in total`}},
		{"matrix-report.json", nil, []string{`(?m)^ *1\.1 s .* 1\.1 s +1  method_8$`, `(?m) 1\.4 s +1  method_7$`}},
		{"twoproc.json", []string{"--thread", "all"}, []string{`4 threads`, `(?m)^800 µs .* 2  A\.m$`, `(?m)^200 µs .* 2  A\.n$`, `(?m)^140 µs .* 2  A\.w$`}},
	} {
		t.Run(c.file, func(t *testing.T) {
			status, stdout, stderr := artifice(append([]string{"report", testdata.Path(t, "field", c.file)}, c.args...)...)
			if status != exitOK {
				t.Fatal(stderr)
			}
			for _, want := range c.want {
				if text := stdout + stderr; !regexp.MustCompile(want).MatchString(text) {
					t.Errorf("nothing matches %s:\n%s", want, text)
				}
			}
		})
	}
}

// TestWallSamples checks a recording of async-profiler with 20 samples of wall time of each thread,
// 200 ms apart: main is running in 3 of them, pool-1 in none.
func TestWallSamples(t *testing.T) {
	name := testdata.Path(t, "field", "async-cpu-wall.jfr.json")
	for thread, want := range map[string]string{"main": "main: CPU 600 ms, waiting 3.4 s", "pool-1": "pool-1: CPU 0 s, waiting 4 s"} {
		if status, stdout, stderr := artifice("report", name, "--event", "wall", "--thread", thread); status != exitOK || !strings.Contains(stdout, want) {
			t.Errorf("%s: want %q: %s%s", thread, want, stdout, stderr)
		}
	}
}

// TestTwoProcesses checks that two processes, whose threads have the same id, remain separate in
// every format: three methods are called twice, on four threads.
func TestTwoProcesses(t *testing.T) {
	source, dir := testdata.Path(t, "field", "twoproc.json"), t.TempDir()
	for _, format := range []string{"x.trace", "x.txt", "chrome.json", "x.pftrace", "x.speedscope.json", "x.firefox.json", "x.systrace"} {
		out := filepath.Join(dir, format)
		args := []string{"convert", source, "-o", out, "-q"}
		switch format {
		case "chrome.json":
			args = append(args, "--format", "chrome")
		case "x.firefox.json":
			args = append(args, "--format", "firefox")
		case "x.systrace":
			args = append(args, "--format", "atrace")
		}
		if status, _, stderr := artifice(args...); status != exitOK {
			t.Errorf("%s: %s", format, stderr)
			continue
		}
		status, stdout, stderr := artifice("report", out, "--thread", "all", "--json", "--by", "thread")
		var rows []struct{ Calls int }
		if err := json.Unmarshal([]byte(stdout), &rows); err != nil || status != exitOK {
			t.Errorf("%s: %v %s", format, err, stderr)
			continue
		}
		calls := 0
		for _, r := range rows {
			calls += r.Calls
		}
		if len(rows) != 4 || calls != 6 {
			t.Errorf("%s: %d threads with %d calls, want 4 with 6: %s", format, len(rows), calls, stdout)
		}
	}
}
