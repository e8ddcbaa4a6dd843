package sweep

import (
	"fmt"
	"strings"
	"time"

	"artifice/bench"
	"artifice/internal/cli"
	"artifice/internal/words"
)

// Shown are the measures in the text table; CSV has all measures.
var Shown = []bench.Measure{bench.OverlapRunning, bench.RecallRunning, bench.Overlap, bench.CallRecall, bench.Slowdown}

// String returns the advice in a sentence.
func (a Advice) String() string {
	of := fmt.Sprintf("%s on device %s meets the goal in %.0f %% of the traces ", a.Mode, a.Device, 100*Share)
	switch a.Limit[0] {
	case 0:
		return fmt.Sprintf("%s on device %s meets the goal in %.0f %% of the traces at no interval from %s on.", a.Mode, a.Device, 100*Share, words.Duration(a.Shortest))
	case bench.Beyond:
		return of + fmt.Sprintf("at every interval tried, up to %s.", words.Duration(a.Longest))
	}
	s := of + "up to " + words.Duration(a.Limit[0])
	if a.Limit[1] != a.Limit[2] {
		s += fmt.Sprintf(" (95 %% CI %s to %s)", a.within(a.Limit[1]), a.within(a.Limit[2]))
	}
	return s + "."
}

// within formats an end of the interval, or the limit of the intervals tried.
func (a Advice) within(d time.Duration) string {
	switch d {
	case 0:
		return "below " + words.Duration(a.Shortest)
	case bench.Beyond:
		return "above " + words.Duration(a.Longest)
	}
	return words.Duration(d)
}

// Head describes a group; by are the names of its labels.
func (g *Group) Head(by []string) string {
	if len(by) == 0 {
		return words.Count(g.Traces, "trace")
	}
	var parts []string
	for i, name := range by {
		parts = append(parts, name+" "+g.Labels[i])
	}
	return strings.Join(parts, ", ") + ": " + words.Count(g.Traces, "trace")
}

// Table returns a group's table as text.
func (g *Group) Table() *cli.Table {
	t := &cli.Table{Columns: []string{"mode", "device", "interval", "meet goal"}, Right: []bool{false, false, true, true}}
	for _, m := range Shown {
		t.Columns, t.Right = append(t.Columns, m.Header()), append(t.Right, true)
	}
	for i := range g.Lines {
		l := &g.Lines[i]
		interval := "-"
		if l.Interval > 0 {
			interval = words.Duration(l.Interval)
		}
		cells := []string{l.Mode, l.Device, interval, fmt.Sprintf("%.1f %%", 100*l.Reached[0])}
		for _, m := range Shown {
			s := l.Spreads[m]
			cells = append(cells, fmt.Sprintf("%s (%s..%s)", m.Format(s.Median[0]), m.Format(s.P10[0]), m.Format(s.P90[0])))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// List returns the table of all groups for programs: a row for each group, tracer and
// measure.
func List(by []string, groups []Group) *cli.Table {
	t := &cli.Table{Columns: append(append([]string{}, by...), "mode", "device", "interval_ns", "traces_meeting_goal", "measure", "traces")}
	for _, q := range []string{"p10", "median", "p90"} {
		t.Columns = append(t.Columns, q, q+"_low", q+"_high")
	}
	for i := range groups {
		g := &groups[i]
		for j := range g.Lines {
			l := &g.Lines[j]
			for _, m := range bench.Measures() {
				s := l.Spreads[m]
				if s.Traces == 0 {
					continue
				}
				cells := append(append([]string{}, g.Labels[:len(by)]...), l.Mode, l.Device, fmt.Sprint(int64(l.Interval)), words.Number(l.Reached[0]), m.Key(), fmt.Sprint(s.Traces))
				for _, q := range [][3]float64{s.P10, s.Median, s.P90} {
					cells = append(cells, words.Number(q[0]), words.Number(q[1]), words.Number(q[2]))
				}
				t.Rows = append(t.Rows, cells)
			}
		}
	}
	return t
}
