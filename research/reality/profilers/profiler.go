// Package profilers runs a program that keeps a log under real profilers, and compares their
// profiles with artifice's predictions from that log.
//
// The program exists in C, Go, Java and JavaScript (programs/README.md). The prediction of a run
// uses only its own log and artifice's tracing method with the profiler's name: no data from
// profiles of other runs.
package profilers

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed programs
var programs embed.FS

// counts is the kind of time that a profiler samples.
type counts int

const (
	cpuTime     counts = iota // of threads
	runningTime               // wall time of threads in methods that do not wait
	wallTime
)

// profiler is a real profiler.
type profiler struct {
	name     string
	commands []string // required
	packages string   // Debian packages with these commands
	way      string   // artifice's tracing method
	interval time.Duration
	counts   counts
	class    string // of the program's methods in profiles
	single   bool   // the program has one thread
	sampler  bool   // samples are taken by a thread of the profiler, which needs a core: the program has one thread less

	build   func(r *run) error // once
	record  func(r *run) error // each run: into r.log and r.profile
	belongs func(r *run, t *truth) error
	instant bool // samples have timestamps, by CLOCK_MONOTONIC
}

var all = []profiler{
	{
		name: "perf", commands: []string{"perf", "gcc"}, packages: "linux-perf and gcc", way: "perf", interval: time.Second / 997, instant: true,
		build: func(r *run) error {
			return r.call("gcc", "-O1", "-g", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-pthread", r.program("logged.c"), "-o", r.path("logged"))
		},
		record: func(r *run) error {
			data := r.path("perf.data")
			if err := r.measured(append([]string{"perf", "record", "-q", "-e", "cpu-clock", "-F", "997", "-g", "-k", "mono", "-o", data, r.path("logged")}, r.arguments()...)...); err != nil {
				return fmt.Errorf("%w\n(perf may run where /proc/sys/kernel/perf_event_paranoid is 2 or less)", err)
			}
			return r.into(r.profile, "perf", "script", "-i", data, "-F", "comm,pid,tid,time,event,period,ip,sym", "--ns")
		},
		belongs: ofPerf,
	},
	{
		name: "go", commands: []string{"go"}, packages: "golang", way: "go", interval: 10 * time.Millisecond, class: "main",
		build: func(r *run) error {
			return r.call("go", "build", "-o", r.path("logged-go"), "artifice/research/reality/logged")
		},
		record: func(r *run) error {
			return r.measured(append(append([]string{r.path("logged-go")}, r.arguments()...), r.profile)...)
		},
		belongs: ofPprof,
	},
	{
		name: "jfr", commands: []string{"java", "javac", "jfr"}, packages: "default-jdk-headless", way: "jfr", interval: 10 * time.Millisecond, counts: runningTime, class: "Logged", sampler: true,
		build:   func(r *run) error { return r.call("javac", "-d", r.dir, r.program("Logged.java")) },
		record:  func(r *run) error { return r.recordJFR("jdk.ExecutionSample") },
		belongs: ofJFR,
	},
	{
		name: "jfr-cpu", commands: []string{"java", "javac", "jfr"}, packages: "openjdk-25-jdk-headless", way: "jfr-cpu", interval: 10 * time.Millisecond, counts: runningTime, class: "Logged",
		build: func(r *run) error {
			if err := r.call("javac", "--release", "25", "-d", r.dir, r.program("Logged.java")); err != nil {
				return fmt.Errorf("%w\n(JFR samples CPU time from JDK 25 on)", err)
			}
			return nil
		},
		record:  func(r *run) error { return r.recordJFR("jdk.CPUTimeSample", "jdk.CPUTimeSample") },
		belongs: ofJFR,
	},
	{
		name: "v8", commands: []string{"node"}, packages: "nodejs", way: "v8", interval: time.Millisecond, counts: wallTime, single: true,
		build: func(*run) error { return nil },
		record: func(r *run) error {
			return r.measured(append(append([]string{"node", "--no-turbo-inlining", r.program("logged.js")}, r.arguments()...), r.profile)...)
		},
		belongs: ofV8,
	},
}

// missing returns what a profiler lacks on this machine; "" if nothing.
func (p *profiler) missing() string {
	for _, c := range p.commands {
		if _, err := exec.LookPath(c); err != nil {
			return fmt.Sprintf("there is no %s on this machine (Debian has it in %s)", c, p.packages)
		}
	}
	return ""
}

// run is one run of the program under a profiler.
type run struct {
	*profiler
	dir      string // of all files
	seconds  float64
	threads  int
	seed     int
	priority bool // it gets cores before other programs

	log, profile string
}

func (r *run) path(name string) string { return filepath.Join(r.dir, name) }

// program returns the path of a program's source.
func (r *run) program(name string) string { return filepath.Join(r.dir, "programs", name) }

// recordJFR runs the program in Java, which records itself, and extracts the samples from the
// recording.
func (r *run) recordJFR(event string, more ...string) error {
	recording := r.path("recording.jfr")
	if err := r.measured(slices.Concat([]string{"java", "-cp", r.dir, "Logged"}, r.arguments(), []string{recording}, more)...); err != nil {
		return err
	}
	return r.into(r.profile, "jfr", "print", "--json", "--events", event, "--stack-depth", "64", recording)
}

// arguments returns the program's arguments, up to the log.
func (r *run) arguments() []string {
	threads := r.threads
	if r.sampler {
		threads = max(1, threads-1)
	}
	if r.single {
		threads = 1
	}
	return []string{strconv.FormatFloat(r.seconds, 'f', -1, 64), strconv.Itoa(r.seed), strconv.Itoa(threads), r.log}
}

// first runs a command in a session of its own that gets a core whenever it can use one: by
// real-time priority or, if that is not permitted, as a group preferred by the kernel's scheduler.
const first = `chrt -f 10 true 2>/dev/null && exec chrt -f 10 "$@"; echo -20 >/proc/self/autogroup 2>/dev/null; exec nice -n -20 "$@"`

// measured runs the program.
func (r *run) measured(command ...string) error {
	if r.priority {
		command = append([]string{"setsid", "-w", "sh", "-c", first, "sh"}, command...)
	}
	return r.call(command...)
}

func (r *run) call(command ...string) error {
	out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, bytes.TrimSpace(out))
	}
	return nil
}

// into runs a command and writes its output to a file.
func (r *run) into(name string, command ...string) error {
	var complaint bytes.Buffer
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, bytes.TrimSpace(complaint.Bytes()))
	}
	return os.WriteFile(name, out, 0o666)
}

// slack is the maximum distance of a profile's begin or end from the run's: the program prepares
// before, and writes after.
const slack = 5 * time.Second

// otherRun returns the error for a profile of another run than the log's.
func otherRun(format string, args ...any) error {
	return fmt.Errorf("the profile is of another run than the log: "+format, args...)
}

// within returns an error if the begins of a profile and of the run, both by the same clock, do not
// match.
func within(begins, ran time.Duration) error {
	if d := begins - ran; d.Abs() > slack {
		return otherRun("it begins %s after it", d)
	}
	return nil
}

// ofJFR compares the time of the first sample with the log's.
func ofJFR(r *run, t *truth) error {
	return r.begins(t.unix, `"startTime": "([^"]+)"`, func(s string) (time.Duration, error) {
		at, err := time.Parse(time.RFC3339Nano, s)
		return time.Duration(at.UnixNano()), err
	})
}

// ofV8 does so with the profile's own begin, in us of CLOCK_MONOTONIC.
func ofV8(r *run, t *truth) error {
	return r.begins(t.monotonic, `"startTime":(\d+)`, func(s string) (time.Duration, error) {
		us, err := strconv.ParseInt(s, 10, 64)
		return time.Duration(us) * time.Microsecond, err
	})
}

// begins compares the first time that matches a pattern in the profile with that of the log.
func (r *run) begins(ran time.Duration, pattern string, parse func(string) (time.Duration, error)) error {
	text, err := os.ReadFile(r.profile)
	if err != nil {
		return err
	}
	found := regexp.MustCompile(pattern).FindSubmatch(text)
	if found == nil {
		return errors.New("the profile has no samples")
	}
	at, err := parse(string(found[1]))
	if err != nil {
		return err
	}
	return within(at, ran)
}
