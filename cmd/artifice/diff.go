package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"artifice/cmd/internal/command"
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
	sort      string // self or total: the compared times, which also determine the order of rows
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

// diffGroups are the groups of flags in the help of diff.
var diffGroups = append([]command.FlagGroup{
	{Title: "What to compare", Flags: []string{"to", "thread", "method", "clock", "sort"}},
	{Title: "Output", Flags: []string{"top", "all", "names", "output", "fail-above", "json", "csv"}},
}, command.ReadGroups("test", "until", "sampled", "compat", "memory")...)

// diffCommand is artifice diff.
var diffCommand = command.Command{Name: "diff", Add: newDiff, Groups: diffGroups}

func newDiff(std command.Stdio) *cobra.Command {
	f := diffFlags{dumps: command.ReadFlags{Nesting: true, Quantity: true}}
	cmd := &cobra.Command{
		Use:   "diff OLD... --to NEW...",
		Short: "Compare traces and test the differences for significance",
		Long: `Compare the time of each method of the main thread in OLD and NEW traces. diff matches methods by
class, name and signature, or by class and name if some traces have no signatures.

  $ artifice diff old*.trace --to new*.trace --thread all --method nativeDecodeStream
  5 traces before, 5 after; all threads, wall time, 1 method tested (Student's t, no correction)
  No significant change. All methods: 29.9 s → 29.9 s (+45.9 ms).
  old self  new self    change                  95 % CI      p  method
    3.59 s    3.57 s  -18.7 ms  -0.5 %  -233 to +196 ms  0.845  BitmapFactory.nativeDecodeStream
  Minimum detectable change (80 % power): 9 % in BitmapFactory.nativeDecodeStream.
  ...

Record at least five traces of each build. With several traces on both sides, the test includes
the variance between runs; with a single OLD or NEW trace, the test includes only the sampling
error. A change is significant if q (its false discovery rate) is at most 5 %. The minimum
detectable change is the smallest change that these traces would show with 80 % power. --method
tests one method, chosen before looking at the traces; such a test detects smaller changes.

If sampling intervals differ, the tracing overhead differs, too, so diff compares shares of time
instead of times, and omits methods that wait.

artifice help intervals explains the tests. artifice plan estimates how many traces to record.`,
		Example: `  artifice diff old.trace --to new.trace
  artifice diff old-*.trace --to new-*.trace --fail-above 5%
  artifice diff old-*.trace --to new-*.trace --method FeedAdapter.onBind
  artifice diff old-*.trace --to new-*.trace --thread RenderThread -o diff.html
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
	flags.Var(&f.to, "to", "compare with these `NEW` traces: all arguments after --to")
	flags.IntVar(&f.top, "top", 20, command.TopUsage)
	flags.BoolVar(&f.all, "all", false, "also list methods without a significant change")
	flags.StringVar(&f.sort, "sort", "self", "compare and sort `BY` self or total time")
	flags.StringSliceVar(&f.threads, "thread", nil, "use only threads with this `NAME` or tid; all: every thread; repeatable; default: main, or all if main hardly ran")
	flags.StringVar(&f.method, "method", "", "test only this `METHOD` (full name, or an unambiguous part); choose it before you look at the traces")
	flags.StringVar(&f.names, "names", "short", command.NamesUsage)
	flags.StringVar(&f.clock, "clock", "", "`CLOCK` of the times: wall or cpu; default: cpu if all traces have it and none is sampled")
	flags.StringVar(&f.test, "test", "student", "`TEST` of differences between several OLD and several NEW traces: student (detects most with few traces), welch (allows for unequal variances) or mann-whitney (ranks; needs ten or more traces on each side)")
	flags.StringVar(&f.until, "until", "end", command.UntilUsage)
	flags.DurationVar(&f.sampled, "sampled", 0, "sampling `INTERVAL` of the traces; default: estimated from their timestamps")
	flags.StringVarP(&f.out, "output", "o", "", "write the comparison to the file `OUT` instead: .html, .csv, .json, or .pb.gz (a pprof profile of the differences)")
	flags.StringVar(&f.compat, "compat", "", "print the difference of two traces as this `PROGRAM` does: dmtracedump (option -d)")
	flags.Var(&f.failAbove, "fail-above", "exit with status 1 if a method is significantly slower, and by more than this `percent` of its old time")
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
