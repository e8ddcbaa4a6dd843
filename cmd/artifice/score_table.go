package main

import (
	"fmt"
	"math"

	"artifice/bench"
	"artifice/bench/score"
	"artifice/internal/cli"
)

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
