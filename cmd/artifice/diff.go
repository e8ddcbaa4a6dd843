package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/cmd/artifice/command"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report"
	"artifice/report/diff"
	"artifice/trace/calltree"
)

// diffFlags are the flags of diff.
type diffFlags struct {
	to        newTraces
	top       int
	all       bool
	sort      string // self or total: compared, and order of rows
	clock     string
	until     string
	out       string
	compat    string
	test      string
	threads   []string
	method    string
	names     string
	sampled   time.Duration
	failAbove command.Percent
	form      cli.Form
	dumps     command.ReadFlags
}

// diffGroups are the groups of diff's flags.
var diffGroups = append([]command.FlagGroup{
	{Title: "Flags"},
	{Title: "What to compare", Flags: []string{"thread", "method", "sort", "clock", "test", "until", "sampled"}},
	{Title: "How", Flags: []string{"top", "all", "names", "output", "fail-above", "compat", "json", "csv"}},
}, command.ReadGroups[1:]...)

// diffCommand is artifice diff.
var diffCommand = command.Command{Name: "diff", Add: newDiff, Groups: diffGroups}

func newDiff(std command.Stdio) *cobra.Command {
	f := diffFlags{dumps: command.ReadFlags{Nesting: true}}
	cmd := &cobra.Command{
		Use:   "diff OLD... --to NEW...",
		Short: "Show what changed between traces, and whether it is more than chance",
		Long: `Compare the times of every method of the main thread in OLD and NEW traces, several on
each side if there are. Methods match by class, name and signature, or without signatures where
some of the traces have none; --mapping helps where R8 renamed them.

  change   NEW less OLD, of the method itself, per trace
  q        how sure it is: of all changes with q up to 0.05, 5 % at most are
           chance (Benjamini and Hochberg, for the number of methods tested)
  95 %     the interval of the change, corrected as q is (Benjamini and Yekutieli):
           it leaves out 0 where q is up to 0.05, and nowhere else

With one trace on a side, only the error of sampling is known, and not how much
runs of the same app vary. With several on both sides, the variation between
runs is measured (Student's test, Welch's, or Mann and Whitney's). The last lines say
the smallest change that would have been found, and how many traces would find less.
A method named beforehand (--method) is tested by itself, and smaller changes are
found in it: its p and its interval need no correction.

Traces sampled at different intervals are slowed differently, and are compared by
shares of the running time.`,
		Example: `  artifice diff old.trace --to new.trace
  artifice diff old-*.trace --to new-*.trace --fail-above 5%
  artifice diff old-*.trace --to new-*.trace --method FeedAdapter.onBind
  artifice diff old.trace --to new.trace --thread RenderThread
  artifice diff a1.trace a2.trace a3.trace --to b1.trace b2.trace b3.trace -o diff.html
  artifice diff old.trace --to new.trace -o diff.pb.gz   then: go tool pprof -top diff.pb.gz`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case !f.to.given && len(args) == 2:
				return command.Usagef("diff needs --to before the new trace: artifice diff %s --to %s", words.Shell(args[0]), words.Shell(args[1]))
			case !f.to.given:
				return command.Usagef("diff needs --to NEW... after the OLD traces")
			case f.to.before == 0:
				return command.Usagef("diff needs an OLD trace before --to")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return runDiff(cmd, std, &f, args[:f.to.before], append([]string{f.to.first}, args[f.to.before:]...))
		},
	}
	f.to.flags = cmd.Flags()
	flags := cmd.Flags()
	flags.Var(&f.to, "to", "the `NEW` traces, all arguments from here on")
	flags.IntVar(&f.top, "top", 20, "print `N` rows; 0: all. CSV and JSON have all unless this is given")
	flags.BoolVar(&f.all, "all", false, "also list methods whose change is not significant")
	flags.StringVar(&f.sort, "sort", "self", "compare and order `BY` self or total time")
	flags.StringSliceVar(&f.threads, "thread", nil, "only threads of this `NAME` or tid (repeatable), or all; default: main, or all where the first trace has no main thread or it hardly ran, and with --method")
	flags.StringVar(&f.method, "method", "", "compare this `METHOD` alone, named before the traces were looked at: its full name, or a part that no other has")
	flags.StringVar(&f.names, "names", "short", "`STYLE` of names: short, full, or descriptor as ART writes them. CSV and JSON have full ones unless this is given")
	flags.StringVar(&f.clock, "clock", "", "times of the `CLOCK` wall or cpu; default: cpu where all traces have it, but wall where one is sampled, whose CPU time is less sure")
	flags.StringVar(&f.test, "test", "student", "compare several traces a side by this `TEST`: student, which finds small changes with few traces, welch, where one side varies much more than the other, or mann-whitney, by ranks alone, which wants ten or more a side")
	flags.StringVar(&f.until, "until", "last", "frames open at the end run `UNTIL` their thread's last event (last) or the stop of the trace (stop)")
	flags.DurationVar(&f.sampled, "sampled", 0, "traces that are too short or too idle to tell were sampled every `INTERVAL`")
	flags.StringVarP(&f.out, "output", "o", "", "write this file instead: `OUT` ends in .html, .csv, .json, or .pb.gz for a profile of the differences")
	flags.StringVar(&f.compat, "compat", "", "print the difference of two traces as another `PROGRAM` does: dmtracedump, as with its option -d")
	flags.Var(&f.failAbove, "fail-above", "exit with status 1 if a method takes significantly longer, by more than this `percent` of its old time")
	f.form.AddFlags(cmd.Flags())
	f.dumps.Add(cmd)
	return cmd
}

// newTraces is the flag --to: its value and all later arguments are new traces.
type newTraces struct {
	flags  *pflag.FlagSet
	given  bool
	first  string
	before int // arguments before it
}

// String implements pflag.Value.
func (n *newTraces) String() string { return n.first }

// Type implements pflag.Value.
func (n *newTraces) Type() string { return "NEW" }

// Set implements pflag.Value.
func (n *newTraces) Set(s string) error {
	if n.given {
		return errors.New("is given twice")
	}
	n.given, n.first, n.before = true, s, n.flags.NArg()
	return nil
}

func runDiff(cmd *cobra.Command, std command.Stdio, f *diffFlags, old, now []string) error {
	if f.compat != "" {
		return f.compatible(cmd, std, old, now)
	}
	if f.sort != "self" && f.sort != "total" {
		return command.Usagef("--sort %q: must be self or total", f.sort)
	}
	if err := f.checkOutput(); err != nil {
		return err
	}
	until, err := calltree.ParseEndPolicy(f.until)
	if err != nil {
		return command.Usagef("--until: %v", err)
	}
	if _, err := f.chooseTest(); err != nil {
		return err
	}
	style, err := f.style(cmd)
	if err != nil {
		return err
	}
	threads := &alikeThreads{names: f.threads}
	if f.method != "" && len(f.threads) == 0 {
		threads.names = []string{report.AllThreads} // the method may run on any thread
	}
	sides, err := f.views(cmd, std, [2][]string{old, now}, until, threads)
	if err != nil {
		return err
	}
	d, clock, err := f.compare(std, sides)
	if err != nil {
		return err
	}
	for i, names := range [2][]string{old, now} {
		if warning := sideWarning(names, sides[i], clock); warning != "" {
			fmt.Fprintf(std.Err, "artifice: warning: %s\n", warning)
		}
	}
	d.Threads, d.Others = threads.words()
	d.Rename(style)
	if err := f.keepNamed(d); err != nil {
		return err
	}
	forPrograms := f.form.CSV || f.form.JSON || f.out != ""
	t := &diffTable{diff.NewChanges(d, clock, f.sort == "total", f.all || forPrograms || f.method != ""), sides, [2][]string{old, now}}
	if !forPrograms || cmd.Flags().Changed("top") {
		t.Limit(f.top)
	}
	if err := f.print(std, t); err != nil {
		return err
	}
	if f.failAbove > 0 && t.slower(float64(f.failAbove), std) {
		return command.ErrFound
	}
	return nil
}

// style returns the style of method names.
func (f *diffFlags) style(cmd *cobra.Command) (report.NameStyle, error) {
	style, err := report.ParseNameStyle(f.names)
	switch {
	case err != nil:
		return 0, command.Usagef("--names: %v", err)
	case !cmd.Flags().Changed("names") && (f.form.CSV || f.form.JSON || strings.HasSuffix(f.out, ".csv") || strings.HasSuffix(f.out, ".json")):
		return report.FullNames, nil
	}
	return style, nil
}
