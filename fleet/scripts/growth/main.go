// Growth prints the time and memory that the commands of artifice-fleet take for 100, 1000 and
// 10,000 small traces, or for the numbers of traces given as arguments, in one process. Run it in
// the folder fleet:
//
//	go run ./scripts/growth
//
// The traces are of several formats. One in a hundred is truncated, and one in four is sampled,
// which bench skips. Growth is linear if the CPU time per trace is constant; with few traces, the
// start-up of the process has a larger share.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"artifice/fleet/corpus"
	"artifice/internal/cli"
	"artifice/internal/testdata"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	numbers := []int{100, 1000, 10000}
	if len(args) > 0 {
		numbers = nil
	}
	for _, arg := range args {
		n, err := strconv.Atoi(arg)
		if err != nil || n < 1 {
			return fmt.Errorf("%s is no number of traces", arg)
		}
		numbers = append(numbers, n)
	}
	dir, err := os.MkdirTemp("", "artifice-fleet-growth-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "artifice-fleet")
	build := exec.Command("go", "build", "-o", program, "./cmd/artifice-fleet")
	if err := during("building artifice-fleet", func() error { return execute(build) }); err != nil {
		return err
	}
	fmt.Println("traces     MB  command  elapsed  CPU time  for a trace  memory")
	for _, n := range numbers {
		if err := measure(program, dir, n); err != nil {
			return err
		}
	}
	return nil
}

// measure prints the time and memory of each command for n traces.
func measure(program, dir string, n int) error {
	traces := filepath.Join(dir, fmt.Sprint(n))
	defer os.RemoveAll(traces)
	var made *corpus.Fleet
	err := during(fmt.Sprintf("making %d traces", n), func() (err error) {
		if err = os.Mkdir(traces, 0o777); err == nil {
			made, err = corpus.Write(traces, corpus.Config{Traces: n, Seed: 1, Broken: 100, Sampled: true})
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, args := range [][]string{
		{"profile", made.Manifest, "--by", "app,version", "-o", filepath.Join(traces, "all.pb.gz")},
		{"check", made.Manifest},
		{"diff", made.Manifest, "--by", "version", "--from", "1.2", "--to", "1.3"},
		{"bench", made.Manifest, "--by", "app", "--intervals", "1ms,5ms", "--seeds", "3"},
	} {
		testdata.Shrink()
		cmd := exec.Command(program, append(args, "--keep-going")...)
		begun := time.Now()
		if err := during(fmt.Sprintf("%s of %d traces", args[0], n), func() error { return execute(cmd) }); err != nil {
			return err
		}
		state := cmd.ProcessState
		cpu := testdata.ProcessCPU(state)
		memory := testdata.ProcessMemory(state) >> 20
		fmt.Printf("%6d  %5.1f  %-7s  %6.1fs  %7.1fs  %9.1fms  %3d MiB\n", n, float64(made.Bytes)/1e6, args[0],
			time.Since(begun).Seconds(), cpu.Seconds(), float64(cpu.Microseconds())/1e3/float64(n), memory)
	}
	return nil
}

// execute runs a program to its end. It accepts status 1 of a command with --keep-going, which the
// broken traces cause.
func execute(cmd *exec.Cmd) error {
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && slices.Contains(cmd.Args, "--keep-going") {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %s", cmd, err, out)
	}
	return nil
}

// during runs work and shows the elapsed time on a terminal.
func during(what string, work func() error) error {
	bar := cli.NewBar(os.Stderr, what)
	if bar == nil {
		return work()
	}
	defer bar.Hide()
	ended := make(chan error, 1)
	go func() { ended <- work() }()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			return err
		case <-tick.C:
			bar.Update(0, -1)
		}
	}
}
