// Trial adds up many small and some large traces, one in fifty of each broken, on Beam's job
// server Prism with workers in separate processes. It kills the first worker in the middle of its
// work. It compares the sum with that of one machine: the profile that pprof's library merges from
// the output of `artifice convert` for the single files. It prints the time and memory. Every
// trace is generated with different times. Run it in the folder fleet:
//
//	go run ./scripts/trial --small 10000 --large 200 --size 50000000
//
// Prism accepts jobs on every interface while it runs, see README.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"artifice/internal/testdata"
)

// config is the configuration of the trial.
type config struct {
	small, large int
	size         int64 // bytes of a large trace, on average over the formats
	broken       int   // one trace in this number is broken
	kill         time.Duration
	dir          string // for all files; empty: a temporary one
}

func main() {
	var c config
	flag.IntVar(&c.small, "small", 10000, "how many small traces, of 20 frames")
	flag.IntVar(&c.large, "large", 200, "how many large ones")
	flag.Int64Var(&c.size, "size", 50e6, "bytes of a large one, on average over the formats")
	flag.IntVar(&c.broken, "broken", 50, "one in so many is cut off; 0: none")
	flag.DurationVar(&c.kill, "kill", time.Second, "kill the first worker so long after it began")
	flag.StringVar(&c.dir, "dir", "", "a `FOLDER` for the files, which go in the end; else a temporary one")
	folder := flag.String(making, "", "only make the traces, in this folder; the trial runs itself with it")
	flag.Parse()
	work := c.run
	if *folder != "" {
		work = func() error { return c.make(*folder) }
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "trial:", err)
		os.Exit(1)
	}
}

func (c config) run() error {
	dir, err := os.MkdirTemp(c.dir, "artifice-fleet-trial-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	programs, err := build(dir)
	if err != nil {
		return err
	}
	t, err := c.madeElsewhere(dir)
	if err != nil {
		return err
	}
	got := filepath.Join(dir, "sum.pb.gz")
	left, err := c.fleet(programs, dir, got)
	if err != nil {
		return err
	}
	return compare(programs, dir, t, got, left)
}

// programs are the paths of the programs that the trial runs.
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

// report prints the time and memory of a process that ended.
func report(what string, begun time.Time, cmd *exec.Cmd) {
	fmt.Printf("%s: %.1f s elapsed, %.1f s of CPU time, %d MiB at most\n", what, time.Since(begun).Seconds(),
		testdata.ProcessCPU(cmd.ProcessState).Seconds(), testdata.ProcessMemory(cmd.ProcessState)>>20)
}
