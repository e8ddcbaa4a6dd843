// Trial adds up many small and some large traces, one in fifty of them broken, on Beam's
// job server Prism with workers in processes of their own, of which it kills the first in
// the middle, and compares the sum with that of one machine: what pprof's library makes
// of the files that `artifice convert` writes one by one. It prints the time and memory.
// Run it in the folder fleet:
//
//	go run ./scripts/trial --small 10000 --large 200 --size 50000000
//
// Prism takes jobs on every interface while it runs, see README.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"artifice/fleet/corpus"
	"artifice/internal/process"
)

// config says what to try.
type config struct {
	small, large int
	size         int64 // bytes of a large trace, on average over the formats
	broken       int   // one trace in so many
	kill         time.Duration
}

func main() {
	var c config
	flag.IntVar(&c.small, "small", 10000, "how many small traces, of 20 frames")
	flag.IntVar(&c.large, "large", 200, "how many large ones")
	flag.Int64Var(&c.size, "size", 50e6, "bytes of a large one, on average over the formats")
	flag.IntVar(&c.broken, "broken", 50, "one in so many is cut off; 0: none")
	flag.DurationVar(&c.kill, "kill", time.Second, "kill the first worker so long after it began")
	flag.Parse()
	if err := c.run(); err != nil {
		fmt.Fprintln(os.Stderr, "trial:", err)
		os.Exit(1)
	}
}

func (c config) run() error {
	dir, err := os.MkdirTemp("", "artifice-fleet-trial-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	programs, err := build(dir)
	if err != nil {
		return err
	}
	paths, bad, err := c.traces(dir)
	if err != nil {
		return err
	}
	got := filepath.Join(dir, "sum.pb.gz")
	if err := c.fleet(programs, dir, got); err != nil {
		return err
	}
	return compare(programs, dir, paths, bad, got)
}

// programs are the files of what the trial runs.
type programs struct{ fleet, artifice, prism string }

func build(dir string) (p programs, err error) {
	p = programs{filepath.Join(dir, "artifice-fleet"), filepath.Join(dir, "artifice"), filepath.Join(dir, "prism")}
	for _, args := range [][]string{
		{".", p.fleet, "./cmd/artifice-fleet"}, {"..", p.artifice, "./cmd/artifice"}, {".", p.prism, "github.com/apache/beam/sdks/v2/go/cmd/prism"},
	} {
		cmd := exec.Command("go", "build", "-o", args[1], args[2])
		cmd.Dir = args[0]
		if out, err := cmd.CombinedOutput(); err != nil {
			return p, fmt.Errorf("%s: %w: %s", cmd, err, out)
		}
	}
	return p, nil
}

// traces makes the traces in two folders below traces, and returns all of them and the
// broken ones.
func (c config) traces(dir string) (paths, bad []string, err error) {
	const probe = 200 // frames
	for _, kind := range []struct {
		name   string
		traces int
		frames func() (int, error)
	}{
		{"small", c.small, func() (int, error) { return 20, nil }},
		{"large", c.large, func() (int, error) {
			folder := filepath.Join(dir, "probe")
			if err := os.MkdirAll(folder, 0o777); err != nil {
				return 0, err
			}
			const formats = 6 // that corpus takes by turns
			made, err := corpus.Write(folder, corpus.Config{Traces: formats, Seed: 1, Frames: probe})
			if err != nil {
				return 0, err
			}
			return int(c.size * formats * probe / made.Bytes), os.RemoveAll(folder)
		}},
	} {
		folder := filepath.Join(dir, "traces", kind.name)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return nil, nil, err
		}
		frames, err := kind.frames()
		if err != nil {
			return nil, nil, err
		}
		made, err := corpus.Write(folder, corpus.Config{Traces: kind.traces, Seed: 1, Frames: max(1, frames), Broken: c.broken})
		if err != nil {
			return nil, nil, err
		}
		if err := os.Remove(made.Manifest); err != nil { // the folder is the list
			return nil, nil, err
		}
		fmt.Printf("%d %s traces, %.1f MB, %d broken\n", kind.traces, kind.name, float64(made.Bytes)/1e6, len(made.Bad))
		paths, bad = append(paths, made.Paths...), append(bad, made.Bad...)
	}
	return paths, bad, nil
}

// report prints what a process that ended took.
func report(what string, begun time.Time, cmd *exec.Cmd) {
	fmt.Printf("%s: %.1f s elapsed, %.1f s of CPU time, %d MiB at most\n", what, time.Since(begun).Seconds(),
		process.CPU(cmd.ProcessState).Seconds(), process.Memory(cmd.ProcessState)>>20)
}
