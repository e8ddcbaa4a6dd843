package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"artifice/bench"
	"artifice/bench/expect"
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
func scoreSummary(names []string, scores []*scored) (lines []string) {
	for i, s := range scores {
		values := s.values
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
			of      string
			m       bench.Measure
			perfect *expect.Perfect
		}{{cpu, bench.OverlapRunning, s.cpu}, {wall, bench.Overlap, s.wall}} {
			if v := values[share.m]; !math.IsNaN(v) {
				line := fmt.Sprintf("%.1f %% of %s", 100*v, share.of)
				if len(scores) > 1 {
					shares = append(shares, line)
					continue
				}
				line += " correctly attributed"
				if p := share.perfect; p != nil {
					shares = append(shares, line+excessWords(v, p), perfectWords(p))
				} else {
					shares = append(shares, line+".")
				}
			}
		}
		of := fmt.Sprintf("%s of %s missed, %s.", words.Integer(missed), words.Count(called, "method"), words.Count(s.Impossible.Stacks, "impossible stack"))
		if len(scores) == 1 && s.Impossible.Stacks > 0 {
			of = strings.TrimSuffix(of, ".") + fmt.Sprintf(" (%.1f %% of the time; most: %s).", 100*s.Impossible.Time, s.Impossible.First)
		}
		if len(scores) > 1 {
			lines = append(lines, fmt.Sprintf("%s: %s correctly attributed; %s", names[i], strings.Join(shares, " and "), of))
			continue
		}
		lines = append(append(lines, shares...), of)
	}
	return lines
}

// scoreTable returns a table with a row for each measure and a column for each observed trace.
func scoreTable(names []string, scores []*scored) *cli.Table {
	l := &cli.Table{Columns: append([]string{"measure"}, names...), Right: []bool{false}}
	for range names {
		l.Right = append(l.Right, true)
	}
	var values []bench.Scores
	for _, s := range scores {
		values = append(values, s.values)
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
	for _, row := range [][]string{
		perTrace("perfect CPU correct, 90 %", scores, func(s *scored) string { return rangeOf(s.cpu) }),
		perTrace("excess CPU error %", scores, func(s *scored) string { return excessOf(s.cpu, s.values[bench.OverlapRunning]) }),
		perTrace("perfect wall correct, 90 %", scores, func(s *scored) string { return rangeOf(s.wall) }),
		perTrace("excess wall error %", scores, func(s *scored) string { return excessOf(s.wall, s.values[bench.Overlap]) }),
	} {
		if slices.ContainsFunc(row[1:], func(cell string) bool { return cell != "-" }) {
			l.Rows = append(l.Rows, row)
		}
	}
	l.Rows = append(l.Rows,
		perTrace("impossible stacks", scores, func(s *scored) string { return words.Integer(s.Impossible.Stacks) }),
		perTrace("threads matched/unmatched", scores, func(s *scored) string { return partners(s.Matching.Threads) }),
		perTrace("methods matched/unmatched", scores, func(s *scored) string { return partners(s.Matching.Methods) }),
		perTrace("time in matched methods %", scores, func(s *scored) string { return fmt.Sprintf("%.1f", 100*s.Matching.Time) }),
		perTrace("CPU correct by", scores, func(s *scored) string { return clockOf(s.Comparison) }),
		perTrace("truth begins at", scores, timeZero),
		perTrace("aligned by", scores, func(s *scored) string { return string(s.Alignment.By) }))
	l.JSON = scoreJSON(names, scores)
	return l
}

// scoreCSV returns a table with a row for each measure, by its key in JSON, and a column for each
// observed trace. Shares are from 0 to 1; an unknown value is empty.
func scoreCSV(names []string, scores []*scored) *cli.Table {
	l := &cli.Table{Columns: append([]string{"measure"}, names...)}
	entries := scoreJSON(names, scores)
	add := func(key string, value func(e *scoreEntry) string) {
		cells, known := []string{key}, false
		for i := range entries {
			cell := value(&entries[i])
			cells, known = append(cells, cell), known || cell != ""
		}
		if known {
			l.Add(cells...)
		}
	}
	number := func(key string, value func(e *scoreEntry) float64) {
		add(key, func(e *scoreEntry) string {
			if v := value(e); !math.IsNaN(v) {
				return strconv.FormatFloat(v, 'g', -1, 64)
			}
			return ""
		})
	}
	for _, m := range bench.Measures() {
		number(m.Key(), func(e *scoreEntry) float64 { return e.Scores[m] })
	}
	for _, p := range []struct {
		key string
		of  func(e *scoreEntry) *perfectEntry
	}{
		{"perfect_cpu", func(e *scoreEntry) *perfectEntry { return e.PerfectCPU }},
		{"perfect_wall", func(e *scoreEntry) *perfectEntry { return e.PerfectWall }},
	} {
		number(p.key+"_low", func(e *scoreEntry) float64 { return p.of(e).orUnknown().Low })
		number(p.key+"_high", func(e *scoreEntry) float64 { return p.of(e).orUnknown().High })
		number(p.key+"_excess_error", func(e *scoreEntry) float64 { return p.of(e).orUnknown().Excess })
	}
	count := func(key string, value func(e *scoreEntry) int) {
		add(key, func(e *scoreEntry) string { return strconv.Itoa(value(e)) })
	}
	count("impossible_stacks", func(e *scoreEntry) int { return e.Impossible.Stacks })
	count("threads_matched", func(e *scoreEntry) int { return e.Matching.Threads.Both })
	count("threads_unmatched", func(e *scoreEntry) int { return len(e.Matching.Threads.OnlyObserved) })
	count("methods_matched", func(e *scoreEntry) int { return e.Matching.Methods.Both })
	count("methods_unmatched", func(e *scoreEntry) int { return len(e.Matching.Methods.OnlyObserved) })
	number("matched_time", func(e *scoreEntry) float64 { return e.Matching.Time })
	add("cpu_by", func(e *scoreEntry) string { return e.CPUBy })
	add("alignment", func(e *scoreEntry) string { return string(e.Alignment.By) })
	add("alignment_offset_ns", func(e *scoreEntry) string {
		if e.Alignment.By == score.ByNothing {
			return ""
		}
		return strconv.FormatInt(e.Alignment.Offset.Nanoseconds(), 10)
	})
	return l
}

// timeZero formats the time in an observed trace at which the truth begins.
func timeZero(s *scored) string {
	if s.Alignment.By == score.ByNothing {
		return "-"
	}
	return s.Alignment.Offset.String()
}

// perTrace returns a row of the table with a value for each observed trace.
func perTrace(what string, scores []*scored, value func(*scored) string) []string {
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
	CPUBy     string          `json:"cpu_by"` // clock that CPU time comes from

	PerfectCPU  *perfectEntry    `json:"perfect_cpu,omitempty"`
	PerfectWall *perfectEntry    `json:"perfect_wall,omitempty"`
	Impossible  score.Impossible `json:"impossible"`
}

// perfectEntry is the share that a perfect sampler attributes correctly, and the error of the trace
// beyond its mean error.
type perfectEntry struct {
	*expect.Perfect
	Excess float64 `json:"excess_error"`
}

// orUnknown returns e, and for nil an entry with the figures NaN.
func (e *perfectEntry) orUnknown() *perfectEntry {
	if e != nil {
		return e
	}
	nan := math.NaN()
	return &perfectEntry{&expect.Perfect{Low: nan, High: nan}, nan}
}

// scoreJSON returns the entries of observed traces.
func scoreJSON(names []string, scores []*scored) (list []scoreEntry) {
	for i, s := range scores {
		e := scoreEntry{File: names[i], Scores: s.values, Alignment: s.Alignment, Matching: s.Matching, CPUBy: clockOf(s.Comparison), Impossible: s.Impossible}
		if s.cpu != nil {
			e.PerfectCPU = &perfectEntry{s.cpu, s.cpu.Excess(s.values[bench.OverlapRunning])}
		}
		if s.wall != nil {
			e.PerfectWall = &perfectEntry{s.wall, s.wall.Excess(s.values[bench.Overlap])}
		}
		list = append(list, e)
	}
	return list
}
