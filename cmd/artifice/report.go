package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/report"
	"artifice/report/dumps"
	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
)

// reportFlags are the flags of report.
type reportFlags struct {
	top             int
	sort            string
	clock           string
	waiting         bool
	by              string
	threads         []string
	names           string
	callers, callee string
	tree            bool
	cut             float64
	focus, ignore   string
	until           string
	subtract        string
	sampled         time.Duration
	compat          string
	graph           string
	lateFrames      time.Duration
	each            string
	form            cli.Form
	dumps           command.ReadFlags

	shown report.Filter    // of --focus and --ignore, set by validate
	named report.NameStyle // of --names, set by validate
}

// reportGroups are the groups of flags in the help of report.
var reportGroups = append([]command.FlagGroup{
	{Title: "What to show", Flags: []string{"thread", "clock", "waiting", "by", "callers", "callees", "each", "tree", "focus", "ignore", "late-frames"}},
	{Title: "Output", Flags: []string{"top", "sort", "names", "cut", "graph", "json", "csv"}},
}, command.ReadGroups("until", "subtract-overhead", "sampled", "compat", "memory")...)

// reportCommand is the subcommand report.
var reportCommand = command.Command{Name: "report", Add: newReport, Groups: reportGroups}

func newReport(std command.Stdio) *cobra.Command {
	f := reportFlags{dumps: command.ReadFlags{Nesting: true, Quantity: true}}
	cmd := &cobra.Command{
		Use:   "report FILE",
		Short: "Show where time is spent, with confidence intervals",
		Long: `List the methods of the main thread by self time, longest first. For a sampled trace, report prints
95 % confidence intervals, computed from the trace alone. In a trace of every call, the numbers of
calls are exact, but times include the tracing overhead (--subtract-overhead subtracts the
overhead). For thread dumps, report prints the states, stacks and locks of threads.

  $ artifice report app.trace --top 2
  app.trace: 299 ms, sampled with a period of 1 ms, 280 samples, 22 threads
  main: CPU 194 ms, waiting 105 ms; self is CPU time (--waiting: wall time)
  
     self       95 % CI   share    total  calls  method
  27.9 ms  15.8–41.6 ms  14.4 %  27.9 ms  ≥ 557  View.draw
  25.9 ms  17.6–34.4 ms  13.3 %  25.9 ms   ≥ 19  StartPage$render$1.run
  ...

artifice help columns defines the columns, artifice help intervals the confidence intervals. Times
describe the recorded run; artifice bench measures how much tracing changes a run.`,
		Example: `  artifice report app.trace
  artifice report app.trace --thread all --by class
  artifice report app.trace --callers View.draw
  artifice report app.trace --tree --focus 'com\.example'
  artifice report app.trace --each View.draw       single calls, longest first
  artifice report app.trace --late-frames          frames longer than 16.66 ms
  artifice report app.trace -g calls.svg --cut 2
  artifice report instrumented.trace --subtract-overhead own --csv`,
		Args: command.OneInput("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return runReport(cmd, std, &f, args[0]) },
	}
	f.add(cmd)
	return cmd
}

func (f *reportFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.callers, "callers", "", "list the callers of `METHOD` (full name, or an unambiguous part), and METHOD's time for each caller")
	flags.StringVar(&f.callee, "callees", "", "list the methods that `METHOD` calls, and their times")
	flags.BoolVar(&f.tree, "tree", false, "print the call tree of each thread, from the root down")
	flags.Float64Var(&f.cut, "cut", 1, "omit nodes with less than this `PERCENT` of the time, from graphs (default: 5) and from trees")
	flags.StringVar(&f.by, "by", "method", "print one `ROW` per method, class, package or thread")
	flags.StringVar(&f.focus, "focus", "", "use only stacks with a frame that matches `REGEXP`")
	flags.StringVar(&f.ignore, "ignore", "", "use only stacks without a frame that matches `REGEXP`")
	flags.IntVar(&f.top, "top", 20, command.TopUsage)
	flags.StringVar(&f.sort, "sort", "self", "sort rows `BY` self, total, calls or name")
	flags.StringVar(&f.clock, "clock", "", "`CLOCK` of the times: running (default; CPU time, divided among methods that run; without a CPU clock, wall time minus waiting), wall, or cpu (as the trace attributes CPU time, even to waiting methods; default for graphs)")
	flags.BoolVar(&f.waiting, "waiting", false, "include waiting time; the same as --clock wall")
	flags.StringSliceVar(&f.threads, "thread", nil, "use only threads with this `NAME` or tid; all: every thread; repeatable; default: main, or all if main hardly ran; for CSV and JSON: all")
	flags.StringVar(&f.names, "names", "short", command.NamesUsage)
	flags.StringVar(&f.until, "until", "end", command.UntilUsage)
	flags.StringVar(&f.subtract, "subtract-overhead", command.NoOverhead, command.SubtractUsage)
	flags.DurationVar(&f.sampled, "sampled", 0, "sampling `INTERVAL` of the trace; default: estimated from its timestamps")
	flags.StringVar(&f.compat, "compat", "", "print, byte for byte, the report of another `PROGRAM`: "+dmtracedumpName)
	flags.StringVarP(&f.graph, "graph", "g", "", "draw the call graph into `OUT`: .svg, .png (both need Graphviz) or .dot")
	flags.StringVar(&f.each, "each", "", "list each call of `METHOD`, longest first, and the methods that took its time; for sampled traces, each duration is a range")
	flags.DurationVar(&f.lateFrames, "late-frames", defaultLate, "list display frames (Choreographer.doFrame) longer than `PERIOD`, and the methods that ran during each frame; default for a Perfetto frame timeline: frames that missed their deadlines; for other traces")
	flags.Lookup("late-frames").NoOptDefVal = flags.Lookup("late-frames").DefValue
	f.form.AddFlags(cmd.Flags())
	f.dumps.Add(cmd)
}

func runReport(cmd *cobra.Command, std command.Stdio, f *reportFlags, name string) error {
	switch {
	case f.compat != "":
		return f.compatible(cmd, std, name)
	case f.listsCalls(cmd):
		return f.reportCalls(cmd, std, name)
	}
	until, err := f.validate(cmd)
	if err != nil {
		return err
	}
	collect := watchDumps(&f.dumps)
	src, err := f.open(cmd, std, name)
	if err != nil {
		return err
	}
	defer src.Close()
	var shown *dumps.Collector // of thread dumps
	if f.ofDumps(src) {
		shown = collect(src)
	}
	choice := report.ThreadChoice{Names: f.threads, Recording: src.Recording}
	if f.forPrograms() && len(f.threads) == 0 {
		choice.Names = []string{report.AllThreads}
	}
	if len(src.Symbols.Methods) > manyMethods {
		defer command.KeepSpare()()
	}
	p, readErr := estimateOf(src, estimate.Config{Until: until, MethodsOnly: !f.needsContexts(), Threads: &choice, Interval: f.sampled}, f.subtract)
	switch {
	case shown != nil:
		return errors.Join(f.printDumps(std, src, shown.Summary()), readErr)
	case choice.Err != nil:
		return errors.Join(noThread(src.Name, choice.Err), readErr)
	case p == nil:
		return readErr
	}
	return errors.Join(f.printTimes(cmd.Context(), std, src, p, choice.Chosen), readErr)
}

// open opens the source, in time order if overhead is subtracted.
func (f *reportFlags) open(cmd *cobra.Command, std command.Stdio, name string) (*command.Source, error) {
	if f.subtract == command.NoOverhead {
		return f.dumps.Open(cmd, std, name)
	}
	how, err := f.dumps.Flags()
	if err != nil {
		return nil, err
	}
	how.Order = format.ByTime
	return f.dumps.OpenAs(cmd, std, name, how)
}

// validate checks the flags and returns the policy of --until.
func (f *reportFlags) validate(cmd *cobra.Command) (until calltree.EndPolicy, err error) {
	if f.graph != "" {
		if err := f.checkGraph(cmd); err != nil {
			return until, err
		}
	}
	if f.shown, err = f.filter(); err != nil {
		return until, err
	}
	if err := command.CheckSubtract(f.subtract); err != nil {
		return until, err
	}
	if until, err = calltree.ParseEndPolicy(f.until); err != nil {
		return until, command.Usagef("--until: %v", err)
	}
	f.named, err = f.style()
	return until, err
}

// printDumps prints the summary of thread dumps.
func (f *reportFlags) printDumps(std command.Stdio, src *command.Source, s *dumps.Summary) error {
	r := &threadDumps{Summary: s, Text: dumps.Text{Full: f.named != report.ShortNames}, top: f.top}
	src.Warnings = r.relevant(src.Warnings)
	return r.print(std.Out, src.Name, f.threads)
}

// printTimes prints or draws the times of the chosen threads.
func (f *reportFlags) printTimes(ctx context.Context, std command.Stdio, src *command.Source, p *estimate.Profile, threads *report.Threads) error {
	v := report.New(p, src.Symbols, f.shown)
	v.Style = f.named
	if f.graph != "" {
		err := f.drawGraph(ctx, std, v)
		src.Blame(&err)
		return err
	}
	t, err := f.rows(v)
	if err != nil {
		return err
	}
	if !f.needsContexts() {
		p.Tree = nil // frees memory for the rows
	}
	t.info, t.symbols, t.threads = &src.Info, src.Symbols, threads
	t.counts = command.IsFolded(src)
	if t.counts && src.Info.Technique == trace.UnknownTechnique {
		t.unit = src.Info.Interval
	}
	if f.forPrograms() {
		return f.form.Print(std.Out, (&report.List{Profile: p, What: t.what, Rows: t.rows}).Table())
	}
	return t.print(std.Out, src.Name)
}

// forPrograms reports whether the output is CSV or JSON.
func (f *reportFlags) forPrograms() bool { return f.form.CSV || f.form.JSON }

// style returns the style of method names.
func (f *reportFlags) style() (report.NameStyle, error) {
	style, err := report.ParseNameStyle(f.names)
	switch {
	case err != nil:
		return 0, command.Usagef("--names: %v", err)
	case f.forPrograms() && !f.dumps.Cmd.Flags().Changed("names"):
		return report.FullNames, nil
	}
	return style, nil
}

// noThread returns a usage error if no thread has a name of --thread, and other errors unchanged.
func noThread(file string, err error) error {
	if e := new(report.NoThreadError); errors.As(err, &e) {
		return command.Usagef("--thread: %s: %w%s; artifice info --threads lists the threads", file, e, command.DidYouMean(e.Name, e.Known))
	}
	return err
}

// manyMethods is the number of methods from which on they need more memory than the program itself,
// and more frequent garbage collection pays.
const manyMethods = 100_000

// needsContexts reports whether the report needs calling contexts, not only methods.
func (f *reportFlags) needsContexts() bool {
	return f.tree || f.callers+f.callee+f.focus+f.ignore+f.graph != "" || f.by != "method"
}
