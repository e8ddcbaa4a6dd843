package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"artifice/bench"
	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/internal/words"
	"artifice/trace"
	"artifice/trace/filter"
	"artifice/workload"
)

// reportDefaults sets the defaults of a report, which has more modes than a table, and the error
// ladder.
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

// config returns the configuration of the sweep.
func (f *benchFlags) config() (bench.Config, error) {
	cfg := bench.Config{Intervals: f.intervals, Phases: f.phases, Seed: f.seed, Cores: f.cores, CPU: f.cpu, LadderAt: f.ladder}
	cfg.Goal, _ = f.requestedGoal()
	if err := checkOutput(f.out); err != nil {
		return cfg, err
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

// addModes adds the mode or the group of modes with this name to a sweep. The intervals of a group
// are the default of the sweep.
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

// sweep runs all tracers over the selected part of a source, from which the overhead own of its own
// tracer is subtracted; nil: nothing.
func (f *benchFlags) sweep(ctx context.Context, src *command.Source, own *command.Overhead, cfg bench.Config) (*bench.Result, error) {
	truth, err := src.Recording, error(nil)
	if own != nil {
		clean, err := own.Remove(truth)
		if err != nil {
			return nil, err
		}
		truth = &clean.Recording
	}
	if truth, err = f.window(truth, cfg.Live != nil); err != nil {
		return nil, err
	}
	if len(f.part.Threads) > 0 {
		cfg.Threads = f.part
	}
	var hide func()
	cfg.Progress, hide = src.Sampling()
	cfg.Exceeded = src.Exceeded
	result, err := bench.Run(ctx, truth, cfg)
	src.HideProgress() // an interrupted source is not read to its end
	hide()
	var unknown *bench.UnknownMethodError
	if errors.As(err, &unknown) {
		return nil, unknownMethod("--goal methods=", src.Name, unknown)
	}
	if err != nil {
		return nil, err
	}
	result.Sampled, result.Marked = src.In.Sampled(), src.Info.Marked
	if result.Sampled && result.Truth.Time == 0 {
		return nil, fmt.Errorf("%s has stacks without times: bench needs a trace of every call (adb shell am profile start PACKAGE FILE); for the stacks, use artifice report %s", src.Name, words.Shell(src.Name))
	}
	if result.Truth.Time == 0 && (len(f.part.Threads) > 0 || f.part.From != 0 || f.part.To != 0) {
		return nil, command.NothingLeft(src, &f.part)
	}
	return result, nil
}

// overheadOf returns the tracing overhead of a recorded trace of every call that
// --subtract-overhead removes; nil: none.
func (f *benchFlags) overheadOf(src *command.Source) (*command.Overhead, error) {
	if err := command.CheckSubtract(f.subtract); err != nil || f.subtract == command.NoOverhead {
		return nil, err
	}
	t := src.Info.Technique // most files do not state it
	if t != trace.Instrumented && t != trace.UnknownTechnique || src.Dumps != nil || !src.Info.Clock.HasWall() || format.IsWorkload(src.Name) {
		return nil, f.notTraced(src)
	}
	own, err := command.OverheadOf(src, f.subtract)
	if err == nil && own.Sampled() {
		return nil, f.notTraced(src)
	}
	return own, err
}

// notTraced is the error for a source without the overhead of each call.
func (f *benchFlags) notTraced(src *command.Source) error {
	return command.Usagef("--subtract-overhead %s: %s is not a trace of every call with a wall clock, so it has no tracing overhead to subtract", f.subtract, src.Name)
}

// eachRun is the note of a sweep in which each tracer has its own run.
const eachRun = "The app's threads share cores or wait for each other, so each trace is of a separate run, which lasts until all threads have done the work of the untraced run."

// interacting returns the workload with this name if its threads share cores or wait for each
// other, so that each tracer needs its own run; nil for other sources.
func interacting(name string) *workload.Program {
	if p, err := format.Program(name); err == nil && p != nil && p.Interacts() { // errors are reported when it is opened
		return p
	}
	return nil
}

// length returns the length of the run of a workload; 0: its own. If each tracer has its own run,
// the run ends at the end of the traced part at the latest, when all threads have done their
// untraced work.
func (f *benchFlags) length(p *workload.Program) time.Duration {
	if p != nil && f.part.To > 0 && f.part.To < cmp.Or(f.duration, p.Duration) {
		return f.part.To
	}
	return f.duration
}

// window returns the traced part of a truth; its time starts at 0. A run of its own ends when its
// threads have done their work, not at a time.
func (f *benchFlags) window(truth *trace.Recording, runs bool) (*trace.Recording, error) {
	to := f.part.To
	if f.part.From == 0 && to == 0 {
		return truth, nil
	}
	if err := f.part.Check(); err != nil {
		return nil, command.AsUsage(err)
	}
	if runs && f.part.From == 0 {
		return truth, nil
	}
	if runs {
		to = 0
	}
	return filter.Window(truth, f.part.From, to)
}

// runs opens runs of a workload, from the start of tracing on: with the seed of the truth, and the
// seeds of the validation runs of confirm.
func (f *benchFlags) runs(p *workload.Program, src *command.Source) func(run int, length time.Duration) (*trace.Recording, error) {
	again := p.Runs(command.DefaultSeed)
	return func(run int, length time.Duration) (*trace.Recording, error) {
		rec, err := again(run, f.part.From+length)
		if err != nil {
			return nil, err
		}
		if rec, err = src.Likewise(rec); err != nil {
			return nil, err
		}
		return f.window(rec, true)
	}
}

// confirm validates the recommendation on other runs of a workload.
func (f *benchFlags) confirm(ctx context.Context, std command.Stdio, src *command.Source, r *bench.Result, cfg bench.Config) error {
	if !format.IsWorkload(src.Name) || format.IsCallTree(src.Name) {
		return nil
	}
	if len(f.part.Threads) > 0 {
		cfg.Threads = f.part
	}
	length := f.length(interacting(src.Name))
	return r.Confirm(ctx, cfg, func(run int) (*trace.Recording, error) {
		seed := command.DefaultSeed + 1 + uint64(run)
		other, err := command.Open(ctx, command.Stdio{In: std.In, Out: std.Out, Err: io.Discard}, src.Name, command.SourceFlags{Order: format.AsTruth, Ahead: true, Names: f.names, Truth: command.TruthFlags{Seed: &seed, Duration: length}})
		if err != nil {
			return nil, err
		}
		return f.window(src.Inline(other.Recording), cfg.Live != nil)
	})
}
