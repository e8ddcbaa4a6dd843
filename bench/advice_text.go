package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"artifice/internal/words"
	"artifice/tracer/device"
)

// String returns the advice as one paragraph.
func (a Advice) String() string {
	list := append([]string{a.Answer()}, a.Sentences()...)
	if record := a.ToDo(); record != "" {
		list = append(list, record)
	}
	return strings.Join(list, " ")
}

// NoAdvice explains why a sampled truth or one of sections has no advice, what its rows measure and
// how to record a truth; "" for other truths.
func (r *Result) NoAdvice() string {
	record := "Record every call of the app for some seconds (adb shell am profile start PACKAGE FILE, without --sampling) " +
		"and run bench on that trace."
	switch {
	case r.Sampled:
		return "No recommendation: the source was itself sampled. It lacks the calls between its samples, " +
			"and its calls begin and end at samples. The rows measure how well a tracer reproduces this source, not how well " +
			"it traces the app: methods and calls seen are too high, and the cost of recording every call is too low. " + record
	case r.Marked:
		return "No recommendation: the source has sections that the app marks, not its calls. The rows measure how well a " +
			"tracer reproduces the sections; the cost of recording every call of the app is unknown. " + record
	}
	return ""
}

// Answer states the goal, and whether any tracing mode meets it.
func (a Advice) Answer() string {
	var b strings.Builder
	if a.several {
		fmt.Fprintf(&b, "Device %s. ", a.Device)
	}
	if a.Goal.assumed {
		return b.String() + a.withoutGoal()
	}
	goal := a.Goal.String()
	if a.byOverhead {
		goal = a.Goal.text("a CPU overhead of at most " + inPercent(a.Goal.Budget))
	}
	b.WriteString("Goal: " + goal)
	b.WriteString(".")
	if a.byOverhead {
		b.WriteString(" Tracers are compared by CPU overhead, because the slowdown is a range.")
	}
	switch {
	case a.Best >= 0:
	case a.Near < 0:
		b.WriteString(" No tracer tried can be recommended.")
	case a.Goal.Budget > 0 && a.Goal.Wanted > 0:
		b.WriteString(" No tracer tried meets the goal within the budget.")
	case a.Goal.Budget > 0:
		b.WriteString(" No tracer tried is within the budget.")
	default:
		b.WriteString(" No tracer tried meets the goal.")
	}
	return b.String()
}

// withoutGoal states why a sweep without a goal has a recommendation or none.
func (a Advice) withoutGoal() string {
	if a.Best >= 0 {
		return "No goal is set (--goal). One tracer is at least as accurate as every other and costs no more:"
	}
	why := ""
	if a.comparableRows() > 1 {
		why = ": every cheaper tracer is less accurate"
	}
	return "No recommendation without a goal" + why + "."
}

// ToDo returns the next step: the command that records the recommended mode or, if no mode meets the
// goal, the closest one; "" if that is unknown. Without a recommendation for lack of a goal, the
// next step is to set one.
func (a Advice) ToDo() string {
	i := a.chosen()
	switch {
	case i < 0 && a.Goal.assumed:
		return "For a recommendation, set --goal hottest, overlap=90, recall=95 or methods=NAME; --budget 5% limits the slowdown."
	case i < 0:
		return ""
	}
	row := a.Modes[i].At
	if w := a.Modes[i].Within; a.Best < 0 && w != nil {
		row = *w
	}
	m, _ := ModeByName(row.Mode)
	if m.How == nil {
		return ""
	}
	s := "Record: " + m.How(row.Interval)
	switch m.Name {
	case ARTSampling.Name:
		s += fmt.Sprintf("; from process start: adb shell am start -n PACKAGE/ACTIVITY --start-profiler FILE --sampling %d", row.Interval.Microseconds())
	case InstrumentedDual.Name:
		s += "; from process start: adb shell am start -n PACKAGE/ACTIVITY --start-profiler FILE"
	}
	return s
}

// chosen returns the index of the recommended mode or else of the closest one; -1 without either.
func (a *Advice) chosen() int {
	if a.Best >= 0 {
		return a.Best
	}
	return a.Near
}

// cost states the slowdown of a row and, if modes are compared by it, the CPU overhead.
func (a *Advice) cost(row Row) string {
	s := "slowdown " + row.slowdown()
	if overhead := row.Mean[CPUOverhead]; a.byOverhead && !math.IsNaN(overhead) {
		s += ", CPU overhead " + inPercent(overhead)
	}
	return s
}

// slowdown formats the slowdown of a row, or its range where that is known.
func (row *Row) slowdown() string {
	if c := row.Cost(); c.Ranged() {
		return c.String()
	}
	return slowdown(row.Mean[Slowdown])
}

// costOf states that the cost of a recommended row is not measured on its device; "" if it is.
func costOf(row Row) string {
	s := ""
	switch row.costs {
	case device.Defined, device.Measured:
		return ""
	case device.Published:
		s = "The tracer's cost is a published figure, measured on another device"
	default:
		s = "Part of the tracer's cost is assumed, not measured"
	}
	if m, _ := ModeByName(row.Mode); m.Costs.Calibrated() {
		s += "; artifice calibrate measures it on your phone"
	}
	return " " + s + "."
}

// unadvised states why a mode is never recommended, in parentheses after its name; "" if it can be.
func (w *ModeAdvice) unadvised() string {
	m, _ := ModeByName(w.Mode)
	switch {
	case m.Control:
		return " (emulation-only baseline)"
	case m.Discontinued != "":
		return " (not recommended: " + m.Discontinued + ")"
	case w.At.costs == device.Unknown:
		return " (not recommended: its cost on this device is unknown)"
	}
	return ""
}

// tracerOf names the mode and the interval of a row.
func tracerOf(row Row) string {
	if row.Interval == 0 {
		return row.Mode
	}
	return row.Mode + " at " + words.Duration(row.Interval)
}

// Sentences returns a line for each mode. The first begins with an arrow and is the recommended
// mode or, if none meets the goal, the closest one. Lines state whether the mode meets the goal,
// its accuracy and its cost; of modes that do not meet it, also what they miss or attribute
// wrongly, with the reason if it is known.
func (a Advice) Sentences() (list []string) {
	for i, w := range a.Modes {
		switch {
		case i == a.chosen() && a.Goal.assumed:
			list = slices.Insert(list, 0, "→ "+tracerOf(w.At)+": "+a.point(w.At)+"."+costOf(w.At))
		case i == a.chosen():
			list = slices.Insert(list, 0, "→ "+a.sentence(w, true))
		case a.Goal.assumed:
			list = append(list, a.tradeoff(i))
		default:
			list = append(list, a.sentence(w, false))
		}
	}
	return list
}

// sentence returns the line of a mode; chosen marks the line with the arrow.
func (a Advice) sentence(w ModeAdvice, chosen bool) string {
	row, within := w.At, w.Within
	fits := chosen && a.Best < 0 && within != nil // the closest within the budget
	if fits {
		row, within = *within, nil
	}
	var b strings.Builder
	switch {
	case chosen && a.Best < 0 && a.Goal.Wanted > 0:
		b.WriteString("closest to the goal: ")
	case chosen && a.Best < 0:
		b.WriteString("closest to the budget: ")
	}
	b.WriteString(tracerOf(row) + w.unadvised() + a.verdict(&w, chosen) + ": " + a.point(row))
	if w.Reached && a.Goal.Wanted > 0 && !fits {
		b.WriteString(w.limits())
		if u := w.unconfirmed; u != nil {
			fmt.Fprintf(&b, "; at %s it meets the goal only in %s", words.Duration(u.Interval), u.traces())
		}
	}
	if within != nil {
		fmt.Fprintf(&b, "; at %s it is within the budget: %s", words.Duration(within.Interval), a.point(*within))
	}
	if !w.Reached && !w.blind && a.Goal.Wanted > 0 && !fits {
		if missed := w.missed(a.Goal.Measure); missed != "" {
			b.WriteString("; " + missed)
		} else if wrong := w.wrong(); wrong != "" {
			b.WriteString("; " + wrong)
		}
	}
	b.WriteString(".")
	if chosen {
		b.WriteString(costOf(row))
	}
	return b.String()
}

// verdict returns the predicate of a mode's line that states whether it meets the goal. It returns
// "" if the position of the line or its figures already state it.
func (a *Advice) verdict(w *ModeAdvice, chosen bool) string {
	switch {
	case w.blind:
		return " has no CPU clock"
	case chosen:
		return ""
	case a.Goal.Wanted == 0 && !w.Fits:
		return " is over the budget"
	case a.Goal.Wanted == 0:
		return " is within the budget"
	case !w.Reached:
		return " does not meet the goal"
	case !w.Fits:
		return " meets the goal, but exceeds the budget"
	}
	return " meets the goal"
}

// limits states up to which interval samples meet the goal, if several intervals were tried.
func (w *ModeAdvice) limits() string {
	switch {
	case w.Limit[0] == 0 || w.Shortest == w.Longest || w.unconfirmed != nil: // the limit is of this run only
		return ""
	case w.Limit[0] == Beyond:
		return "; meets the goal at every interval tried, up to " + words.Duration(w.Longest)
	}
	s := "; meets the goal at intervals up to " + w.interval(w.Limit[0])
	if w.Limit[1] != w.Limit[2] {
		s += fmt.Sprintf(" (95 %% CI %s to %s)", w.interval(w.Limit[1]), w.interval(w.Limit[2]))
	}
	return s
}

// point states the accuracy and the cost of a row, the measure of the goal first.
func (a Advice) point(row Row) string {
	var parts []string
	if a.Goal.Wanted > 0 && !a.Goal.assumed {
		parts = append(parts, a.value(row))
	}
	if a.Goal.assumed || a.Goal.Wanted == 0 || a.Goal.Measure != OverlapRunning {
		parts = append(parts, a.correct(row))
	}
	return strings.Join(append(parts, a.cost(row)), ", ")
}

// correct states the share of CPU time that a row attributes correctly. For a mode without a CPU
// clock and a truth with one, it is the share of the wall time of methods that do not wait.
func (a *Advice) correct(row Row) string {
	of := "CPU time"
	if a.byCPU && !row.ByCPU {
		of = "wall time of methods that do not wait"
	}
	return inPercent(row.Mean[OverlapRunning]) + " of " + of + " correctly attributed"
}

// value states the row's measure of the goal and the share of traces that meet the goal.
func (a *Advice) value(row Row) string {
	s := ""
	switch a.Goal.Measure {
	case HottestInOrder:
		return "correct order in " + row.traces()
	case NamedSeen:
		return "all seen in " + row.traces()
	case OverlapRunning:
		s = a.correct(row)
	default:
		s = inPercent(row.Mean[a.Goal.Measure]) + " seen"
	}
	return fmt.Sprintf("%s (at least %s in %s)", s, inPercent(a.Goal.Wanted), row.traces())
}

// traces states how many of a row's traces meet the goal, in this run and in the validation runs.
// All traces of every call of one truth are alike.
func (row *Row) traces() string {
	n := int(math.Round(row.Reaching * float64(row.Cells)))
	c := row.confirmed
	s := "every trace"
	switch {
	case row.Cells > 1 || row.Interval > 0 || c != nil:
		s = fmt.Sprintf("%d of %d traces", n, row.Cells)
	case n == 0:
		s = "no trace"
	}
	if c != nil {
		s += fmt.Sprintf(" here, and in %d of %d traces of %s", int(math.Round(c.reaching*float64(c.traces))), c.traces, words.Count(c.runs, "validation run"))
	}
	return s
}

// interval formats a limit within the intervals that were tried.
func (w *ModeAdvice) interval(d time.Duration) string {
	switch d {
	case 0:
		return "below " + words.Duration(w.Shortest)
	case Beyond:
		return "above " + words.Duration(w.Longest)
	}
	return words.Duration(d)
}

// tradeoff states the range of accuracy and cost of the mode i.
func (a *Advice) tradeoff(i int) string {
	w := &a.Modes[i]
	s := w.Mode
	if n := len(w.rows); n == 1 {
		s = tracerOf(w.rows[0]) + w.unadvised() + w.clock() + ": " + a.point(w.rows[0])
	} else {
		first, last := w.rows[0], w.rows[n-1]
		s += fmt.Sprintf(" at %s to %s%s: %s to %s, slowdown %s to %s", words.Duration(first.Interval), words.Duration(last.Interval), w.unadvised()+w.clock(),
			inPercent(first.Mean[OverlapRunning]), a.correct(last), first.slowdown(), last.slowdown())
	}
	if better := a.better(i); better != nil && w.comparable() {
		s += fmt.Sprintf("; %s is at least as accurate and costs no more", tracerOf(*better))
	}
	return s + "."
}

// clock states that a mode cannot be compared by CPU time.
func (w *ModeAdvice) clock() string {
	if w.blind {
		return " (no CPU clock)"
	}
	return ""
}
