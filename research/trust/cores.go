package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"artifice/internal/cli"
	"artifice/research/internal/coverage"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// coreLength is the length of each run of an app on cores.
const coreLength = 2 * time.Second

// runCores prints the coverage of intervals for apps that share cores with the sampling thread,
// over runs of each.
func runCores(app string, files []string, runs int) error {
	apps, err := appsOf(app, files)
	if err != nil {
		return err
	}
	phone, err := device.Open("A")
	if err != nil {
		return err
	}
	table := &cli.Table{Columns: []string{"app", "cores", "interval", "waited", "claims", "hold", "warned"}, Right: []bool{false, true, true, true, true, true, true}}
	for _, p := range apps {
		for _, cores := range []int{1, 2, 4} {
			on, own, err := onCores(p, cores)
			if err != nil {
				return err
			}
			for _, interval := range []time.Duration{time.Millisecond, 5 * time.Millisecond} {
				r, err := coverage.MeasureRunning(func(seed uint64) (*trace.Recording, error) {
					return on.Truth(workload.Config{Seed: seed, Duration: coreLength, Live: true})
				}, phone, interval, runs)
				if err != nil {
					return fmt.Errorf("%s: %w", p.Name, err)
				}
				hold := "-"
				if r.Claims > 0 {
					hold = fmt.Sprintf("%.1f %%", 100*r.Coverage)
				}
				count := fmt.Sprint(cores)
				if own {
					count = "own"
				}
				table.Add(p.Name, count, interval.String(), r.Waited.Round(time.Microsecond).String(), fmt.Sprint(r.Claims), hold, fmt.Sprintf("%d of %d", r.Warned, r.Claiming))
			}
			if own {
				break
			}
		}
	}
	return table.WriteText(os.Stdout)
}

// onCores returns a program on a number of cores; a program with cores of its own is unchanged.
func onCores(p *workload.Program, cores int) (on *workload.Program, own bool, err error) {
	text := string(p.Source())
	if strings.Contains(text, "\ncores:") {
		return p, true, nil
	}
	on, err = workload.ReadYAML(strings.NewReader(text+fmt.Sprintf("\ncores: [{count: %d}]\n", cores)), p.Name)
	return on, false, err
}
