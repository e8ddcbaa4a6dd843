package main

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"artifice/bench"
	"artifice/bench/score"
	"artifice/input"
	"artifice/internal/cli"
	"artifice/internal/words"
)

func newScore(std stdio) *cobra.Command {
	var form listFlags
	var lay alignFlags
	cmd := &cobra.Command{
		Use:   "score TRUTH OBSERVED...",
		Short: "Measure how accurate recorded traces are",
		Long: `Compare recorded traces with TRUTH, an instrumented trace or a workload, by the
measures of bench. Shares are in %.

Threads are matched by name, which the kernel may have cut to 15 bytes, methods by class,
name and signature, and several with the same name in their order. Where OBSERVED has
no signatures, as stack dumps, profiles and timelines, overloads of a method count as
one. Threads and methods without a match are listed on stderr.

Both traces begin at time 0, except that ART 5 to 14 read the clocks 32000 times
before the first event; that time, by the cost that the header states, is taken out.
--offset sets another offset, and --align finds the one at which most calls begin in
both. Stack dumps and timelines, which do not say when tracing began, are always aligned
so. If the observed run is longer by 1 % or more, its times are scaled down to the
truth's. Only "slowdown", "stack right" and "frames right" depend on this. Profiles and
folded stacks have no times: only sums are compared.

A measure that events alone cannot give, such as the number of samples, is left
out. Running time is CPU time where both traces have it, else the wall time of
methods that do not wait; the line "running time is" says which.

Measures, here and in bench --wide:
` + definitions(),
		Example: `  artifice score truth.trace sampled-1ms.trace sampled-5ms.trace
  artifice record w3-on-off --interval 1ms -o s.trace && artifice score w3-on-off s.trace`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usagef("score needs a TRUTH and at least one OBSERVED trace, got %s", words.Count(len(args), "argument"))
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
	cmd.Flags().DurationVar(&lay.offset, "offset", 0, "the truth's time 0 is this `TIME` of each OBSERVED; it may be below 0")
	cmd.Flags().BoolVar(&lay.search, "align", false, "find the offset at which most calls begin on both sides")
	form.add(cmd)
	return cmd
}

// runScore compares observed traces with the truth, and prints a column of measures for each.
func runScore(cmd *cobra.Command, std stdio, truthName string, observed []string, lay *alignFlags, form *listFlags) error {
	truth, err := openSource(cmd.Context(), std, truthName, sourceFlags{order: input.AsTruth})
	if err != nil {
		return err
	}
	defer truth.Close()
	scores := make([]*score.Score, len(observed))
	for i, name := range observed {
		if scores[i], err = scoreFile(cmd, std, truth, name, lay); err != nil {
			return err
		}
	}
	return form.Print(std.out, scoreTable(observed, scores))
}

// definitions has a paragraph for each measure, as wide as other help.
func definitions() string {
	var b strings.Builder
	for _, m := range bench.Measures() {
		text := cli.Wrap(m.Header()+": "+m.Description(), "    ", 80)
		fmt.Fprintf(&b, "  %s\n", strings.TrimPrefix(text, "    "))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// unsearched returns how a trace is laid on the truth where a search has found no call to
// go by: timelines may begin where the truth does; dumps begin anywhere.
func unsearched(std stdio, observed *source) score.Align {
	if observed.dumps == nil {
		return score.ByHeader
	}
	fmt.Fprintf(std.err, "artifice: warning: %s: no call of it is known to begin in the truth, so only sums are compared; --offset says where the truth begins in it\n", observed.name)
	return score.ByNothing
}

// alignFlags say how an observed trace is laid on the truth.
type alignFlags struct {
	offset time.Duration
	given  bool // offset is
	search bool
}

func (f *alignFlags) check(cmd *cobra.Command) error {
	if f.given = cmd.Flags().Changed("offset"); f.given && f.search {
		return usagef("--offset gives what --align finds: use one of them")
	}
	return nil
}

// config returns how to lay a trace on the truth.
func (f *alignFlags) config(observed *source) (c score.Config) {
	dumps := observed.dumps
	if dumps != nil {
		c.Dumps = func() int64 { return dumps.Counts().Dumps }
	}
	switch {
	case f.given:
		c.Align, c.Offset = score.ByOffset, f.offset
	case f.search:
		c.Align = score.BySearch
	case dumps != nil && dumps.Counts().Format.Sums:
		c.Align = score.ByNothing
	case dumps != nil, observed.in.OwnZero:
		c.Align = score.BySearch
	}
	return c
}

// scoreFile compares one observed trace with the truth.
func scoreFile(cmd *cobra.Command, std stdio, truth *source, name string, lay *alignFlags) (_ *score.Score, err error) {
	observed, err := openSource(cmd.Context(), std, name, sourceFlags{order: input.ByTime})
	if err != nil {
		return nil, err
	}
	defer observed.Close()
	defer observed.blame(&err)
	return compareSources(std, truth, observed, lay)
}

// compareSources compares an observed trace with the truth, and tells what does not
// fit.
func compareSources(std stdio, truth, observed *source, lay *alignFlags) (*score.Score, error) {
	name := observed.name
	cfg := lay.config(observed)
	s, err := score.Compare(truth.fromStart, observed.fromStart, cfg)
	if errors.Is(err, score.ErrNothingInCommon) && !lay.search { // nobody asked for a search
		cfg.Align = unsearched(std, observed)
		s, err = score.Compare(truth.fromStart, observed.fromStart, cfg)
	}
	if err != nil {
		hint := ""
		if errors.Is(err, score.ErrNothingInCommon) {
			hint = " with --offset"
		}
		return nil, fmt.Errorf("%s and %s: %w%s", truth.name, name, err, hint)
	}
	tellUnmatched(std, name, "thread", s.Matching.Threads)
	tellUnmatched(std, name, "method", s.Matching.Methods)
	tellDoubts(std, name, s)
	return s, nil
}

// enoughMatched is the share of the observed time in methods of the truth below
// which the measures may be about something else than the tracer, and closeRival how
// near in frames right another offset may come to the one that was found.
const (
	enoughMatched = 0.9
	closeRival    = 0.98
)

// tellDoubts warns when the two traces fit so badly that the measures say little.
func tellDoubts(std stdio, name string, s *score.Score) {
	if s.Matching.Time < enoughMatched {
		fmt.Fprintf(std.err, "artifice: warning: %s: only %.1f %% of its time is in methods that the truth has: %s with events on both sides\n",
			name, 100*s.Matching.Time, words.Count(s.Matching.Methods.Both, "method"))
	}
	if a := s.Alignment; a.By == score.BySearch && a.Rival > closeRival*s.Line.DepthWeighted() {
		fmt.Fprintf(std.err, "artifice: warning: %s: the offset of %s is a guess: at another one %.1f %% of the frames are right, too; set it with --offset\n",
			name, a.Offset, 100*a.Rival)
	}
}

// tellUnmatched says what of an observed trace has no partner in the truth: what
// the truth has alone is what the measures tell.
func tellUnmatched(std stdio, name, kind string, p score.Partners) {
	if len(p.OnlyObserved) == 0 {
		return
	}
	const most = 5
	shown := p.OnlyObserved[:min(most, len(p.OnlyObserved))]
	more := ""
	if len(p.OnlyObserved) > most {
		more = ", …"
	}
	std.remark("artifice: %s: %s that the truth does not have: %s%s\n", name, words.Count(len(p.OnlyObserved), kind), strings.Join(shown, ", "), more)
}

// clockOf says which clock running time is measured by.
func clockOf(c *score.Comparison) string {
	if c.RunningByCPU() {
		return "CPU time"
	}
	return "wall time"
}

// scoreTable has a line for each measure and a column for each observed trace.
func scoreTable(names []string, scores []*score.Score) *cli.Table {
	l := &cli.Table{Columns: append([]string{"measure"}, names...), Right: []bool{false}}
	for range names {
		l.Right = append(l.Right, true)
	}
	var values []bench.Scores
	for _, s := range scores {
		values = append(values, bench.ScoresOf(s.Comparison))
	}
	for _, m := range bench.Measures() {
		cells, known := []string{m.Header()}, false
		for _, v := range values {
			cells = append(cells, m.Format(v[m]))
			known = known || !math.IsNaN(v[m])
		}
		if known {
			l.Rows = append(l.Rows, cells)
		}
	}
	partners := func(p score.Partners) string { return fmt.Sprintf("%d/%d", p.Both, len(p.OnlyObserved)) }
	l.Rows = append(l.Rows,
		perTrace("threads matched/only observed", scores, func(s *score.Score) string { return partners(s.Matching.Threads) }),
		perTrace("methods matched/only observed", scores, func(s *score.Score) string { return partners(s.Matching.Methods) }),
		perTrace("time in matched methods %", scores, func(s *score.Score) string { return fmt.Sprintf("%.1f", 100*s.Matching.Time) }),
		perTrace("running time is", scores, func(s *score.Score) string { return clockOf(s.Comparison) }),
		perTrace("time 0 of the truth", scores, timeZero),
		perTrace("aligned by", scores, func(s *score.Score) string { return string(s.Alignment.By) }))
	l.JSON = scoreJSON(names, scores)
	return l
}

// timeZero says where the truth's time 0 is on an observed trace.
func timeZero(s *score.Score) string {
	if s.Alignment.By == score.ByNothing {
		return "-"
	}
	return s.Alignment.Offset.String()
}

// perTrace returns a row of the table with a value for each observed trace.
func perTrace(what string, scores []*score.Score, value func(*score.Score) string) []string {
	cells := []string{what}
	for _, s := range scores {
		cells = append(cells, value(s))
	}
	return cells
}

// scoreEntry is one observed trace in JSON.
type scoreEntry struct {
	File      string          `json:"file"`
	Scores    bench.Scores    `json:"scores"`
	Alignment score.Alignment `json:"alignment"`
	Matching  score.Matching  `json:"matching"`
}

func scoreJSON(names []string, scores []*score.Score) (list []scoreEntry) {
	for i, s := range scores {
		list = append(list, scoreEntry{names[i], bench.ScoresOf(s.Comparison), s.Alignment, s.Matching})
	}
	return list
}
