package main

import (
	"slices"
	"time"

	"github.com/spf13/cobra"

	"artifice/bench"
	"artifice/cmd/artifice/command"
)

// reportDefaults lets a report compare more than a table needs.
func (f *benchFlags) reportDefaults(cmd *cobra.Command) {
	if !cmd.Flags().Changed("modes") {
		f.modes = nil
		for _, m := range reportModes {
			f.modes = append(f.modes, m.Name)
		}
	}
	if !cmd.Flags().Changed("ladder") {
		f.ladder = time.Millisecond
	}
}

func modeNames() []string {
	var all []string
	for _, e := range command.Modes() {
		all = append(all, e.Name)
	}
	return all
}

// config turns the flags into a sweep.
func (f *benchFlags) config() (bench.Config, error) {
	cfg := bench.Config{Intervals: f.intervals, Phases: f.phases, Seed: f.seed, Cores: f.cores, CPU: f.cpu, LadderAt: f.ladder}
	cfg.Goal, _ = f.askedGoal()
	if f.ladder < 0 {
		return cfg, command.Usagef("--ladder %s: must be above 0", f.ladder)
	}
	if err := checkOutput(f.out); err != nil {
		return cfg, err
	}
	if f.cores < 0 || f.cores > maxCores {
		return cfg, command.Usagef("--cores %d: must be a number of cores up to %d, or 0 for all", f.cores, maxCores)
	}
	if f.phases < 1 {
		return cfg, command.Usagef("--seeds %d: must be at least 1", f.phases)
	}
	for _, name := range f.devices {
		d, err := command.Device(name)
		if err != nil {
			return cfg, err
		}
		cfg.Devices = append(cfg.Devices, d)
	}
	for _, name := range f.modes {
		if err := addModes(&cfg, name); err != nil {
			return cfg, err
		}
	}
	return cfg, nil
}

// addModes adds the mode or the group of modes of a name to a sweep; a group's
// intervals are the sweep's unless it has some.
func addModes(cfg *bench.Config, name string) error {
	for _, g := range bench.Groups() {
		if g.Name != name {
			continue
		}
		for _, m := range g.Modes {
			if !slices.ContainsFunc(cfg.Modes, func(other bench.Mode) bool { return other.Name == m.Name }) {
				cfg.Modes = append(cfg.Modes, m)
			}
		}
		if len(cfg.Intervals) == 0 {
			cfg.Intervals = g.Intervals
		}
		return nil
	}
	m, ok := bench.ModeByName(name)
	if !ok {
		return command.Usagef("unknown mode %q%s; see artifice list", name, command.DidYouMean(name, modeNames()))
	}
	cfg.Modes = append(cfg.Modes, m)
	return nil
}

// maxCores bounds --cores: more only take memory.
const maxCores = 1024
