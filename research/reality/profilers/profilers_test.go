package profilers

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"artifice/bench/expect"
	"artifice/internal/testdata"
	"artifice/trace"
)

// TestCorrectStack: a thread is in root and work from 1 to 5 ms. A sample at 2 ms with both, and
// with frames of the C library and the kernel, is correct; one with root only is not. Of a stack
// that perf truncated at 127 frames, the innermost part is compared. Samples before the first
// method and of other threads are ignored.
func TestCorrectStack(t *testing.T) {
	const ms = time.Millisecond
	log, err := parseLog(logOf(record(ms/2, kindEnter, 0), record(ms, kindEnter, 1), record(5*ms, kindLeave, 1), record(6*ms, kindLeave, 0)))
	if err != nil {
		t.Fatal(err)
	}
	cut := make([]string, deepest)
	for i := range cut {
		cut[i] = "memcpy"
	}
	cut[3] = "work"
	n, of := right([]perfSample{
		{tid: 8, at: 100 + 2*ms, frames: []string{"asm_sysvec", "work", "root", "start_thread"}},
		{tid: 8, at: 100 + 3*ms, frames: []string{"root", "start_thread"}},
		{tid: 8, at: 100 + 4*ms, frames: cut},
		{tid: 8, at: 100, frames: []string{"start_thread"}},
		{tid: 9, at: 100 + 2*ms, frames: []string{"work"}},
	}, log)
	if n != 2 || of != 3 {
		t.Errorf("%d of %d are correct, want 2 of 3", n, of)
	}
}

func TestPerfHead(t *testing.T) {
	s, err := perfHead("logged 3309/3310   1736.903370955:    1003009 cpu-clock: ")
	if want := 1736*time.Second + 903370955*time.Nanosecond; err != nil || s.pid != 3309 || s.tid != 3310 || s.at != want {
		t.Errorf("%+v, %v", s, err)
	}
	for _, bad := range []string{"logged", "logged 3309 1.000000001: x", "logged 1/2 1.01: cpu-clock:", "logged 1/2 now: cpu-clock:"} {
		if _, err := perfHead(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// TestOtherRun: profiles with other times or another process than the log are rejected.
func TestOtherRun(t *testing.T) {
	log := &truth{pid: 7, monotonic: 1000 * time.Second, unix: time.Duration(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).UnixNano()), length: time.Second}
	for _, c := range []struct {
		profiler, text string
		same           bool
	}{
		{"perf", "a 7/8 1000.500000000: 1 cpu-clock:\n\t1 work\n", true},
		{"perf", "a 6/8 1000.500000000: 1 cpu-clock:\n\t1 work\n", false},
		{"perf", "a 7/8 2000.500000000: 1 cpu-clock:\n\t1 work\n", false},
		{"jfr", `{"startTime": "2026-01-02T03:04:05.010Z"}`, true},
		{"jfr", `{"startTime": "2026-01-02T05:04:05+01:00"}`, false},
		{"jfr", `{}`, false},
		{"v8", `{"startTime":1000100000}`, true},
		{"v8", `{"startTime":100000}`, false},
	} {
		r := run{profile: filepath.Join(t.TempDir(), "profile")}
		for i := range all {
			if all[i].name == c.profiler {
				r.profiler = &all[i]
			}
		}
		if err := os.WriteFile(r.profile, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := r.belongs(&r, log); (err == nil) != c.same {
			t.Errorf("%s, %s: %v", c.profiler, c.text, err)
		}
	}
}

// TestCheck: an invalid configuration is an error.
func TestCheck(t *testing.T) {
	good := Config{Names: Names(), Runs: 1, Seconds: 1, Threads: 1}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for _, change := range []func(c *Config){
		func(c *Config) { c.Names = nil }, func(c *Config) { c.Names = []string{"gprof"} }, func(c *Config) { c.Runs = 0 },
		func(c *Config) { c.Seconds = 0.1 }, func(c *Config) { c.Threads = 100 }, func(c *Config) { c.Keep = true },
	} {
		c := good
		if change(&c); c.Check() == nil {
			t.Errorf("%+v: no error", c)
		}
	}
}

// TestMissing: a missing profiler is reported with its package, and the others run.
func TestMissing(t *testing.T) {
	p := profiler{name: "gprofng", commands: []string{"no-such-profiler"}, packages: "binutils"}
	if got := p.missing(); !strings.Contains(got, "no-such-profiler") || !strings.Contains(got, "binutils") {
		t.Errorf("%q", got)
	}
	t.Setenv("PATH", t.TempDir())
	var log bytes.Buffer
	_, err := Run(Config{Names: []string{"jfr", "v8"}, Runs: 1, Seconds: 1, Threads: 1, Log: &log})
	if err == nil || !strings.Contains(log.String(), "jfr: skipped: there is no java on this machine") || !strings.Contains(log.String(), "v8: skipped: there is no node") {
		t.Errorf("%v\n%s", err, log.String())
	}
}

// TestReal runs perf and Go twice, if permitted, and checks the form of the result. The accuracy of
// predictions depends on other load of the machine: research/README.md has figures.
func TestReal(t *testing.T) {
	testdata.Seldom(t, 8)
	if runtime.GOOS != "linux" || testing.Short() {
		t.Skip("runs real profilers on Linux for some seconds")
	}
	names := []string{"go"}
	if _, err := exec.LookPath("perf"); err != nil && os.Getenv("CI") == "true" {
		t.Error("perf is not installed, but CI requires it: install Debian's linux-perf")
	}
	if mayPerf() {
		names = append(names, "perf")
	} else {
		t.Log("perf is not permitted: kernel.perf_event_paranoid, or a container without the system call")
	}
	var log bytes.Buffer
	c := Config{Names: names, Runs: 2, Seconds: 1, Threads: 2, Log: &log, Dir: t.TempDir()}
	rows, err := Run(c)
	t.Logf("%s", log.String())
	if err != nil || len(rows) != len(names) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows {
		if r.Runs != 2 || r.Plain != 12 || r.Measured[0] < 0.5 || r.Predicted[0] < 0.8 || r.Samples[0] < 0.2 || r.Samples[1] > 2 || r.Given == 0 {
			t.Errorf("%+v", r)
		}
		if r.Profiler == "perf" && r.Right < r.Stacks*9/10 {
			t.Errorf("%d of perf's %d stacks are correct", r.Right, r.Stacks)
		}
	}
	if got := Table(rows).Rows; len(got) != len(rows) {
		t.Errorf("%d rows are printed", len(got))
	}
	c.Keep = true
	verdicts, err := Verdicts(c)
	if err != nil || len(verdicts) != 2*len(names) {
		t.Fatalf("%d verdicts, %v", len(verdicts), err)
	}
	for _, v := range verdicts {
		if v.Samples < 20 || v.Overlap < 0.5 || v.Outcome == expect.Fail && len(v.failures()) == 0 {
			t.Errorf("%s, run %d: %+v", v.Profiler, v.Run, v.Verdict)
		}
	}
}

// TestVerdict: root works for 2 ms and calls work for 8 ms. Two and eight samples of them agree. A
// sample of root called by work is impossible.
func TestVerdict(t *testing.T) {
	const ms = time.Millisecond
	log, err := parseLog(logOf(record(0, kindEnter, 0), record(ms, kindEnter, 1), record(9*ms, kindLeave, 1), record(10*ms, kindLeave, 0)))
	if err != nil {
		t.Fatal(err)
	}
	log.clock = trace.Dual // it was never off its core
	var profile strings.Builder
	sample := func(at int, frames ...string) {
		fmt.Fprintf(&profile, "logged 7/8 1000.%03d000000: 1000000 cpu-clock:\n\t1 %s\n\n", at, strings.Join(frames, "\n\t1 "))
	}
	for at := range 10 {
		if at%5 == 0 {
			sample(at, "root", "start_thread")
		} else {
			sample(at, "work", "root", "start_thread")
		}
	}
	r := run{profiler: &all[0], profile: filepath.Join(t.TempDir(), "profile")}
	for _, want := range []expect.Outcome{expect.Pass, expect.Fail} {
		if err := os.WriteFile(r.profile, []byte(profile.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		v, err := verdict(&r, log)
		if err != nil || v.Outcome != want || v.Overlap < 0.9 {
			t.Errorf("%+v, %v", v, err)
		}
		if want == expect.Fail {
			row := VerdictTable([]Verdict{{"perf", 2, v}}).Rows[0]
			if row[0] != "perf" || row[1] != "2" || row[2] != "11" || row[3] != "fail, 9.09 % impossible (work → root)" {
				t.Errorf("%q", row)
			}
		}
		sample(10, "root", "work", "root", "start_thread")
	}
}

// TestRunningEvents: root runs for 10 ms, 3 ms of them in doSleep, which waits.
func TestRunningEvents(t *testing.T) {
	const ms = time.Millisecond
	log, err := parseLog(logOf(record(0, kindEnter, 0), record(6*ms, kindEnter, 2), record(9*ms, kindLeave, 2), record(10*ms, kindLeave, 0)))
	if err != nil {
		t.Fatal(err)
	}
	jfr := &profiler{counts: runningTime, class: "Logged"}
	rec := log.as(jfr)
	if name := rec.Symbols.Method(0).FullName(); name != "Logged.root" || rec.Info.Clock != trace.Dual {
		t.Errorf("%s, clock %v", name, rec.Info.Clock)
	}
	i := 0
	for e, err := range trace.All(rec.Events) {
		if want := []time.Duration{0, 6 * ms, 6 * ms, 7 * ms}[i]; err != nil || e.CPU != want {
			t.Errorf("event %d: CPU time %s, want %s (%v)", i, e.CPU, want, err)
		}
		i++
	}
}

// mayPerf reports whether perf is installed and may count.
func mayPerf() bool {
	dir, err := os.MkdirTemp("", "perf")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	err = exec.Command("perf", "record", "-q", "-e", "cpu-clock", "-o", filepath.Join(dir, "perf.data"), "true").Run()
	return err == nil
}

// TestTally: only samples with a method count.
func TestTally(t *testing.T) {
	c := tally{symbols: &trace.Symbols{Methods: []trace.Method{{Name: "a"}, {Name: "b"}}}, of: map[string]float64{}}
	for _, s := range []trace.Snapshot{{Count: 3, Stack: []trace.MethodID{0}}, {Count: 1, Stack: []trace.MethodID{0, 1}}, {Count: 5}} {
		if err := c.WriteSnapshot(&s); err != nil {
			t.Fatal(err)
		}
	}
	if s := c.seen(); s.samples != 4 || s.shares["a"] != 0.75 || s.shares["b"] != 0.25 {
		t.Errorf("%+v", s)
	}
}
