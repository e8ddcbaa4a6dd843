package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"text/tabwriter"
	"time"

	"artifice/format/dmtrace"
	"artifice/internal/testdata"
	"artifice/trace"
)

// cost is a cost of a command of artifice: CPU time of all cores, or maximum memory.
type cost struct {
	what   string
	args   func(r *race) []string
	unit   string
	of     func(r *race, u usage) float64 // in the cost's unit
	goal   float64
	rounds int // maximum; 0: as for everything else
}

// nsPerEvent returns the CPU time per event of the repeated trace.
func nsPerEvent(r *race, u usage) float64 {
	return float64(u.cpu.Nanoseconds()) / float64(r.repeated.events)
}

func milliseconds(_ *race, u usage) float64 { return u.cpu.Seconds() * 1000 }
func seconds(_ *race, u usage) float64      { return u.cpu.Seconds() }
func megabytes(_ *race, u usage) float64    { return float64(u.bytes) / 1e6 }

// manyMethods is the number of methods in the trace for the cost of report.
const manyMethods = 1_000_000

// usage is the resource usage of a process.
type usage struct {
	cpu   time.Duration // of user and system
	bytes int64         // maximum memory; 0 if unknown
}

var costs = []cost{
	{what: "start of the program, CPU", unit: "ms", of: milliseconds, goal: 2,
		args: func(*race) []string { return []string{"--version"} }},
	{what: "info, CPU", unit: "ns/event", of: nsPerEvent, goal: 25,
		args: func(r *race) []string { return []string{"info", r.repeated.path} }},
	{what: "check, CPU", unit: "ns/event", of: nsPerEvent, goal: 25,
		args: func(r *race) []string { return []string{"check", r.repeated.path} }},
	{what: "bench of the repeated trace, default, CPU", unit: "s", of: seconds, goal: 2, rounds: 1,
		args: func(r *race) []string { return []string{"bench", r.repeated.path} }},
	{what: "view --sample 1ms of the repeated trace, memory", unit: "MB", of: megabytes, goal: 150, rounds: 1,
		args: func(r *race) []string {
			return []string{"view", r.repeated.path, "--sample", "1ms", "-o", filepath.Join(r.dir, "out.html")}
		}},
	{what: "bench of stacks that never repeat, one sampler, memory", unit: "MB", of: megabytes, rounds: 1,
		args: func(r *race) []string {
			return []string{"bench", r.distinct.path, "--modes", "sample", "--intervals", "1ms"}
		}},
	{what: fmt.Sprintf("report --csv of %d methods, memory by method", manyMethods), unit: "bytes", goal: 500, rounds: 1,
		of: func(_ *race, u usage) float64 { return float64(u.bytes) / manyMethods },
		args: func(r *race) []string {
			return []string{"report", filepath.Join(r.dir, "methods.trace"), "--csv"}
		}},
}

// measureCosts measures all costs of artifice, and of the earlier version if there is one, in
// turns.
func (r *race) measureCosts() error {
	if err := writeMethods(filepath.Join(r.dir, "methods.trace")); err != nil {
		return err
	}
	for i := range costs {
		c := &costs[i]
		rounds := r.rounds
		if c.rounds > 0 {
			rounds = min(rounds, c.rounds)
		}
		for range rounds {
			for _, name := range []string{"artifice", "artifice-before"} {
				if name == "artifice-before" && r.before == "" {
					continue
				}
				u, err := use(filepath.Join(r.dir, name), c.args(r))
				if err != nil {
					return err
				}
				r.best.add(name+" "+c.what, c.of(r, u))
			}
		}
	}
	return nil
}

// use runs a program once, discards its output, and returns its usage.
func use(program string, args []string) (usage, error) {
	testdata.Shrink()
	cmd := exec.Command(program, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return usage{}, fmt.Errorf("%s %v: %w\n%s", program, args, err, out[:min(len(out), 1000)])
	}
	return usage{testdata.ProcessCPU(cmd.ProcessState), testdata.ProcessMemory(cmd.ProcessState)}, nil
}

// writeMethods writes a classic file that calls each of manyMethods methods once.
func writeMethods(path string) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	rec := &trace.Recording{Symbols: &trace.Symbols{}}
	if _, err := rec.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"}); err != nil {
		return err
	}
	at := func(us int) time.Duration { return time.Duration(us) * time.Microsecond }
	var events []trace.Event
	for i := range manyMethods {
		m := rec.Symbols.AddMethod(trace.Method{ID: uint64(i) << 2, Class: fmt.Sprintf("com.example.Class%d", i/10), Name: fmt.Sprintf("method%d", i), Signature: "()V"})
		events = append(events, trace.Event{Wall: at(2 * i), CPU: at(2 * i), Method: m},
			trace.Event{Wall: at(2*i + 1), CPU: at(2*i + 1), Method: m, Action: trace.Exit})
	}
	w, err := dmtrace.NewWriter(out, rec, dmtrace.Options{Format: "art"})
	if err != nil {
		return err
	}
	if err := w.WriteEvents(events); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return out.Close()
}

// printCosts prints a row for each measured cost.
func (r *race) printCosts(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "what\tnow\tbefore\tunit\tgoal\t")
	for i := range costs {
		c := &costs[i]
		now := r.best["artifice "+c.what]
		if now == 0 { // not measured, or unknown memory
			continue
		}
		before, goal := "", ""
		if v, ok := r.best["artifice-before "+c.what]; ok {
			before = fmt.Sprintf("%.3g", v)
		}
		if c.goal > 0 {
			met := "met"
			if now > c.goal {
				met = "not met"
			}
			goal = fmt.Sprintf("%.3g, %s", c.goal, met)
		}
		fmt.Fprintf(t, "%s\t%.3g\t%s\t%s\t%s\t\n", c.what, now, before, c.unit, goal)
	}
	return t.Flush()
}
