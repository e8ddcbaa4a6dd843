package main

import (
	"fmt"
	"math"
	"strings"

	"artifice/bench"
	"artifice/bench/score"
	"artifice/internal/cli"
	"artifice/internal/words"
)

// clockOf returns the clock that CPU time comes from: without a CPU clock, it is the wall time of
// methods that do not wait.
func clockOf(c *score.Comparison) string {
	if c.RunningByCPU() {
		return "CPU clock"
	}
	return "wall clock"
}

// scoreSummary returns the lines above the table: the shares correctly attributed and the methods
// missed, in three lines for a single trace and in one line each for several.
func scoreSummary(names []string, scores []*score.Score) (lines []string) {
	for i, s := range scores {
		values := bench.ScoresOf(s.Comparison)
		cpu, wall := "CPU time", "wall time"
		if !s.RunningByCPU() {
			cpu = "CPU time (no CPU clock: wall time of methods that do not wait)"
		}
		called, missed := 0, 0
		for m, n := range s.True.Calls {
			if n > 0 {
				called++
				if s.Seen.Calls[m] == 0 {
					missed++
				}
			}
		}
		var shares []string
		for _, share := range []struct {
			of string
			m  bench.Measure
		}{{cpu, bench.OverlapRunning}, {wall, bench.Overlap}} {
			if v := values[share.m]; !math.IsNaN(v) {
				shares = append(shares, fmt.Sprintf("%.1f %% of %s", 100*v, share.of))
			}
		}
		of := fmt.Sprintf("%d of %s missed.", missed, words.Count(called, "method"))
		if len(scores) > 1 {
			lines = append(lines, fmt.Sprintf("%s: %s correctly attributed; %s", names[i], strings.Join(shares, " and "), of))
			continue
		}
		for _, share := range shares {
			lines = append(lines, share+" correctly attributed.")
		}
		lines = append(lines, of)
	}
	return lines
}

// scoreTable returns a table with a row for each measure and a column for each observed trace.
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
		perTrace("threads matched/unmatched", scores, func(s *score.Score) string { return partners(s.Matching.Threads) }),
		perTrace("methods matched/unmatched", scores, func(s *score.Score) string { return partners(s.Matching.Methods) }),
		perTrace("time in matched methods %", scores, func(s *score.Score) string { return fmt.Sprintf("%.1f", 100*s.Matching.Time) }),
		perTrace("CPU correct by", scores, func(s *score.Score) string { return clockOf(s.Comparison) }),
		perTrace("truth begins at", scores, timeZero),
		perTrace("aligned by", scores, func(s *score.Score) string { return string(s.Alignment.By) }))
	l.JSON = scoreJSON(names, scores)
	return l
}

// timeZero formats the time in an observed trace at which the truth begins.
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
