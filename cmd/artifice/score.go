package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"artifice/bench/expect"
	"artifice/bench/score"
	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/trace"
	"artifice/trace/filter"
)

// scoreCommand is artifice score.
var scoreCommand = command.Command{Name: "score", Add: newScore, Groups: []command.FlagGroup{
	{Title: "Flags", Flags: []string{"offset", "align", "fold", "value", "json", "csv"}},
	{Title: "Advanced", Flags: []string{"memory", "limit"}},
}}

func newScore(std command.Stdio) *cobra.Command {
	var form cli.Form
	var lay alignFlags
	cmd := &cobra.Command{
		Use:   "score TRUTH OBSERVED...",
		Short: "Measure the accuracy of recorded traces against their ground truth",
		Long: `Compare recorded traces with TRUTH (a workload or a trace of every call).

  $ artifice score truth.trace app.trace
  78.9 % of CPU time correctly attributed: 17.1 points worse than a perfect sampler, beyond chance.
    A perfect sampler with 769 samples: 96.1 % correctly attributed (90 % range: 94.7–97.2 %).
  ...

A perfect sampler takes as many samples as OBSERVED has, at random times and without bias. Samples
at regular intervals can be more accurate than a perfect sampler. The excess error is the error
minus that of a perfect sampler; "beyond chance" means outside the perfect sampler's 90 % range. A
stack is impossible if it contains a call that TRUTH never makes.

score matches threads by name (kernels truncate names to 15 bytes), and methods by class, name and
signature. If OBSERVED has no signatures, overloads count as one method. stderr lists unmatched
threads and methods. Profilers of machine code show frames that are not in the truth: --fold adds
the time of these frames to their callers.

score assumes that both traces begin at time 0. --offset sets another offset, and --align finds the
offset at which most calls of both traces begin together. Formats without the start of tracing,
such as stack dumps and Chrome JSON, are always aligned. If OBSERVED is slower by 1 % or more, score
scales its times to TRUTH. Profiles and folded stacks have no timeline, so score compares only
their total times. artifice help measures defines the measures.`,
		Example: `  artifice score truth.trace sampled-1ms.trace sampled-5ms.trace
  artifice record w3-on-off --interval 1ms -o s.trace && artifice score w3-on-off s.trace`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return command.Usagef("score needs a TRUTH and at least one OBSERVED trace, got %s", words.Count(len(args), "argument"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := lay.check(cmd); err != nil {
				return err
			}
			return runScore(cmd, std, args[0], args[1:], &lay, &form)
		},
	}
	lay.value.Add(cmd)
	cmd.Flags().DurationVar(&lay.offset, "offset", 0, command.OffsetUsage)
	cmd.Flags().StringVar(&lay.fold, "fold", "", "add the time of methods that are not in the truth to their callers; with a `REGEXP`, only of matching methods")
	cmd.Flags().Lookup("fold").NoOptDefVal = "."
	cmd.Flags().BoolVar(&lay.search, "align", false, command.AlignUsage)
	form.AddFlags(cmd.Flags())
	return cmd
}

// runScore compares observed traces with the truth, and prints a column of measures for each.
func runScore(cmd *cobra.Command, std command.Stdio, truthName string, observed []string, lay *alignFlags, form *cli.Form) error {
	truth, err := command.Open(cmd.Context(), std, truthName, command.SourceFlags{Order: format.AsTruth})
	if err != nil {
		return err
	}
	defer truth.Close()
	scores := make([]*scored, len(observed))
	for i, name := range observed {
		if scores[i], err = scoreFile(cmd, std, truth, name, lay); err != nil {
			return err
		}
	}
	if form.CSV {
		return form.Print(std.Out, scoreCSV(observed, scores))
	}
	if !form.JSON {
		for _, line := range scoreSummary(observed, scores) {
			fmt.Fprintln(std.Out, cli.WrapTerminal(std.Out, cli.Quote(line)))
		}
	}
	return form.Print(std.Out, scoreTable(observed, scores))
}

// unsearched returns the alignment of a trace after a search without a result: timelines are
// assumed to begin with the truth, but dumps can begin at any time.
func unsearched(std command.Stdio, observed *command.Source) score.AlignMethod {
	if observed.Dumps == nil {
		return score.ByHeader
	}
	fmt.Fprintf(std.Err, "artifice: warning: %s: no call starts in both traces, so only sums are compared; use --offset to align them\n", observed.Name)
	return score.ByNothing
}

// alignFlags are the flags that align an observed trace with the truth.
type alignFlags struct {
	offset time.Duration // time in the trace at which the truth begins
	given  bool          // offset is set
	search bool          // search for the offset
	fold   string        // a regular expression; "": none
	folds  *regexp.Regexp
	value  command.ValueFlag // of the observed profile
}

// check returns an error for --offset together with --align, and for an invalid expression.
func (f *alignFlags) check(cmd *cobra.Command) error {
	if f.given = cmd.Flags().Changed("offset"); f.given && f.search {
		return command.Usagef("--offset and --align cannot be used together: --align searches for the offset")
	}
	if f.fold == "" {
		return nil
	}
	var err error
	if f.folds, err = regexp.Compile(f.fold); err != nil {
		return command.Usagef("--fold: %v", err)
	}
	return nil
}

// folded returns functions that read an observed trace with folded methods, and that list these
// methods.
func (f *alignFlags) folded(std command.Stdio, truth, observed *command.Source) (read func() (*trace.Recording, error), remark func()) {
	if f.folds == nil {
		return observed.FromStart, func() {}
	}
	name, _ := trace.Naming(truth.Symbols, observed.Symbols)
	known := map[string]bool{}
	for i := range truth.Symbols.Methods {
		known[name(&truth.Symbols.Methods[i])] = true
	}
	fold := filter.Fold{Folds: func(m *trace.Method) bool { return !known[name(m)] && f.folds.MatchString(m.FullName()) }}
	read = func() (*trace.Recording, error) {
		rec, err := observed.FromStart()
		if err != nil {
			return nil, err
		}
		return fold.Apply(rec), nil
	}
	return read, func() {
		if len(fold.Folded) == 0 {
			return
		}
		var names []string
		for _, id := range fold.Folded {
			names = append(names, observed.Symbols.Method(id).FullName())
		}
		std.Remark("artifice: %s: %s not in the truth: %s; folded into their callers\n",
			observed.Name, words.Count(len(names), "method"), firstOf(names))
	}
}

// firstOf lists the first names.
func firstOf(names []string) string {
	const most = 5
	text := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		text += ", …"
	}
	return text
}

// config returns the configuration of the alignment.
func (f *alignFlags) config(observed *command.Source) (c score.Config) {
	dumps := observed.Dumps
	if dumps != nil {
		c.Dumps = func() int64 { return dumps.Counts().Dumps }
	}
	switch {
	case f.given:
		c.By, c.Offset = score.ByOffset, f.offset
	case f.search:
		c.By = score.BySearch
	case dumps != nil && dumps.Counts().Format.Sums:
		c.By = score.ByNothing
	case dumps != nil, observed.In.OwnZero:
		c.By = score.BySearch
	}
	return c
}

// scoreFile compares one observed trace with the truth, and with a perfect sampler.
func scoreFile(cmd *cobra.Command, std command.Stdio, truth *command.Source, name string, lay *alignFlags) (_ *scored, err error) {
	var count *expect.Counter
	observed, err := command.Open(cmd.Context(), std, name, command.SourceFlags{Order: format.ByTime, Value: lay.value, Snapshots: func(rec *trace.Recording) trace.SnapshotWriter {
		count = expect.NewCounter(rec)
		return count
	}})
	if err != nil {
		return nil, err
	}
	defer observed.Close()
	defer observed.Blame(&err)
	s, err := compareSources(std, truth, observed, lay)
	if err != nil {
		return nil, err
	}
	if observed.Dumps == nil {
		rec, err := observed.FromStart()
		if err != nil {
			return nil, err
		}
		count = expect.NewCounter(rec)
		if _, err := trace.Copy(count, rec.Events); err != nil {
			return nil, err
		}
	}
	return newScored(s, count), nil
}

// compareSources compares an observed trace with the truth, and warns about mismatches.
func compareSources(std command.Stdio, truth, observed *command.Source, lay *alignFlags) (*score.Score, error) {
	name := observed.Name
	cfg := lay.config(observed)
	read, remark := lay.folded(std, truth, observed)
	s, err := score.Compare(truth.FromStart, read, cfg)
	if errors.Is(err, score.ErrNothingInCommon) && !lay.search { // the search was automatic
		cfg.By = unsearched(std, observed)
		s, err = score.Compare(truth.FromStart, read, cfg)
	}
	if err != nil {
		hint := ""
		if errors.Is(err, score.ErrNothingInCommon) {
			hint = " with --offset"
		}
		return nil, fmt.Errorf("%s and %s: %w%s", truth.Name, name, err, hint)
	}
	remark()
	remarkUnmatched(std, name, "thread", s.Matching.Threads)
	remarkUnmatched(std, name, "method", s.Matching.Methods)
	warnMismatch(std, name, s)
	return s, nil
}

// minMatched is the share of the observed time in methods of the truth below which a mismatch is
// likely. closeRival is the ratio of correct frames of the second best to the best offset above
// which the offset is ambiguous.
const (
	minMatched = 0.9
	closeRival = 0.98
)

// warnMismatch warns about traces that match so badly that the measures are meaningless.
func warnMismatch(std command.Stdio, name string, s *score.Score) {
	if s.Matching.Time < minMatched {
		fmt.Fprintf(std.Err, "artifice: warning: %s: only %.1f %% of its time is in methods of the truth (%s)\n",
			name, 100*s.Matching.Time, words.Count(s.Matching.Methods.Both, "method"))
	}
	if a := s.Alignment; a.By == score.BySearch && a.Rival > closeRival*s.Line.DepthWeighted() {
		fmt.Fprintf(std.Err, "artifice: warning: %s: the offset of %s is ambiguous: another offset has %.1f %% of correct frames; use --offset to set it\n",
			name, words.Duration(a.Offset), 100*a.Rival)
	}
}

// remarkUnmatched lists the threads or methods of an observed trace that are not in the truth.
// Those only in the truth are covered by the measures.
func remarkUnmatched(std command.Stdio, name, kind string, p score.Partners) {
	if len(p.OnlyObserved) == 0 {
		return
	}
	std.Remark("artifice: %s: %s not in the truth: %s\n", name, words.Count(len(p.OnlyObserved), kind), firstOf(p.OnlyObserved))
}
