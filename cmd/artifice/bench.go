package main

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"artifice/bench"
	draw "artifice/bench/report"
	"artifice/cmd/artifice/command"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/trace/filter"
)

// benchFlags are the flags of bench.
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
	goal      goalValue
	budget    command.Percent
	part      filter.Part
	inlined   command.InlinedFlag
}

// benchGroups are the groups of bench's flags.
var benchGroups = []command.FlagGroup{
	{Title: "Flags", Flags: []string{"intervals", "device", "modes", "seeds", "seed", "duration", "mapping", "cores", "subtract-overhead", "slow", "inlined"}},
	{Title: "What you want to know", Flags: []string{"goal", "budget", "thread", "from", "to"}},
	{Title: "What to print", Flags: []string{"wide", "csv", "json", "cpu", "ladder", "output"}},
}

// movedFlags are the flags of earlier releases that are now programs of module research.
var movedFlags = []struct{ name, program string }{{"verify", "./verify"}, {"trust", "./trust SOURCE"}}

// benchCommand is artifice bench.
var benchCommand = command.Command{Name: "bench", Add: newBench, Groups: benchGroups}

func newBench(std command.Stdio) *cobra.Command {
	f := benchFlags{}
	cmd := &cobra.Command{
		Use:   "bench SOURCE",
		Short: "Measure how accurate and how costly tracing is at every interval",
		Long: `Run emulated tracers over SOURCE, a workload or an instrumented trace whose
events are taken as what the app did. For every sampling interval, print what a
trace would have cost and how accurate it would have been. A line is the mean
over phases of the first sample, spread evenly over one interval, and ± is the
standard deviation over them.

  interval   what the sampler is asked for
  period     wall time from sample to sample: interval + overshoot + pause
  slowdown   length of the run over its length without tracing; of a recorded
             SOURCE a range: from where all waits make up for lost time, to
             where none does, or more where threads miss the ticks of a clock
  stretch    how many times as long the threads run, without their waits
  running    % of running time that the trace attributes to the right method
  wall       the same for wall time, most of which threads spend waiting
  methods    % of the methods called that were seen at all
  calls      % of the calls that a sample fell into
  z          how many standard errors the line is off theory, for the measure
             that is off most (a normal score, by Student's t, of the difference
             between neighbouring phases, corrected for being the largest: 95 %
             of lines are within 2); "exact" where all phases agree with
             theory as far as they can tell; - where there is nothing to
             compare: for tracers of every call, for fewer than 30 samples in
             all phases, beside a garbage collector, for samplers that sleep, and
             where threads share cores or wait for each other

Running time is exclusive CPU time where SOURCE and the tracer have it, else
the wall time of methods that do not wait: all but those that are known by name
to park, sleep, poll, read or call another process.

A recorded SOURCE does not say how its waits end. A sleep, by its name, is for a
time, and begins and ends later. Waits whose ends lie on the ticks of a clock end
with it, and the thread is on time again. All others are taken to be for a time.
Where half of the time added depends on that, ways of tracing are compared by
their stretch, and --budget bounds that. The time before the first event counts.

A workload whose threads share cores or wait for each other is run anew for each
trace, until all threads have done what they do untraced.

A recorded SOURCE also has in its times what recording each call took: in short methods
most of them. --subtract-overhead takes that out, as far as it is known.

The text below the table answers --goal and --budget: the cheapest way of
tracing, what each way reaches and costs, and what cannot be had and why. People
record one trace: a goal is reached where 95 % of all traces reach it, each by
itself; those of six other runs, too, where SOURCE is a workload. Without them, a trace is wanted that has the five methods with the most
running time, in the right order where they differ by more than a tenth.

--slow METHOD=1.2 multiplies the method's own time by 1.2 instead, and says for each way
of tracing by how much its traces show the method slower: a straight line through
what they show of the app as it is and of four steps to there. Recording every call
adds to each call what it takes, so that less of the change is seen.

--wide and --csv print all measures, which artifice score --help defines. --json
prints one line with an object for every tracer that ran. With --goal or --budget,
--csv has three more columns (goal_reached, within_budget, advised), and --json ends
with a line for each device that has the answer.`,
		Example: `  artifice bench app.trace
  artifice bench app.trace --intervals 1ms,2ms --device ideal,A --wide
  artifice bench w3-on-off --modes sample,poisson,instrument-dual --csv
  artifice bench app.trace --modes studio  which button of Android Studio?
  artifice bench app.trace --thread main --goal overlap=90 --budget 5%
  artifice bench app.trace --from 2s --to 5s --goal methods=Feed.bind,Feed.draw
  artifice bench scroll-60hz --device A,B -o report.html
  artifice bench app.trace --slow Feed.bind=1.2  what do traces show of it?`,
		Args: func(cmd *cobra.Command, args []string) error {
			for _, f := range movedFlags {
				if cmd.Flags().Changed(f.name) {
					return command.Usagef("bench --%s moved: cd research && go run %s", f.name, f.program)
				}
			}
			return command.OneInput("SOURCE")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, std, args) },
	}
	f.add(cmd)
	return cmd
}

// run does what the flags say: a sweep, or something beside it.
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
	flags.Var(&f.intervals, "intervals", "sampling `INTERVALS`: FROM..TO in steps of 1, 2, 5, or a list")
	flags.StringSliceVar(&f.devices, "device", []string{command.DefaultDevice}, "`DEVICES` whose timing to emulate: of artifice list, or files (.yaml)")
	flags.StringSliceVar(&f.modes, "modes", []string{bench.ARTSampling.Name, bench.InstrumentedDual.Name}, "ways of tracing: `MODES` of artifice list; studio: the four of Android Studio; all")
	flags.IntVar(&f.phases, "seeds", bench.DefaultPhases, fmt.Sprintf("`N` tracers for each line, with different phases and seeds; by default %d where SOURCE lasts for 6 s or more", bench.FewerPhases))
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the random numbers; the same seed gives the same result")
	flags.IntVar(&f.cores, "cores", 0, "use `N` processor cores; 0: all. The result does not depend on it")
	flags.DurationVar(&f.duration, "duration", 0, "how long a workload runs; default: its own duration")
	flags.StringVarP(&f.out, "output", "o", "", "also write a report to `OUT`: a page (report.html) or a folder of plots (plots/, SVG)")
	flags.DurationVar(&f.ladder, "ladder", 0, "also print what each source of error costs at this interval")
	flags.Var(&f.inlined, "inlined", command.InlinedUsage)
	flags.Var(&f.slow, "slow", "multiply the own time of `METHOD=FACTOR`, and say what traces show of the change")
	flags.StringVar(&f.subtract, "subtract-overhead", "", "take what recording SOURCE took out of its times: as on `DEVICE`, or none; default: of --device where that is one, and SOURCE states what its clocks take")
	f.names.Add(cmd)
	flags.Var(&f.goal, "goal", "say with which tracing one trace reaches this `GOAL`: hottest (the five hottest methods, in the right order), overlap=95 (% of running time in the right method), recall=95 (% of the methods with 1 % of it seen), methods=NAME,... (all of them seen)")
	flags.Var(&f.budget, "budget", "slow the run down by at most this `PERCENT`, such as 5%")
	flags.StringSliceVar(&f.part.Threads, "thread", nil, "measure only threads of this `NAME` or tid (may be repeated); tracing sees and slows down all")
	flags.DurationVar(&f.part.From, "from", 0, "start to trace at this time of the run")
	flags.DurationVar(&f.part.To, "to", 0, "stop tracing at this time of the run")
	flags.BoolVar(&f.cpu, "cpu", true, "measure CPU time where SOURCE has it; --cpu=false saves time and memory, and takes wall time of methods that do not wait for running time")
	flags.BoolVar(&f.wide, "wide", false, "print all measures")
	f.form.AddFlags(flags)
	for _, moved := range movedFlags {
		flags.Bool(moved.name, false, "moved to module research")
		flags.Lookup(moved.name).Hidden = true
	}
}

func runBench(cmd *cobra.Command, std command.Stdio, f *benchFlags, name string) (err error) {
	cfg, err := f.config()
	if err != nil {
		return err
	}
	report, err := openReport(std, f.out) // before the work, which can be long
	if err != nil {
		return err
	}
	defer report.abort()
	app := interacting(name)
	src, err := command.Open(cmd.Context(), std, name, command.SourceFlags{Order: format.AsTruth, Ahead: true, Names: f.names, Truth: command.TruthFlags{Duration: f.length(app)}})
	if err != nil {
		return err
	}
	defer src.Close()
	defer src.Blame(&err)
	src.Inlined = f.inlined
	src.Recording = src.Inline(src.Recording)
	if !cmd.Flags().Changed("seeds") {
		cfg.Phases = 0 // as many as the length asks for
	}
	if !cmd.Flags().Changed("cpu") {
		cfg.CPU = src.Info.Clock.HasCPU()
	}
	if app != nil {
		cfg.Live = f.runs(app, src)
	}
	own, err := f.ownCostOf(cmd, src)
	if err != nil {
		return err
	}
	result, own, err := f.cleanSweep(cmd.Context(), src, own, cfg)
	if err != nil {
		return err
	}
	if err := f.confirm(cmd.Context(), std, src, result, cfg); err != nil {
		return err
	}
	if own != nil {
		fmt.Fprintf(std.Err, "artifice: %s\n", own)
	}
	if err := f.print(std.Out, name, result); err != nil {
		return err
	}
	for _, d := range cfg.Devices {
		if d.Sampling.NoCore > 0 {
			fmt.Fprintf(std.Err, "artifice: the sampler of device %s waits for a core until a thread of the app waits (no-core): no closed form says what it measures\n", d.Name)
		}
	}
	if partial := partialText(result); partial != "" {
		return command.Cut(partial + report.unwritten())
	}
	return report.write(draw.Page{Source: filepath.Base(name), Part: f.partText(), Result: result, Version: cli.Version(), Command: repeat(cmd, name), Dated: draw.Dated(name, &src.Info)})
}

// partialText states in what way the result of an interrupted sweep is partial; "" if it is complete.
func partialText(r *bench.Result) string {
	switch {
	case r.Cut:
		return "the result is partial: it is for the first " + words.Digits(r.Truth.Length)
	case r.NoLaws:
		return "the result is partial: it is not compared with theory"
	case r.Unconfirmed:
		return "the result is partial: its advice is not confirmed by other runs"
	}
	return ""
}

// print prints the result in the form that was asked for.
func (f *benchFlags) print(w io.Writer, name string, r *bench.Result) error {
	_, asked := f.askedGoal()
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
	if all := r.Truth.Time; all > 0 {
		running := r.Truth.Running
		lines = append(lines, fmt.Sprintf("running time: %s, %.0f %% of the threads' time; they wait in the rest", running, 100*running.Time.Seconds()/all.Seconds()))
	}
	if n, late := r.Truth.Frames, r.Truth.FramesLate; n > 0 {
		lines = append(lines, fmt.Sprintf("frames: the app itself is late in %d of %d (%.1f %%); frames late in a traced run (--wide) are those that tracing adds", late, n, 100*float64(late)/float64(n)))
	}
	if s := rangesText(r); s != "" {
		lines = append(lines, s)
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

// partText says what was measured of the source, where it is not all.
func (f *benchFlags) partText() string {
	s := ""
	if f.part.From > 0 || f.part.To > 0 {
		s = fmt.Sprintf("; from %s to %s", f.part.From, command.EndOf(f.part.To))
	}
	if len(f.part.Threads) > 0 {
		s += "; only " + command.ThreadsText(f.part.Threads)
	}
	return s
}
