package bench

import (
	"fmt"
	"math"
	"strings"
	"time"

	"artifice/internal/words"
	"artifice/tracer/device"
)

// String gives the advice in sentences: what it is for, what is best, and each way
// of tracing in one sentence.
func (a Advice) String() string {
	list := append([]string{a.Answer()}, a.Sentences()...)
	if do := a.ToDo(); do != "" {
		list = append(list, do)
	}
	return strings.Join(list, " ")
}

// NoAdvice says why there is no advice for a truth that was sampled, what the rows measure
// then, and how to record a truth; "" where there is advice.
func (r *Result) NoAdvice() string {
	if !r.Sampled {
		return ""
	}
	return "No way of tracing is advised, because the source was sampled itself. It lacks the calls between its samples, " +
		"and those it has begin and end at samples. The rows say how well a tracer would repeat this source, not how well " +
		"it would see the app: methods and calls are too good, and the cost of recording every call is too low. " +
		"For an answer about the app, record every call of it for some seconds (adb shell am profile start PACKAGE FILE, " +
		"without --sampling), and give that trace to bench."
}

// Answer says what the advice is for, and what is best.
func (a Advice) Answer() string {
	var b strings.Builder
	if a.Goal.assumed {
		fmt.Fprintf(&b, "No --goal is given, so a trace is to show %s.", a.Goal)
	} else {
		fmt.Fprintf(&b, "Goal: %s.", a.Goal)
	}
	if a.byStretch {
		b.WriteString(" How the source's waits end is not known, so the slowdown is a range; the cheapest is the way in which threads run least longer")
		if a.Goal.Budget > 0 {
			b.WriteString(", and the budget is for that")
		}
		b.WriteString(".")
	}
	fmt.Fprintf(&b, " On device %s, ", a.Device)
	switch {
	case a.Best >= 0 && a.Goal.Wanted == 0:
		fmt.Fprintf(&b, "that is %s.%s", tracerOf(a.Ways[a.Best].At), costOf(a.Ways[a.Best].At))
	case a.Best >= 0:
		fmt.Fprintf(&b, "the cheapest way is %s.%s", tracerOf(a.Ways[a.Best].At), costOf(a.Ways[a.Best].At))
	default:
		b.WriteString(a.unreached())
	}
	return b.String()
}

// ToDo says how to record as advised or, where nothing reaches the goal, as comes nearest
// to it; "" where that is not known.
func (a Advice) ToDo() string {
	i := a.Best
	if i < 0 {
		i = a.Near
	}
	if i < 0 {
		return ""
	}
	row := a.Ways[i].At
	if w := a.Ways[i].Within; a.Best < 0 && w != nil {
		row = *w
	}
	m, _ := ModeByName(row.Mode)
	if m.How == nil {
		return ""
	}
	s := "To record it: " + m.How(row.Interval) + "."
	if row.costs != device.Measured && row.costs != device.Defined && m.Costs.Calibrated() {
		s += " To measure what it costs on your phone: artifice calibrate TRACE."
	}
	return s
}

// cost says what a row takes from the app.
func (a *Advice) cost(row Row, of string) string {
	s := "slowdown" + of + slowdown(row.Mean[Slowdown])
	if row.Range.Known() {
		s = fmt.Sprintf("slowdown%s%.2f to %.2f", of, row.Range.Absorbed, row.Range.Kept)
	}
	if stretch := row.Mean[RunningStretch]; a.byStretch && !math.IsNaN(stretch) {
		s += ", running " + slowdown(stretch) + " times as long"
	}
	return s
}

// unreached says that nothing reaches the goal, and what comes nearest.
func (a Advice) unreached() string {
	if a.Near < 0 {
		return "no way of tracing that was tried can be advised."
	}
	w := a.Ways[a.Near]
	row := w.At
	if w.Within != nil {
		row = *w.Within
	}
	s := "no way of tracing that was tried reaches it"
	var has []string
	if a.Goal.Wanted > 0 {
		has = append(has, a.hasWhat(row))
	}
	if a.Goal.Budget > 0 {
		s += " within the budget"
		has = append(has, "a "+a.cost(row, " of "))
	}
	return s + ". Nearest is " + tracerOf(row) + ", with " + strings.Join(has, ", and ") + "." + costOf(row)
}

// costOf says where the cost of a row that is advised comes from.
func costOf(row Row) string {
	switch row.costs {
	case device.Defined:
		return ""
	case device.Measured:
		return " Its cost was measured on this device."
	case device.Published:
		return " Its cost is a published figure, measured on another device."
	}
	return " Some of its cost is assumed, not measured."
}

// unadvised says why a way is not advised, if that is not for what it sees: as the middle
// of a sentence.
func (w *Way) unadvised() string {
	m, _ := ModeByName(w.Mode)
	switch {
	case m.Control:
		return ", a control that exists in emulation only,"
	case m.Discontinued != "":
		return ", which is not advised as " + m.Discontinued + ","
	case w.At.costs == device.Unknown:
		return ", which is not advised as its cost on this device is unknown,"
	}
	return ""
}

// tracerOf names a row's way of tracing.
func tracerOf(row Row) string {
	if row.Interval == 0 {
		return row.Mode
	}
	return fmt.Sprintf("%s every %v", row.Mode, row.Interval)
}

// Sentences says of each way of tracing whether it reaches the goal, what it sees and what it
// costs and, where it does not reach it, what it misses or has most wrong, with the reason
// where one is known.
func (a Advice) Sentences() (list []string) {
	for _, w := range a.Ways {
		s := a.sentence(w)
		if !w.Reached && !w.blind && a.Goal.Wanted > 0 {
			if missed := w.missed(a.Goal.Measure); missed != "" {
				s += missed
			} else {
				s += w.wrong()
			}
		}
		list = append(list, s)
	}
	return list
}

func (a Advice) sentence(w Way) string {
	var b strings.Builder
	b.WriteString(w.Mode)
	b.WriteString(w.unadvised())
	switch {
	case w.blind:
		b.WriteString(" has no CPU clock and cannot tell running time: ")
	case a.Goal.Wanted == 0 && !w.Fits:
		b.WriteString(" is never within the budget: ")
	case a.Goal.Wanted == 0:
		b.WriteString(" is within the budget: ")
	case !w.Reached:
		b.WriteString(" does not reach it: ")
	default:
		b.WriteString(" reaches it" + w.limits())
		if !w.Fits {
			b.WriteString(", beyond the budget")
		}
		b.WriteString(": ")
	}
	b.WriteString(a.point(w.At))
	if u := w.unconfirmed; u != nil && w.Reached {
		fmt.Fprintf(&b, "; at %v only %s", u.Interval, u.traces())
	}
	if w.Within != nil {
		b.WriteString("; within the budget, " + a.point(*w.Within))
	}
	return b.String() + "."
}

// limits says at which intervals samples reach the goal, if several were tried.
func (w *Way) limits() string {
	switch {
	case w.Limit[0] == 0 || w.Shortest == w.Longest:
		return ""
	case w.Limit[0] == Beyond && w.unconfirmed == nil:
		return fmt.Sprintf(" at any interval of at most %v, the longest tried", w.Longest)
	}
	if w.unconfirmed != nil {
		return "" // the limit is of this run
	}
	s := " at any interval of at most " + w.interval(w.Limit[0])
	if w.Limit[1] != w.Limit[2] {
		s += fmt.Sprintf(" (%s to %s)", w.interval(w.Limit[1]), w.interval(w.Limit[2]))
	}
	return s
}

// point says what a row sees and costs, running time first.
func (a Advice) point(row Row) string {
	var parts []string
	if a.Goal.Wanted > 0 {
		parts = append(parts, a.value(row))
	}
	if a.Goal.Wanted == 0 || a.Goal.Measure != OverlapRunning {
		parts = append(parts, inPercent(row.Mean[OverlapRunning])+" of the "+a.running(row)+" in the right method")
	}
	parts = append(parts, inPercent(row.Mean[Overlap])+" of the wall time", a.cost(row, " "))
	s := strings.Join(parts, ", ")
	if row.Interval > 0 {
		s = fmt.Sprintf("at %v, %s", row.Interval, s)
	}
	return s
}

// running says what running time is for a row, which may have no CPU clock where the
// truth has one.
func (a *Advice) running(row Row) string {
	if a.byCPU && !row.ByCPU {
		return "wall time of methods that do not wait"
	}
	return "running time"
}

// value says how far a row is.
func (a *Advice) value(row Row) string {
	m := a.Goal.Measure
	s := inPercent(row.Mean[m])
	if row.Low[m] < row.High[m] {
		s += fmt.Sprintf(" (%s to %s)", inDigits(row.Low[m]), inDigits(row.High[m]))
	}
	switch m {
	case HottestInOrder, NamedSeen:
		return row.traces()
	case OverlapRunning:
		s += " of the " + a.running(row) + " in the right method"
	default:
		s += " seen"
	}
	return fmt.Sprintf("%s, %s or more %s", s, inPercent(a.Goal.Wanted), row.traces())
}

// hasWhat says the same after "with".
func (a Advice) hasWhat(row Row) string {
	if m := a.Goal.Measure; m == HottestInOrder || m == NamedSeen {
		return "them " + a.value(row) + " and " + inPercent(row.Mean[OverlapRunning]) + " of the " + a.running(row) + " in the right method"
	}
	return a.value(row)
}

// traces says how many of a row's traces reach the goal. All traces of every call of one truth
// are alike.
func (row *Row) traces() string {
	s := "in every trace"
	switch n := int(math.Round(row.Reaching * float64(row.Cells))); {
	case row.Cells > 1 || row.Interval > 0:
		s = fmt.Sprintf("in %d of %d traces", n, row.Cells)
	case n == 0:
		s = "in no trace"
	}
	if c := row.confirmed; c != nil {
		s += fmt.Sprintf(" of this run and %d of ", int(math.Round(c.reaching*float64(c.traces))))
		if c.traces > c.runs {
			s += fmt.Sprintf("%d of ", c.traces)
		}
		s += words.Count(c.runs, "other")
	}
	return s
}

// interval writes a limit as far as the sweep can tell it.
func (w *Way) interval(d time.Duration) string {
	switch d {
	case 0:
		return fmt.Sprintf("less than %v", w.Shortest)
	case Beyond:
		return fmt.Sprintf("more than %v", w.Longest)
	}
	return words.Digits(d)
}
