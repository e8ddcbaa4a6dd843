// Growth prints the time and memory that artifice-fleet takes for 100, 1000 and 10,000
// small traces, with Prism in its process. Run it in the folder fleet:
//
//	go run ./scripts/growth
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"artifice/fleet/corpus"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "artifice-fleet-growth-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "artifice-fleet")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/artifice-fleet").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	fmt.Println("traces     MB  command  elapsed  CPU time  memory, MiB")
	for _, n := range []int{100, 1000, 10000} {
		traces := filepath.Join(dir, fmt.Sprint(n))
		if err := os.Mkdir(traces, 0o777); err != nil {
			return err
		}
		made, err := corpus.Write(traces, corpus.Config{Traces: n, Seed: 1, Broken: 100, Sampled: true})
		if err != nil {
			return err
		}
		for _, args := range [][]string{
			{"profile", made.Manifest, "--by", "app,version", "-o", filepath.Join(dir, "all.pb.gz")},
			{"diff", made.Manifest, "--by", "version", "--from", "1.2", "--to", "1.3"},
		} {
			cmd := exec.Command(program, args...)
			begun := time.Now()
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%w: %s", err, out)
			}
			state := cmd.ProcessState
			usage := state.SysUsage().(*syscall.Rusage)
			fmt.Printf("%6d  %5.1f  %-7s  %6.1fs  %7.1fs  %11d\n", n, float64(made.Bytes)/1e6, args[0],
				time.Since(begun).Seconds(), (state.UserTime() + state.SystemTime()).Seconds(), usage.Maxrss>>10)
		}
	}
	return nil
}
