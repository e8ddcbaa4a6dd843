package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"artifice/cmd/internal/command"
	tracetext "artifice/format/text"
	"artifice/internal/testdata"
	"artifice/trace"
)

// oddTraces is the number of traces that TestOddTraces generates: 12 with EXHAUSTIVE=1. Longer
// searches use thousands.
var oddTraces = flag.Int("odd", testdata.Times(3, 12), "how many odd traces are given to every command")

// TestOddTraces runs every command on small valid traces with unusual times, nesting and names. No
// command panics, hangs or prints invalid numbers, and errors contain the name of the file.
func TestOddTraces(t *testing.T) {
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(20261123, 1))
	for n := range *oddTraces {
		text := oddTrace(random)
		name := filepath.Join(dir, fmt.Sprintf("odd-%d.txt", n))
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
		commands := oddCommands(name, dir)
		if *oddTraces < 100 { // by default, only some commands run
			random.Shuffle(len(commands), func(i, k int) { commands[i], commands[k] = commands[k], commands[i] })
			commands = commands[:8]
		}
		for _, args := range commands {
			if wrong := oddRun(t, name, args); wrong != "" {
				t.Errorf("trace %d, artifice %s: %s\n%.2000s", n, strings.Join(args, " "), wrong, text)
			}
		}
		os.Remove(name)
	}
}

// oddCommands returns commands that read the trace name and write into dir.
func oddCommands(name, dir string) [][]string {
	graph := ".svg"
	if _, err := exec.LookPath("dot"); err != nil {
		graph = ".dot"
	}
	out := func(ending string) string { return filepath.Join(dir, "out"+ending) }
	commands := [][]string{
		{"info", name}, {"info", name, "--threads"}, {"info", name, "--json", "--threads"}, {"dump", name}, {"check", name},
		{"diff", name, "--to", name, "--all"}, {"diff", name, "--to", name, "--json"}, {"diff", name, name, name, "--to", name, name, "--all"},
		{"diff", name, "--to", name, "-o", out(".html")}, {"diff", name, "--to", name, "-o", out(".pb.gz")},
		{"view", name, "-o", out(".html")}, {"view", name, "--diff", name, "-o", out(".html")}, {"view", name, "--compare", name, "-o", out(".html")},
		{"view", name, "--sample", "1ms", "--device", "A", "-o", out(".html")},
		{"calibrate", name}, {"calibrate", name, "--json"}, {"calibrate", "--check", name},
		{"score", name, name}, {"score", name, name, "--json"},
		{"bench", name, "--intervals", "1ms,7h", "--seeds", "2"}, {"bench", name, "--intervals", "5ms", "--device", "A", "--seeds", "1", "--csv"},
		{"report", name, "--graph", out(graph)}, {"report", name, "--compat", "dmtracedump"},
		{"report", name, "--subtract-overhead", "launcher"}, {"report", name, "--until", "stop"},
	}
	for _, how := range []string{"", "--tree", "--callers=a.B.f", "--callees=a.B.f", "--clock=wall", "--clock=cpu"} {
		for _, by := range []string{"method", "class", "package", "thread"} {
			for _, as := range []string{"", "--csv", "--json"} {
				args := []string{"report", name}
				for _, flag := range []string{how, "--by=" + by, as} {
					if flag != "" && flag != "--by=method" {
						args = append(args, flag)
					}
				}
				commands = append(commands, args)
			}
		}
	}
	for _, f := range command.Outputs() {
		commands = append(commands, []string{"convert", name, "--format", f.Name, "-o", out(".any")})
	}
	for _, m := range command.Tracers() {
		commands = append(commands, []string{"record", name, "--mode", m.Name, "--device", "A", "-o", out(".txt"), "--format", "text"})
	}
	return commands
}

// nonsense matches texts that no output contains: invalid numbers, and times at the limits of their
// type.
var nonsense = regexp.MustCompile(`NaN|[-+]Inf\b|\bInf\b|%!|-922337203685|-2562047h|panic:|goroutine `)

// oddRun runs a command and returns its defect; "" if there is none.
func oddRun(t *testing.T, name string, args []string) string {
	var stdout, stderr bytes.Buffer
	done := make(chan int, 1)
	go func() {
		done <- run(t.Context(), args, command.Stdio{In: strings.NewReader(""), Out: &stdout, Err: &stderr})
	}()
	var status int
	select {
	case status = <-done:
	case <-time.After(5 * time.Minute): // on a loaded machine
		t.Fatalf("artifice %s hangs", strings.Join(args, " "))
	}
	switch messages := stderr.String(); {
	case strings.Contains(messages, "this is a bug in artifice"):
		return messages
	case status == exitFailed && !strings.Contains(messages, filepath.Base(name)) && !strings.Contains(stdout.String(), filepath.Base(name)):
		return "the error does not name the file: " + messages
	case nonsense.MatchString(messages):
		return "invalid numbers in the messages: " + messages
	case status == exitOK && args[len(args)-1] == "--json":
		for d := json.NewDecoder(&stdout); ; {
			var any any
			if err := d.Decode(&any); err == io.EOF {
				return ""
			} else if err != nil {
				return "no JSON: " + err.Error()
			}
		}
	}
	if found := nonsense.FindString(stdout.String()); found != "" && args[0] != "dump" {
		return "it prints " + found + ":\n" + stdout.String()
	}
	return ""
}

// oddTrace returns a valid text trace that no program would produce.
func oddTrace(r *rand.Rand) []byte {
	rec := &trace.Recording{Symbols: &trace.Symbols{}, Info: trace.Info{
		Clock:         pick(r, trace.Dual, trace.Dual, trace.Wall, trace.ThreadCPU),
		Technique:     pick(r, trace.UnknownTechnique, trace.UnknownTechnique, trace.Sampled, trace.Sampled, trace.Instrumented, trace.Truth),
		Interval:      pick[time.Duration](r, 0, 0, 0, 1, 100, 999, 1e6, 1<<40),
		Elapsed:       pick[time.Duration](r, 0, 0, 0, 1, 1000, 1<<31, 1<<52, 1<<61),
		ClockOverhead: pick[time.Duration](r, 0, 0, 0, 1, 1000, 1<<40),
	}}
	for i := range pick(r, 1, 1, 2, 3, 5, 1000) {
		rec.Symbols.AddThread(trace.Thread{TID: uint32(i + 1), Name: oddName(r)})
	}
	for i := range pick(r, 1, 1, 2, 3, 20) {
		m := trace.Method{ID: uint64(4 + 4*i), Class: oddName(r), Name: oddName(r), Signature: "()V", File: oddName(r), Line: r.IntN(5) - 1}
		if i == 0 {
			m.Class, m.Name = "a.B", "f"
		}
		rec.Symbols.AddMethod(m)
	}
	var b bytes.Buffer
	w := tracetext.NewWriter(&b, rec)
	w.WriteEvents(oddEvents(r, rec, pick(r, 0, 1, 2, 10, 10, 60, 60, 300)))
	w.Close()
	return b.Bytes()
}

// oddEvents returns the first n events of a recording.
func oddEvents(r *rand.Rand, rec *trace.Recording, n int) (events []trace.Event) {
	const farthest = 1 << 62
	step := pick[time.Duration](r, 0, 1, 100, 100, 1000, 50_000, 1e6, 1e6, 1<<31, 1<<41, 1<<52)
	start := pick[time.Duration](r, 0, 0, 0, 1, 1<<31*1000, 1<<32*1000, 1<<53, 1<<60)
	forms := pick(r, "both", "both", "both", "enters", "exits", "recursion")
	back, together, jumps := r.IntN(4) == 0, r.IntN(3) == 0, r.IntN(10) == 0
	last := make([]trace.Event, len(rec.Symbols.Threads))
	open := make([][]trace.MethodID, len(last))
	for i := range last {
		last[i] = trace.Event{Wall: start, CPU: pick(r, 0, start), Thread: trace.ThreadID(i)}
	}
	for i := range n {
		id := r.IntN(len(last))
		e := &last[id]
		if !together || i%3 == 0 {
			e.Wall += step
			e.CPU += pick(r, 0, step/2, step)
		}
		if back && r.IntN(5) == 0 {
			e.CPU, e.Wall = e.CPU-time.Duration(r.Int64N(int64(step)+2)), e.Wall-time.Duration(r.Int64N(int64(step)/2+2))
		}
		if jumps && r.IntN(20) == 0 {
			e.Wall += 1 << 55
		}
		e.Wall, e.CPU = min(max(e.Wall, 0), farthest), min(max(e.CPU, 0), farthest)
		e.Action, e.Method = trace.Enter, trace.MethodID(r.IntN(len(rec.Symbols.Methods)))
		depth := len(open[id])
		switch {
		case forms == "recursion":
			e.Method = 0
		case forms == "exits", forms == "both" && depth > 0 && r.IntN(2) == 0:
			e.Action = pick(r, trace.Exit, trace.Exit, trace.Exit, trace.Unwind)
		}
		switch {
		case e.Action == trace.Enter:
			open[id] = append(open[id], e.Method)
		case depth > 0:
			if r.IntN(20) > 0 {
				e.Method = open[id][depth-1]
			}
			open[id] = open[id][:depth-1]
		}
		events = append(events, *e)
	}
	return events
}

// oddName returns a valid but unusual name.
func oddName(r *rand.Rand) string {
	return pick(r, "main", "a.b.C", "", " ", "tab\tname", "line\nbreak", `"quoted"`, "'", "<b>&amp;", "a;b", "\u202eevil", "\x1b[31m", "\x01", "\u2028", "\xff\xfe", "$", "a/b", "..", "%s%d", strings.Repeat("long", 3000), "名前")
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }
