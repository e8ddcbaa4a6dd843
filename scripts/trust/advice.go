package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"artifice/bench"
	"artifice/device"
	"artifice/internal/cli"
	"artifice/workload"
)

// otherRuns is how many other runs of an app an advice is tried on.
const otherRuns = 5

// runAdvice tries the advice of bench, from one run of each app, on traces of other runs of it, of other seeds: how many
// of them, each by itself, reach the goal for which 95 % of all traces were to.
func runAdvice(app string, files []string) error {
	if len(files) > 0 {
		return fmt.Errorf("%s: -advice takes apps, which can be run again", files[0])
	}
	phone, err := device.Open("A")
	if err != nil {
		return err
	}
	table := &cli.Table{Columns: []string{"app", "goal", "advised", "interval", "there", "other runs", "traces"}, Right: []bool{false, false, false, true, true, true, true}}
	reached, all := 0., 0
	for _, p := range workload.Builtin() {
		if app != "" && app != p.Name {
			continue
		}
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
			a := first.Advise()[0]
			if a.Best < 0 {
				table.Add(p.Name, text, "none")
				continue
			}
			best := a.Ways[a.Best]
			mode, _ := bench.ModeByName(best.Mode)
			cfg.Modes, cfg.Phases, cfg.Intervals = []bench.Mode{mode}, bench.DefaultPhases, nil
			if best.At.Interval > 0 {
				cfg.Intervals = []time.Duration{best.At.Interval}
			}
			share, traces := 0., 0
			for seed := range uint64(otherRuns) {
				cfg.Seed = 100 + seed
				r, err := sweep(p, 2+seed, cfg)
				if err != nil {
					return fmt.Errorf("%s: %w", p.Name, err)
				}
				row := r.Rows[0]
				share += row.Reaching * float64(row.Cells)
				traces += row.Cells
			}
			reached, all = reached+share/float64(traces), all+1
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
	fmt.Printf("\nOn average %.0f %% of the traces of other runs reach the goal, in %d cases.\n", 100*reached/float64(max(1, all)), all)
	return nil
}

func sweep(p *workload.Program, seed uint64, cfg bench.Config) (*bench.Result, error) {
	truth, err := p.Truth(workload.Config{Seed: seed, Duration: min(p.Duration, 5*time.Second)})
	if err != nil {
		return nil, err
	}
	return bench.Run(context.Background(), truth, cfg)
}
