package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"artifice/cmd/artifice/command"
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

	shown report.Filter    // what --focus and --ignore say, after validate
	named report.NameStyle // what --names says, after validate
}

// reportGroups are the groups of report's flags.
var reportGroups = append([]command.FlagGroup{
	{Title: "Flags"},
	{Title: "What to print", Flags: []string{"thread", "callers", "callees", "tree", "cut", "by", "focus", "ignore", "graph", "each", "late-frames"}},
	{Title: "How", Flags: []string{"top", "sort", "clock", "waiting", "names", "until", "subtract-overhead", "sampled", "compat", "json", "csv"}},
}, command.ReadGroups[1:]...)

// reportCommand is artifice report.
var reportCommand = command.Command{Name: "report", Add: newReport, Groups: reportGroups}

func newReport(std command.Stdio) *cobra.Command {
	f := reportFlags{dumps: command.ReadFlags{Nesting: true}}
	cmd := &cobra.Command{
		Use:   "report FILE",
		Short: "Show where the time goes, and how sure that is",
		Long: `Print the methods in which the main thread runs longest, with the 95 % interval of each
time.

  running     time of the method itself, without waiting; --clock wall has waiting too
  95 %        from lowest to highest; ≤ where no sample met the method itself
  share       of all the running time of the thread
  with calls  with what it called; of recursive calls the outermost counts
  calls       in the trace; with ≥ where it is sampled, as it misses some

The intervals come from the trace alone, and are about the run that was recorded, which
tracing made longer; shares change little by that, and --subtract-overhead takes out what
samples took on a device. "cd research && go run ./trust" measures how
often they hold. A trace of every call has none; it has the cost of tracing in its
times instead, which --subtract-overhead takes out as far as it is known.

The CPU time of a thread that waits between two samples (--clock cpu) has no interval but bounds:
the trace does not tell which method used it.

Folded stacks do not say what they count: each count is taken as a sample of 10 ms.
Those of artifice convert state in their first line that they are times.

Of the intervals, 95 % or more hold in each built-in app, over all devices and intervals;
on one device at one interval 76 % at worst, in step with it (docs/report.md).`,
		Example: `  artifice report app.trace
  artifice report app.trace --thread all --by class
  artifice report app.trace --thread RenderThread --waiting
  artifice report app.trace --callers View.draw
  artifice report app.trace --tree --focus 'com\.example'
  artifice report app.trace --each View.draw       its calls, the longest first
  artifice report app.trace --late-frames          longer than 16.66 ms
  artifice report app.trace --late-frames=8.33ms   of a display of 120 Hz
  artifice report app.trace -g calls.svg --cut 2
  artifice report instrumented.trace --subtract-overhead A --csv
  artifice report app.trace --compat dmtracedump`,
		Args: command.OneInput("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return runReport(cmd, std, &f, args[0]) },
	}
	f.add(cmd)
	return cmd
}

func (f *reportFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.callers, "callers", "", "who calls `METHOD`, and what it does for each: its full name, or a part that no other has")
	flags.StringVar(&f.callee, "callees", "", "what `METHOD` calls")
	flags.BoolVar(&f.tree, "tree", false, "the calls of each thread from the top down")
	flags.Float64Var(&f.cut, "cut", 1, "leave out of the tree what has less than this share, in `PERCENT`; of a graph, what has less than 5, unless this is given")
	flags.StringVar(&f.by, "by", "method", "one row for each `ROW`: method, class, package or thread")
	flags.StringVar(&f.focus, "focus", "", "only stacks with a frame that matches `REGEXP`")
	flags.StringVar(&f.ignore, "ignore", "", "only stacks with no frame that matches `REGEXP`")
	flags.IntVar(&f.top, "top", 20, "print `N` rows; 0: all. CSV and JSON have all unless this is given")
	flags.StringVar(&f.sort, "sort", "self", "order `BY` self, total, calls or name")
	flags.StringVar(&f.clock, "clock", "", "times of the `CLOCK` running (wall time without waiting), wall or cpu; default: running where the trace has wall times; of a graph cpu where it has that")
	flags.BoolVar(&f.waiting, "waiting", false, "list methods that wait as well: the same as --clock wall")
	flags.StringSliceVar(&f.threads, "thread", nil, "only threads of this `NAME` or tid (repeatable), or all; default: main, or all where there is no main thread or it hardly ran. CSV and JSON have all unless this is given")
	flags.StringVar(&f.names, "names", "short", "`STYLE` of names: short, full, or descriptor as ART writes them. CSV and JSON have full ones unless this is given")
	flags.StringVar(&f.until, "until", "last", "frames open at the end run `UNTIL` their thread's last event (last) or the stop of the trace (stop)")
	flags.StringVar(&f.subtract, "subtract-overhead", "", "take the tracer's cost out of the times: of `DEVICE`, or, of a trace of every call, \"header\" for the cost of the clock that the file states")
	flags.DurationVar(&f.sampled, "sampled", 0, "the trace was sampled every `INTERVAL`, where it is too short or too idle to tell")
	flags.StringVar(&f.compat, "compat", "", "print the report of another `PROGRAM`, byte for byte: "+dmtracedumpName)
	flags.StringVarP(&f.graph, "graph", "g", "", "draw who calls whom, into this file instead: `OUT` ends in .svg, .png (both need Graphviz) or .dot")
	flags.StringVar(&f.each, "each", "", "list the single calls of `METHOD`, the longest first, and what the thread did in them; of a sampled trace, with the bounds of the time that each took")
	flags.DurationVar(&f.lateFrames, "late-frames", defaultLate, "list the frames of the display (calls of Choreographer.doFrame) that took longer than `PERIOD`, and what the thread did in them; without a PERIOD, of a Perfetto trace with a frame timeline those that missed their deadlines")
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
	var shown *dumps.Collector // of thread dumps
	f.dumps.Watch = func(d *format.Dump, frames *format.FrameTable) {
		if shown != nil {
			shown.Watch(d, frames)
		}
	}
	src, err := f.dumps.Open(cmd, std, name)
	if err != nil {
		return err
	}
	defer src.Close()
	if f.ofDumps(src) {
		shown = &dumps.Collector{All: f.dumps.Frames == "all", Rename: src.RenameFrames()}
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

// validate refuses flags that make no sense, and returns what --until says.
func (f *reportFlags) validate(cmd *cobra.Command) (until calltree.EndPolicy, err error) {
	if f.graph != "" {
		if err := f.checkGraph(cmd); err != nil {
			return until, err
		}
	}
	if f.shown, err = f.filter(); err != nil {
		return until, err
	}
	if until, err = calltree.ParseEndPolicy(f.until); err != nil {
		return until, command.Usagef("--until: %v", err)
	}
	f.named, err = f.style()
	return until, err
}

// printDumps prints what thread dumps show.
func (f *reportFlags) printDumps(std command.Stdio, src *command.Source, s *dumps.Summary) error {
	r := &threadDumps{Summary: s, full: f.named != report.ShortNames, top: f.top}
	if r.Others > 0 { // most often it is these that have native frames alone
		src.Warnings = slices.DeleteFunc(src.Warnings, func(w trace.Warning) bool { return w.Code == trace.WarnDumpNative })
	}
	return r.print(std.Out, src.Name, f.threads)
}

// printTimes prints, or draws, where the time of some threads went.
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
		p.Tree = nil // its memory is of use to the rows
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

// forPrograms reports whether the report is read by a program.
func (f *reportFlags) forPrograms() bool { return f.form.CSV || f.form.JSON }

// style returns how methods are called.
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

// noThread makes the error of a name that no thread of a file has one of usage, and leaves others
// as they are.
func noThread(file string, err error) error {
	if e := new(report.NoThreadError); errors.As(err, &e) {
		return command.Usagef("--thread: %s: %w%s; artifice info --threads lists the threads", file, e, command.DidYouMean(e.Name, e.Known))
	}
	return err
}

// manyMethods is from where on the memory of methods is more than the program's own, and
// collecting garbage more often is worth its time.
const manyMethods = 100_000

// needsContexts reports whether the report is of more than methods.
func (f *reportFlags) needsContexts() bool {
	return f.tree || f.callers+f.callee+f.focus+f.ignore+f.graph != "" || f.by != "method"
}
