package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"artifice/bench"
	draw "artifice/bench/report"
	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/trace/filter"
	"artifice/tracer/device"
)

// benchFlags holds the flags of bench.
type benchFlags struct {
	intervals command.Intervals
	devices   []string
	modes     []string
	phases    int
	seed      uint64
	cores     int
	cpu       bool
	wide      bool
	slow      slowValue
	subtract  string
	ladder    time.Duration
	duration  time.Duration
	out       string
	form      cli.Form
	names     command.MappingFlag
	value     command.ValueFlag
	goal      goalValue
	budget    command.Percent
	part      filter.Part
	inlined   command.InlinedFlag
}

// defaultModes are the tracers that bench compares by default.
var defaultModes = []string{bench.ARTSampling.Name, bench.InstrumentedDual.Name}

// benchGroups are the groups of flags in the help of bench.
var benchGroups = []command.FlagGroup{
	{Title: "What to compare", Flags: []string{"intervals", "device", "modes"}},
	{Title: "Goal", Flags: []string{"goal", "budget", "thread", "from", "to", "slow"}},
	{Title: "Output", Flags: []string{"wide", "csv", "json", "output"}},
	{Title: "Source", Flags: []string{"duration", "mapping", "value", "subtract-overhead"}},
	{Title: "Advanced", Flags: []string{"seeds", "seed", "cpu", "ladder", "inlined", "cores", "memory", "limit"}},
}

// benchCommand is artifice bench.
var benchCommand = command.Command{Name: "bench", Add: newBench, Groups: benchGroups}

func newBench(std command.Stdio) *cobra.Command {
	f := benchFlags{}
	cmd := &cobra.Command{
		Use:   "bench SOURCE",
		Short: "Measure accuracy and overhead of tracers at every interval",
		Long: `Replay SOURCE through emulated tracers. For each tracer and sampling interval, print the
tracing overhead and the accuracy of the traces. SOURCE is the ground truth: a built-in workload, a
workload file, or a trace of every call.

  $ artifice bench truth.trace --intervals 1ms,5ms
  ...
                                             correctly attributed   seen
  interval   period    slowdown  CPU overhead     CPU    wall  methods   calls
  sample: ART's sampling
      1 ms  1.74 ms  1.00–1.27*        37.5 %  81.0 %  95.9 %   93.2 %  21.6 %
      5 ms  5.74 ms  1.00–1.07*         8.9 %  55.2 %  97.9 %   88.3 %   7.9 %
  instrument-dual: every call (wall and CPU clock)
                  -        1.53        16.6 %  87.8 %  96.9 %    100 %   100 %
  ...

A row is the mean over several traces with different sampling phases (times of the first sample).
Among the tracers that meet --goal within --budget, bench recommends the one with the least
overhead. A tracer meets a goal if at least 95 % of its traces do. Without --goal, bench
recommends a tracer only if it is the most accurate and also costs least.

artifice help measures defines the columns and CSV keys, artifice help intervals the statistics,
and artifice help tracers the tracers.`,
		Example: `  artifice bench app.trace
  artifice bench app.trace --intervals 1ms,2ms --device ideal,A --wide
  artifice bench w3-on-off --modes sample,poisson,instrument-dual --csv
  artifice bench app.trace --modes studio          the choices of Android Studio
  artifice bench app.trace --thread main --goal overlap=90 --budget 5%
  artifice bench app.trace --from 2s --to 5s --goal methods=Feed.bind,Feed.draw
  artifice bench scroll-60hz --device A,B -o report.html
  artifice bench app.trace --slow Feed.bind=1.2    is a slower method visible?`,
		Args: command.OneInput("SOURCE"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, std, args) },
	}
	f.add(cmd)
	return cmd
}

// run runs a sweep or, with --slow, measures a change.
func (f *benchFlags) run(cmd *cobra.Command, std command.Stdio, args []string) error {
	switch {
	case f.slow.method != "":
		return runSlow(cmd, std, f, args[0])
	case f.out != "":
		f.reportDefaults(cmd)
	}
	return runBench(cmd, std, f, args[0])
}

func (f *benchFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&f.intervals, "intervals", command.IntervalsUsage)
	flags.StringSliceVar(&f.devices, "device", []string{command.DefaultDevice}, "`DEVICES` to emulate: names (artifice list devices) or files (.yaml)")
	flags.StringSliceVar(&f.modes, "modes", defaultModes, "tracers to compare (`MODES`): names (artifice list modes) or groups: studio, production, desktop, all")
	flags.IntVar(&f.phases, "seeds", 0, fmt.Sprintf("emulate `N` traces for each row, with different sampling phases; default: %d, or %d if SOURCE is 6 s or longer", bench.DefaultPhases, bench.FewerPhases))
	flags.Uint64Var(&f.seed, "seed", 1, "random seed; the same seed gives the same result")
	flags.IntVar(&f.cores, "cores", 0, "use `N` cores of this machine, or all with 0; the result does not depend on N")
	flags.DurationVar(&f.duration, "duration", 0, command.DurationUsage)
	flags.StringVarP(&f.out, "output", "o", "", "also write `OUT`: a page (report.html) or a folder of SVG plots (plots/)")
	flags.DurationVar(&f.ladder, "ladder", 0, "also print how much each source of error contributes to the total error, at this sampling interval")
	flags.Var(&f.inlined, "inlined", command.InlinedUsage)
	flags.Var(&f.slow, "slow", "multiply METHOD's self time by FACTOR (`METHOD=FACTOR`), and print how much of this change each tracer's traces show")
	flags.StringVar(&f.subtract, "subtract-overhead", command.NoOverhead, command.SubtractUsage)
	f.names.Add(cmd)
	f.value.Add(cmd)
	flags.Var(&f.goal, "goal", "`GOAL` that a trace must meet: overlap=95 (attribute at least 95 % of CPU time correctly), recall=95 (contain at least 95 % of the methods with 1 % of CPU time or more), hottest (rank the five hottest methods correctly), methods=NAME,... (contain all named methods)")
	flags.Var(&f.budget, "budget", "recommend only tracers that slow the app by at most this `PERCENT`, such as 5%")
	flags.StringSliceVar(&f.part.Threads, "thread", nil, "measure only threads with this `NAME` or tid; repeatable; the emulated tracer still traces and slows all threads")
	flags.DurationVar(&f.part.From, "from", 0, "start tracing at this time of the run")
	flags.DurationVar(&f.part.To, "to", 0, "stop tracing at this time of the run")
	flags.BoolVar(&f.cpu, "cpu", true, "measure CPU time if SOURCE has it; --cpu=false instead uses the wall time of methods that do not wait, which is faster and needs less memory")
	flags.BoolVar(&f.wide, "wide", false, "print all measures, in several tables")
	f.form.AddFlags(flags)
}

func runBench(cmd *cobra.Command, std command.Stdio, f *benchFlags, name string) (err error) {
	cfg, err := f.config()
	if err != nil {
		return err
	}
	report, err := openReport(std, f.out) // before the sweep, which can take long
	if err != nil {
		return err
	}
	defer report.abort()
	src, err := command.Open(cmd.Context(), std, name, command.SourceFlags{Order: format.AsTruth, Ahead: true, Names: f.names, Value: f.value, Truth: command.TruthFlags{Duration: f.length(interacting(name))}})
	if err != nil {
		return err
	}
	defer src.Close()
	defer src.Blame(&err)
	src.Inlined = f.inlined
	src.Recording = src.Inline(src.Recording)
	result, own, err := f.sweepOf(cmd.Context(), src, &cfg)
	if err != nil {
		return err
	}
	if err := f.confirm(cmd.Context(), std, src, result, cfg); err != nil {
		return err
	}
	if own != nil {
		fmt.Fprintf(std.Err, "artifice: subtracted tracing overhead: %s\n", own)
	}
	if err := f.print(std.Out, name, result, cfg.Devices); err != nil {
		return err
	}
	for _, d := range cfg.Devices {
		if d.Sampling.NoCore > 0 {
			fmt.Fprintf(std.Err, "artifice: device %s: no comparison with closed forms, because its sampler waits for a core until a thread of the app waits (no-core)\n", d.Name)
		}
	}
	if partial := partialText(result); partial != "" {
		return command.Cut(partial + report.unwritten())
	}
	return report.write(draw.Page{Source: filepath.Base(name), Part: f.partText(), Result: result, Version: cli.Version(), Command: repeat(cmd, name), Dated: draw.Dated(name, &src.Info)})
}

// sweepOf runs the sweep on a source, and completes cfg with what follows from the source. own is
// the tracing overhead that was subtracted; nil: none.
func (f *benchFlags) sweepOf(ctx context.Context, src *command.Source, cfg *bench.Config) (result *bench.Result, own *command.Overhead, err error) {
	cfg.CPU = f.cpu && src.Info.Clock.HasCPU()
	if app := interacting(src.Name); app != nil {
		cfg.Live = f.runs(app, src)
	}
	if own, err = f.overheadOf(src); err != nil {
		return nil, nil, err
	}
	result, err = f.sweep(ctx, src, own, *cfg)
	return result, own, err
}

// partialText states what an interrupted sweep lacks; "" for a complete result.
func partialText(r *bench.Result) string {
	switch {
	case r.Cut:
		return "the result is partial: it covers the first " + words.Duration(r.Truth.Length)
	case r.NoLaws:
		return "the result is partial: no comparison with closed forms"
	case r.Unconfirmed:
		return "the result is partial: the recommendation has no validation runs"
	}
	return ""
}

// print prints the result as text, CSV or JSON.
func (f *benchFlags) print(w io.Writer, name string, r *bench.Result, devices []device.Device) error {
	_, asked := f.requestedGoal()
	switch {
	case f.form.JSON:
		if err := printCells(w, r); err != nil || !asked {
			return err
		}
		return writeAnswers(w, r)
	case f.form.CSV:
		return f.form.Print(w, draw.List(r, asked))
	}
	lines := []string{fmt.Sprintf("%s: %s%s", name, r.Truth, f.partText())}
	switch running := r.Truth.Running; {
	case r.Truth.Time == 0:
	case running.ByCPU:
		lines[0] += "; " + draw.CPUText(&r.Truth)
	default:
		lines = append(lines, draw.CPUText(&r.Truth))
	}
	lines = append(lines, deviceText(devices))
	if n, late := r.Truth.Frames, r.Truth.FramesLate; n > 0 {
		lines = append(lines, fmt.Sprintf("display frames: %d of %d late (%.1f %%) without tracing; --wide counts the frames that tracing delays", late, n, 100*float64(late)/float64(n)))
	}
	if r.Live {
		lines = append(lines, eachRun)
	}
	for _, line := range lines {
		fmt.Fprintln(w, cli.WrapTerminal(w, cli.Quote(line)))
	}
	if err := f.printTables(w, r); err != nil {
		return err
	}
	printAdvice(w, r)
	return nil
}

// deviceText names the emulated devices, and describes a single one.
func deviceText(devices []device.Device) string {
	if len(devices) > 1 {
		var names []string
		for _, d := range devices {
			names = append(names, d.Name)
		}
		return "devices " + strings.Join(names, ", ")
	}
	s, d := "device "+devices[0].Name, devices[0]
	var notes []string
	if d.Description != "" {
		notes = append(notes, d.Description)
	}
	builtIn := slices.ContainsFunc(device.All(), func(b device.Device) bool { return b.Name == d.Name && b.Description == d.Description })
	if builtIn && d.Name != "ideal" {
		notes = append(notes, "artifice calibrate measures your phone")
	}
	if len(notes) > 0 {
		s += " (" + strings.Join(notes, "; ") + ")"
	}
	return s
}

// partText states the selected part of the source; "" for all of it.
func (f *benchFlags) partText() string {
	s := ""
	if f.part.From > 0 || f.part.To > 0 {
		s = fmt.Sprintf(", from %s to %s", f.part.From, command.EndOf(f.part.To))
	}
	if len(f.part.Threads) > 0 {
		s += ", only " + command.ThreadsText(f.part.Threads)
	}
	return s
}
