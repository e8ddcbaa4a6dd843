package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"artifice/bench"
	"artifice/bench/score"
	"artifice/input"
	"artifice/internal/cli"
	"artifice/internal/words"
)

func newScore(std stdio) *cobra.Command {
	var form listFlags
	cmd := &cobra.Command{
		Use:   "score TRUTH OBSERVED...",
		Short: "Measure how right recorded traces are",
		Long: `Compare recorded traces with TRUTH, an instrumented trace or a workload, by the
measures of bench. Shares are in %.

Threads are matched by name, methods by class, name and signature, and several
with the same name in their order. Those without a match are listed on stderr.
Both traces begin at time 0; the observed one is shrunk by how much longer it is,
if that is 1 % or more. Only "stack right" and "frames right" depend on this.
A measure that events alone do not tell, such as the number of samples, is "-".`,
		Example: `  artifice score truth.trace sampled-1ms.trace sampled-5ms.trace
  artifice record w3-on-off --interval 1ms -o s.trace && artifice score w3-on-off s.trace`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usagef("score needs a TRUTH and at least one OBSERVED trace, got %s", words.Count(len(args), "argument"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			truth, err := openSource(cmd.Context(), std, args[0], sourceFlags{order: input.AsTruth})
			if err != nil {
				return err
			}
			defer truth.Close()
			scores := make([]*score.Score, len(args)-1)
			for i, name := range args[1:] {
				if scores[i], err = scoreFile(cmd, std, truth, name); err != nil {
					return err
				}
			}
			return form.print(std.out, scoreTable(args[1:], scores))
		},
	}
	form.add(cmd)
	return cmd
}

// scoreFile compares one observed trace with the truth.
func scoreFile(cmd *cobra.Command, std stdio, truth *source, name string) (*score.Score, error) {
	observed, err := openSource(cmd.Context(), std, name, sourceFlags{order: input.ByTime})
	if err != nil {
		return nil, err
	}
	defer observed.Close()
	s, err := score.Compare(truth.fromStart, observed.fromStart)
	if err != nil {
		return nil, fmt.Errorf("%s and %s: %w", truth.name, name, err)
	}
	tellUnmatched(std, name, "thread", s.Matching.Threads)
	tellUnmatched(std, name, "method", s.Matching.Methods)
	return s, nil
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
	for _, row := range []struct {
		what string
		get  func(*score.Score) score.Partners
	}{{"threads", func(s *score.Score) score.Partners { return s.Matching.Threads }}, {"methods", func(s *score.Score) score.Partners { return s.Matching.Methods }}} {
		cells := []string{row.what + " matched/only observed"}
		for _, s := range scores {
			cells = append(cells, fmt.Sprintf("%d/%d", row.get(s).Both, len(row.get(s).OnlyObserved)))
		}
		l.Rows = append(l.Rows, cells)
	}
	l.JSON = scoreJSON(names, scores)
	return l
}

// scoreEntry is one observed trace in JSON.
type scoreEntry struct {
	File     string         `json:"file"`
	Scores   bench.Scores   `json:"scores"`
	Scale    float64        `json:"scale"`
	Matching score.Matching `json:"matching"`
}

func scoreJSON(names []string, scores []*score.Score) (list []scoreEntry) {
	for i, s := range scores {
		list = append(list, scoreEntry{names[i], bench.ScoresOf(s.Comparison), s.Scale, s.Matching})
	}
	return list
}
