package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"artifice/bench"
	"artifice/internal/cli"
	"artifice/trace"
	"artifice/tracer/device"
	"artifice/workload"
)

// otherRuns is the number of further runs of an app on which an advice is tested.
const otherRuns = 5

// runAdvice tests the advice of bench, which is based on one run of each app and the runs that
// confirm it, on traces of runs with other seeds. It prints the number of single traces that reach
// the goal; 95 % of all traces should.
func runAdvice(app string, files []string) error {
	apps, err := appsOf(app, files)
	if err != nil {
		return err
	}
	phone, err := device.Open("A")
	if err != nil {
		return err
	}
	table := &cli.Table{Columns: []string{"app", "goal", "advised", "interval", "there", "other runs", "traces"}, Right: []bool{false, false, false, true, true, true, true}}
	reached, all, hold := 0., 0, 0
	for _, p := range apps {
		for _, text := range []string{"hottest", "recall=95", "overlap=80"} {
			goal, err := bench.ParseGoal(text)
			if err != nil {
				return err
			}
			cfg := bench.Config{Devices: []device.Device{phone}, Modes: []bench.Mode{bench.ARTSampling}, CPU: true, Goal: goal, Seed: 1}
			first, err := sweep(p, 1, cfg)
			if err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
			another := func(run int) (*trace.Recording, error) {
				return p.Truth(workload.Config{Seed: 2 + uint64(run), Duration: length(p)})
			}
			if err := first.Confirm(context.Background(), cfg, another); err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
			a := first.Advise()[0]
			if a.Best < 0 {
				table.Add(p.Name, text, "none")
				continue
			}
			best := a.Modes[a.Best]
			mode, _ := bench.ModeByName(best.Mode)
			cfg.Modes, cfg.Phases, cfg.Intervals = []bench.Mode{mode}, bench.DefaultPhases, nil
			if best.At.Interval > 0 {
				cfg.Intervals = []time.Duration{best.At.Interval}
			}
			share, traces := 0., 0
			for seed := range uint64(otherRuns) {
				cfg.Seed = 100 + seed
				r, err := sweep(p, 102+seed, cfg)
				if err != nil {
					return fmt.Errorf("%s: %w", p.Name, err)
				}
				row := r.Rows[0]
				share += row.Reaching * float64(row.Cells)
				traces += row.Cells
			}
			reached, all = reached+share/float64(traces), all+1
			if share/float64(traces) >= bench.Sure-1e-9 {
				hold++
			}
			interval := "-"
			if best.At.Interval > 0 {
				interval = best.At.Interval.String()
			}
			table.Add(p.Name, text, best.Mode, interval, fmt.Sprintf("%.0f %%", 100*best.At.Reaching), fmt.Sprintf("%.0f %%", 100*share/float64(traces)), fmt.Sprint(traces))
		}
	}
	if err := table.WriteText(os.Stdout); err != nil {
		return err
	}
	fmt.Printf("\nIn %d of %d cases 95 %% of the traces of other runs or more reach the goal, on average %.0f %%.\n", hold, all, 100*reached/float64(max(1, all)))
	return nil
}

func sweep(p *workload.Program, seed uint64, cfg bench.Config) (*bench.Result, error) {
	truth, err := p.Truth(workload.Config{Seed: seed, Duration: length(p)})
	if err != nil {
		return nil, err
	}
	return bench.Run(context.Background(), truth, cfg)
}

// length returns the length of a run.
func length(p *workload.Program) time.Duration { return min(p.Duration, 5*time.Second) }

// appsOf returns the apps in files or, without files, the built-in ones: all of them, or those
// listed by name.
func appsOf(names string, files []string) (apps []*workload.Program, err error) {
	for _, name := range files {
		p, err := readApp(name)
		if err != nil {
			return nil, err
		}
		apps = append(apps, p)
	}
	for _, p := range workload.Builtin() {
		if len(files) == 0 && (names == "" || slices.Contains(strings.Split(names, ","), p.Name)) {
			apps = append(apps, p)
		}
	}
	return apps, nil
}
