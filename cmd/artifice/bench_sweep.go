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

	"artifice/art"
	"artifice/bench"
	"artifice/cmd/artifice/command"
	"artifice/format"
	"artifice/instrument"
	"artifice/internal/words"
	"artifice/trace"
	"artifice/trace/filter"
	"artifice/tracer/device"
	"artifice/workload"
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

// sweep runs all tracers over the part of a source that the flags say, without its own tracer's cost if that is known.
func (f *benchFlags) sweep(ctx context.Context, src *command.Source, own *ownCost, cfg bench.Config) (*bench.Result, error) {
	truth, err := src.Recording, error(nil)
	if own != nil {
		if truth, err = instrument.Clean(truth, own.cost, own.rt); err != nil {
			return nil, err
		}
	}
	if truth, err = f.window(truth, cfg.Live != nil); err != nil {
		return nil, err
	}
	if len(f.part.Threads) > 0 {
		cfg.Threads = f.part
	}
	var hide func()
	cfg.Progress, hide = src.Sampling()
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
	result.Sampled = src.In.Sampled()
	if result.Sampled && result.Truth.Time == 0 {
		return nil, fmt.Errorf("%s has stacks and no times, so there is nothing to measure: bench needs a trace of every call (adb shell am profile start PACKAGE FILE); artifice report %s shows the stacks", src.Name, words.Shell(src.Name))
	}
	if result.Truth.Time == 0 && (len(f.part.Threads) > 0 || f.part.From != 0 || f.part.To != 0) {
		return nil, command.NothingLeft(src, &f.part)
	}
	return result, nil
}

// ownCost is what recording a source has taken, and is taken out of its times.
type ownCost struct {
	on    device.Device
	rt    *art.Runtime
	cost  instrument.Cost
	event time.Duration // of cost, for each event
}

// ownCostOf returns what the flags say of it; nil: it stays in. Without the flag it is taken out where ART
// recorded SOURCE, which states what its clocks take, and one device is asked for, which tells the rest, and no times of
// SOURCE are.
func (f *benchFlags) ownCostOf(cmd *cobra.Command, src *command.Source) (*ownCost, error) {
	asked := cmd.Flags().Changed("subtract-overhead")
	t := src.Info.Technique // most files do not tell
	traced := (t == trace.Instrumented || t == trace.UnknownTechnique) && src.Dumps == nil && src.Info.Clock.HasWall() && !format.IsWorkload(src.Name)
	name := f.subtract
	switch {
	case name == "none":
		return nil, nil
	case asked && !traced:
		return nil, f.notTraced(src)
	case asked:
	case !traced || src.Info.VM != "art" || src.Info.ClockOverhead == 0 || len(f.devices) != 1 || !cmd.Flags().Changed("device") || f.part.From != 0 || f.part.To != 0:
		return nil, nil
	default:
		name = f.devices[0]
	}
	d, err := command.Device(name)
	if err != nil {
		return nil, err
	}
	if !asked && d.Instrumented == (instrument.Cost{}) { // a device that takes nothing knows nothing of the source's
		return nil, nil
	}
	format := ""
	if src.Recording.Source != nil {
		format = src.Recording.Source.Format
	}
	c := &ownCost{on: d, rt: art.Writing(format), cost: d.Instrumented}
	if stated := src.Info.ClockOverhead; stated > 0 { // of this very trace
		c.cost.WallRead = min(c.cost.WallRead, stated)
		if c.cost.CPURead = stated - c.cost.WallRead; !src.Info.Clock.HasCPU() {
			c.cost.CPURead, c.cost.WallRead = 0, stated
		}
	}
	if c.event = c.cost.Event(c.rt, src.Info.Clock); c.event == 0 {
		return nil, nil
	}
	return c, nil
}

// notTraced refuses to take the cost of each call out of a source that has none.
func (f *benchFlags) notTraced(src *command.Source) error {
	return command.Usagef("--subtract-overhead %s: %s is not a trace of every call with a wall clock, in which tracing each call has taken time", f.subtract, src.Name)
}

// cleanSweep is sweep without what recording the source took. That the source was sampled can be seen when it has
// been read; then it is read again as it is.
func (f *benchFlags) cleanSweep(ctx context.Context, src *command.Source, own *ownCost, cfg bench.Config) (*bench.Result, *ownCost, error) {
	if own == nil {
		result, err := f.sweep(ctx, src, nil, cfg)
		return result, nil, err
	}
	if _, err := src.FromStart(); err != nil { // the first time
		return nil, nil, err
	}
	result, err := f.sweep(ctx, src, own, cfg)
	switch {
	case !src.In.Sampled():
		return result, own, err
	case f.subtract != "":
		return nil, nil, f.notTraced(src)
	}
	if _, err := src.FromStart(); err != nil {
		return nil, nil, err
	}
	result, err = f.sweep(ctx, src, nil, cfg)
	return result, nil, err
}

// String says in a line what is taken out of the times of a source.
func (c *ownCost) String() string {
	return fmt.Sprintf("what recording took is out of the source's times: %s for each event, on device %s (--subtract-overhead none leaves it in)", words.Digits(c.event), c.on.Name)
}

// eachRun is what is said of a sweep in which each tracer has a run of its own.
const eachRun = "its threads share cores or wait for each other: each trace is of a run of its own, until all threads have done what they do untraced"

// interacting returns the workload of that name if its threads share cores or wait for each other, so that each tracer has a run of
// its own; nil of other sources.
func interacting(name string) *workload.Program {
	if p, err := format.Program(name); err == nil && p != nil && p.Interacts() { // what is wrong with it is said when it is opened
		return p
	}
	return nil
}

// length is how long a workload runs, 0 being its own length: one of whose runs each tracer has one, no further than to the end of the part
// that is traced. All threads are to have done by then what they do untraced.
func (f *benchFlags) length(p *workload.Program) time.Duration {
	if p != nil && f.part.To > 0 && f.part.To < cmp.Or(f.duration, p.Duration) {
		return f.part.To
	}
	return f.duration
}

// window returns the part of a truth that is traced, whose time begins with it. A run of an app that each tracer has for itself ends by what
// its threads do.
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

// runs opens runs of a workload, from where tracing begins on: with the seed of the truth, and those of the runs of confirm.
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

// confirm tries the advice on other runs of an app that can be run again.
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
