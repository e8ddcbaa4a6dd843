// Command growth measures how the cost of a trace grows with the number of threads, the depth of
// stacks, the numbers of methods and calling contexts, and the size:
//
//	go run ./growth -o ../docs/growth
//
// It generates traces that differ in one of these. It converts each to a compressed profile and
// samples it with artifice, prints the results, and draws figures of the CPU time per event and the
// maximum memory: threads-time.svg, threads-memory.svg and so on. Each has the fitted straight line
// and the maximum deviation of the points. The program needs 5 GB of disk space for traces of up to
// 2 GiB; -size sets the maximum size.
//
// With -deep it prints a table of the cost of each command for calls at depths of 100 and 10,000
// frames.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"artifice/internal/testdata"
)

// sweep is a set of traces that differ in one property.
type sweep struct {
	name   string // prefix of its figures' names
	axis   string
	each   string // unit of the axis
	shapes []shape
}

// point is the cost of a command for one trace.
type point struct {
	x      int64
	events int64
	ns     float64 // CPU time
	bytes  float64 // maximum memory
}

// commands are the measured commands.
var commands = []struct {
	name string
	args func(trace, out string) []string
}{
	{"convert to .pb.gz", func(trace, out string) []string { return []string{"convert", trace, "-o", out + ".pb.gz"} }},
	{"record --interval 1ms", func(trace, out string) []string {
		return []string{"record", trace, "--interval", "1ms", "-o", out + ".trace"}
	}},
}

func main() {
	out := flag.String("o", ".", "folder of the figures; with -make, file of the trace")
	size := flag.Int64("size", 2048, "maximum size of a trace, in MiB")
	runs := flag.Int("runs", 2, "number of runs of each command; the minimum time counts")
	making := flag.String("make", "", "only generate a trace of this figure")
	x := flag.Int64("x", 0, "with -make, position of the trace on the axis")
	deep := flag.Bool("deep", false, "compare the cost of all commands at two depths")
	flag.Parse()
	if flag.NArg() > 0 || *size < 1 || *runs < 1 {
		fmt.Fprintln(os.Stderr, "usage: growth [-o FOLDER] [-size MIB] [-runs N]")
		os.Exit(2)
	}
	err := error(nil)
	if *making != "" {
		err = makeTrace(*making, *x, *size, *out)
	} else {
		err = run(*out, *size, *runs, *deep)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

// makeTrace writes the trace of a figure at x.
func makeTrace(figure string, x, size int64, name string) error {
	for _, s := range sweeps(size) {
		for i := range s.shapes {
			if s.name == figure && s.shapes[i].x == x {
				return s.shapes[i].write(name)
			}
		}
	}
	return fmt.Errorf("no trace of the figure %q at %d", figure, x)
}

func run(out string, size int64, runs int, tables bool) error {
	dir, err := os.MkdirTemp("", "growth")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	program, err := testdata.Build(dir)
	if err != nil {
		return err
	}
	if tables {
		return deep(program, dir, runs, os.Stdout)
	}
	for _, s := range sweeps(size) {
		fmt.Printf("%-24s %10s", s.axis, "events")
		for _, c := range commands {
			fmt.Printf("  %s: ns/event, MiB", c.name)
		}
		fmt.Println()
		lines := make([][]point, len(commands))
		for i := range s.shapes {
			if err := s.shapes[i].make(s.name, size, filepath.Join(dir, "in.trace")); err != nil {
				return err
			}
			if err := measure(program, dir, &s.shapes[i], runs, lines); err != nil {
				return err
			}
		}
		printLaws(&s, lines)
		if err := draw(&s, lines, out); err != nil {
			return err
		}
	}
	return nil
}

// measure adds a point to the line of each command.
func measure(program, dir string, s *shape, runs int, lines [][]point) error {
	file := filepath.Join(dir, "in.trace")
	fmt.Printf("%-24d %10d", s.x, s.events)
	for i, c := range commands {
		best := point{x: s.x, events: s.events}
		for run := range runs {
			testdata.Shrink()
			cmd := exec.Command(program, c.args(file, filepath.Join(dir, "out"))...)
			cmd.Env = append(os.Environ(), "TMPDIR="+dir)
			if text, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%v: %w\n%s", cmd.Args, err, text)
			}
			state := cmd.ProcessState
			ns := float64(testdata.ProcessCPU(state).Nanoseconds())
			if run == 0 || ns < best.ns {
				best.ns = ns
			}
			best.bytes = max(best.bytes, float64(testdata.ProcessMemory(state)))
		}
		lines[i] = append(lines[i], best)
		fmt.Printf("  %*.1f %*.0f", len(c.name)+2, best.ns/float64(s.events), 9, best.bytes/(1<<20))
	}
	fmt.Println()
	return nil
}
