package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report"
	"artifice/report/diff"
	"artifice/report/plan"
	"artifice/trace"
	"artifice/tracer"
)

// planFlags are the flags of plan.
type planFlags struct {
	method    string
	change    command.Percent
	eachCall  bool
	budget    command.Percent
	level     command.Percent
	length    time.Duration
	device    string
	intervals command.Intervals
	out       string
	json      bool
	names     command.MappingFlag
}

// planGroups are the groups of flags in the help of plan.
var planGroups = []command.FlagGroup{
	{Title: "Change to detect", Flags: []string{"method", "change", "each-call"}},
	{Title: "Recording", Flags: []string{"budget", "level", "length", "intervals", "device"}},
	{Title: "Source and output", Flags: []string{"mapping", "output", "json"}},
	{Title: "Advanced", Flags: []string{"limit"}},
}

// planCommand is artifice plan.
var planCommand = command.Command{Name: "plan", Add: newPlan, Groups: planGroups}

func newPlan(std command.Stdio) *cobra.Command {
	f := planFlags{change: 0.1, budget: 0.1}
	cmd := &cobra.Command{
		Use:   "plan SOURCE...",
		Short: "Estimate how many traces are needed to detect a change",
		Long: `Estimate how many traces of an old and a new build, at which sampling interval, are needed to
detect that a method became slower. SOURCE is one or more traces of the current build. From five or
more traces, plan also measures the variance between runs. SOURCE can also be a built-in app or
a workload file: plan runs the app up to 60 times with different seeds.

  $ artifice plan scroll-60hz --method nativeDecodeStream --change 20% --intervals 10ms
  BitmapFactory.nativeDecodeStream: self 3.57 s of 10 s (36 %); to detect +20 % with 80 % power
  ...
    interval  slowdown  traces of each build  smallest detectable with 3 / 5 / 10
  every call      1.00                     3                 15 % / 9.7 % / 6.3 %
       10 ms      1.00                     3                  16 % / 10 % / 6.6 %
  ...

plan counts a change as detected if the test of artifice diff --method finds it significant
(p ≤ 0.05) with 80 % power. The estimate ignores conditions that all runs of a day or of a build
share, such as a warm device, so alternate the builds while recording.

artifice help intervals explains the estimate.`,
		Example: `  artifice plan app.trace --method glDrawElements --change 10% --level 3%
  artifice plan pilot*.trace --method Feed.bind --change 5% --budget 8%
  artifice plan scroll-60hz --method BitmapFactory.nativeDecodeStream --change 20% -o power.svg`,
		Args: command.Needs(1, -1, "SOURCE", ""),
		RunE: func(cmd *cobra.Command, args []string) error { return runPlan(cmd, std, &f, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.method, "method", "", "`METHOD` to detect a change in: full name, or an unambiguous part")
	flags.Var(&f.change, "change", "change to detect, in `percent` of the method's time in a trace")
	flags.BoolVar(&f.eachCall, "each-call", false, "assume that each call becomes slower by --change, and that the app makes fewer calls in the same time")
	flags.Var(&f.budget, "budget", "consider only sampling intervals that slow the app by at most this `percent`")
	flags.Var(&f.level, "level", "standard deviation of the method's time between runs, in `percent`; default: measured from five or more traces, otherwise estimated")
	flags.DurationVar(&f.length, "length", 0, "length of the traces that you will record; default: that of SOURCE")
	flags.Var(&f.intervals, "intervals", command.IntervalsUsage)
	flags.StringVar(&f.device, "device", command.DefaultDevice, "`DEVICE` to record on: a name (artifice list devices) or a file (.yaml)")
	f.names.Add(cmd)
	flags.StringVarP(&f.out, "output", "o", "", "also plot power against the number of traces into `OUT` (.svg)")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	cmd.RegisterFlagCompletionFunc("method", completeMethods)
	return cmd
}

// completeMethods completes --method with the method names of the first SOURCE.
func completeMethods(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 || args[0] == "-" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	src, err := command.Open(cmd.Context(), command.Stdio{Err: io.Discard, Out: io.Discard}, args[0], command.SourceFlags{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer src.Close()
	var all []string
	for i := range src.Symbols.Methods {
		if name := src.Symbols.Methods[i].FullName(); strings.Contains(name, typed) {
			all = append(all, name)
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

func runPlan(cmd *cobra.Command, std command.Stdio, f *planFlags, names []string) error {
	cfg, err := f.config(cmd)
	if err != nil {
		return err
	}
	traces, err := f.read(cmd, std, names, &cfg)
	if err != nil {
		return err
	}
	p, err := plan.New(traces, cfg)
	if err != nil {
		return command.ErrorOf(strings.Join(names, " "), err)
	}
	if f.out != "" {
		if err := f.draw(std, p); err != nil {
			return err
		}
	}
	text := planText{p, &cfg, f, len(names) == 1 && format.IsWorkload(names[0])}
	if f.json {
		return p.WriteJSON(std.Out, text.warnings())
	}
	for _, w := range text.warnings() {
		fmt.Fprintf(std.Err, "artifice: warning: %s\n", w)
	}
	if err := text.print(std.Out); err != nil {
		return err
	}
	return text.tooSmall()
}

// config returns the configuration of the flags.
func (f *planFlags) config(cmd *cobra.Command) (cfg plan.Config, err error) {
	if f.method == "" {
		return cfg, command.Usagef("plan needs --method NAME: a full name, or a unique part of a name; artifice report lists the methods")
	}
	if f.out != "" && !strings.HasSuffix(f.out, ".svg") {
		return cfg, command.Usagef("-o %s: must end in .svg", f.out)
	}
	cfg = plan.Config{Change: float64(f.change), EachCall: f.eachCall, Level: -1, Length: f.length, Intervals: f.intervals, Budget: float64(f.budget), Seed: command.DefaultSeed}
	if cmd.Flags().Changed("level") {
		cfg.Level = float64(f.level)
	}
	if len(cfg.Intervals) == 0 {
		cfg.Intervals = tracer.SamplingIntervals
	}
	if cfg.Device, err = command.Device(f.device); err != nil {
		return cfg, err
	}
	return cfg, cfg.Check()
}

// read reads the traces, or runs the app, and measures the costs of recording the first trace.
func (f *planFlags) read(cmd *cobra.Command, std command.Stdio, names []string, cfg *plan.Config) (traces []*plan.Trace, err error) {
	if format.IsWorkload(names[0]) && !format.IsCallTree(names[0]) {
		if len(names) > 1 {
			return nil, command.Usagef("%s: plan itself runs an app several times: pass a single app, or traces", names[1])
		}
		return plan.Runs(func(seed uint64) (*plan.Trace, error) {
			truth := command.TruthFlags{Seed: &seed, Duration: f.length}
			if seed == command.DefaultSeed {
				return f.first(cmd, std, names[0], truth, cfg)
			}
			return f.one(cmd, std, names[0], truth)
		})
	}
	for i, name := range names {
		if i > 0 && format.IsWorkload(name) {
			return nil, command.Usagef("%s: plan itself runs an app several times: pass a single app, or traces", name)
		}
		var t *plan.Trace
		if i == 0 {
			t, err = f.first(cmd, std, name, command.TruthFlags{}, cfg)
		} else {
			t, err = f.one(cmd, std, name, command.TruthFlags{})
		}
		if err != nil {
			return nil, err
		}
		traces = append(traces, t)
		if err := alike(names[0], traces[0], name, t); err != nil {
			return nil, err
		}
	}
	return traces, nil
}

// one reads one SOURCE argument.
func (f *planFlags) one(cmd *cobra.Command, std command.Stdio, name string, truth command.TruthFlags) (t *plan.Trace, err error) {
	src, err := command.Open(cmd.Context(), std, name, command.SourceFlags{Names: f.names, Truth: truth})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	defer src.Blame(&err)
	return f.measured(src)
}

// first reads the first source, and sets the costs of recording it.
func (f *planFlags) first(cmd *cobra.Command, std command.Stdio, name string, truth command.TruthFlags, cfg *plan.Config) (t *plan.Trace, err error) {
	once := name == "-" // standard input cannot be opened again
	if !once {
		if t, err = f.one(cmd, std, name, truth); err != nil {
			return nil, err
		}
		std.Err = io.Discard // one printed the warnings
	}
	src, err := command.Open(cmd.Context(), std, name, command.SourceFlags{Order: format.AsTruth, Ahead: true, Names: f.names, Truth: truth})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	defer src.Blame(&err)
	if once {
		if _, err := src.FromStart(); err != nil {
			return nil, err
		}
		if t, err = f.measured(src); err != nil {
			return nil, err
		}
		if _, err := src.FromStart(); err != nil {
			return nil, err
		}
	}
	return t, f.measureCosts(cmd, src, truth.Duration, cfg)
}

// measureCosts sets the costs of recording a source, as bench measures them by default. duration is
// that of a workload; 0: its own.
func (f *planFlags) measureCosts(cmd *cobra.Command, src *command.Source, duration time.Duration, cfg *plan.Config) error {
	b := benchFlags{intervals: cfg.Intervals, devices: []string{f.device}, modes: defaultModes, seed: command.DefaultSeed, cpu: true, duration: duration, names: f.names, subtract: command.NoOverhead}
	sweep, err := b.config()
	if err != nil {
		return err
	}
	result, _, err := b.sweepOf(cmd.Context(), src, &sweep)
	switch {
	case err != nil:
		return err
	case result.Cut:
		return context.Cause(cmd.Context())
	}
	cfg.Costs = result.Costs(cfg.Device.Name)
	return nil
}

// measured reads the measurements of the method from an open source.
func (f *planFlags) measured(src *command.Source) (*plan.Trace, error) {
	t, err := plan.Read(src.Recording, f.method)
	if unknown := new(plan.MethodError); errors.As(err, &unknown) {
		return nil, command.Usagef("--method: %s: %w%s", src.Name, err, command.DidYouMean(f.method, command.LikeNames(f.method, unknown.Known)))
	}
	return t, err
}

// alike returns an error if two traces are not of the same app, recorded alike.
func alike(firstName string, first *plan.Trace, name string, t *plan.Trace) error {
	kind := func(t *plan.Trace) string {
		if t.Period == 0 {
			return "contains every call"
		}
		return fmt.Sprintf("is sampled about every %s", words.Duration(t.Period))
	}
	switch {
	case t.Name != first.Name:
		return command.Usagef("--method matches %s in %s and %s in %s: use the full name", first.Name, firstName, t.Name, name)
	case diff.UnlikePeriods(first.Period, t.Period) != diff.Alike:
		return command.Usagef("%s %s, and %s %s: tracing overhead would count as between-run variance; use traces that were recorded alike", firstName, kind(first), name, kind(t))
	case t.Clock != first.Clock:
		return command.Usagef("%s has the clock %s, and %s the clock %s: use traces that were recorded alike", firstName, first.Clock, name, t.Clock)
	}
	if first == t {
		return nil
	}
	d, err := diff.Compare([]*report.View{first.View}, []*report.View{t.View}, trace.Wall, diff.Student)
	if err != nil {
		return command.ErrorOf(name, err)
	}
	if d.Matched < 0.5 {
		return command.Usagef("%s and %s: only %.0f %% of the time is in methods of both; use traces of the same app", firstName, name, 100*d.Matched)
	}
	return nil
}

// draw draws the power of the plan into the SVG file of -o.
func (f *planFlags) draw(std command.Stdio, p *plan.Plan) error {
	return command.Save(std, f.out, func(file *cli.File) error {
		return p.Chart().WriteFile(file, fmt.Sprintf("Power to detect +%s in %s", planPercent(p.Change), p.Method))
	})
}
