package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"artifice/cmd/internal/command"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report/plan"
	"artifice/tracer"
	"artifice/tracer/device"
)

// planText prints a plan.
type planText struct {
	*plan.Plan
	cfg   *plan.Config
	flags *planFlags
	app   bool // the source is an app, not traces
}

// planPercent formats a share: 0.05 is 5 %.
func planPercent(share float64) string {
	switch {
	case math.IsNaN(share):
		return "-"
	case share >= 0.995:
		return words.Integer(int64(math.Round(100*share))) + " %"
	}
	return fmt.Sprintf("%.2g %%", 100*share)
}

// print prints the plan as text.
func (t *planText) print(w io.Writer) error {
	for _, line := range []string{t.headline(), t.variation()} {
		fmt.Fprintln(w, cli.WrapTerminal(w, cli.Quote(line)))
	}
	if err := t.table().WriteText(w); err != nil {
		return err
	}
	for _, line := range []string{t.overBudget(), t.everyCall()} {
		if line != "" {
			fmt.Fprintln(w, cli.Wrap(cli.Quote(line), "", command.TextWidth(w)))
		}
	}
	if t.Best != nil {
		fmt.Fprintf(w, "Record %s of %s of each build %s, alternating builds:\n  %s\n  artifice diff old*.trace --to new*.trace --thread all --method %s\n",
			words.Count(t.Best.Needed.Traces, "trace"), words.Duration(t.Length), t.how(), t.Best.Record(), words.Shell(t.Method))
	}
	return nil
}

// headline returns the method's self time and the change to detect.
func (t *planText) headline() string {
	change := "+" + planPercent(t.Change)
	if t.cfg.EachCall {
		change = fmt.Sprintf("+%s of each call (+%s of its self time)", planPercent(t.cfg.Change), planPercent(t.Change))
	}
	return fmt.Sprintf("%s: self %s of %s (%s); to detect %s with %.0f %% power",
		t.Method, words.Duration(t.Time), words.Duration(t.Length), planPercent(float64(t.Time)/float64(t.Length)), change, 100*plan.Power)
}

// variation returns the line on between-run variance, as standard deviations of the method's self
// time.
func (t *planText) variation() string {
	source := words.Count(t.Traces, "trace")
	if t.app {
		source = fmt.Sprintf("%d runs of the app", t.Traces)
	}
	switch {
	case t.Measured && t.Runs == 0, !t.Measured && t.Bursts == 0 && t.cfg.Level <= 0:
		return fmt.Sprintf("between-run variance is indistinguishable from sampling variance (%s)", source)
	case t.app:
		return fmt.Sprintf("between-run standard deviation: %s (%s)", planPercent(t.Runs), source)
	case t.Measured && t.BurstsAlone:
		return fmt.Sprintf("between-run standard deviation: %s (%s; not more than bursts within a run explain)", planPercent(t.Runs), source)
	case t.Measured:
		return fmt.Sprintf("between-run standard deviation: %s (%s, sampling variance subtracted)", planPercent(t.Runs), source)
	case t.cfg.Level > 0:
		return fmt.Sprintf("between-run standard deviation: %s (%s from bursts within a run, %s; %s by --level)", planPercent(t.Runs), planPercent(t.Bursts), source, planPercent(t.Level))
	}
	return fmt.Sprintf("between-run standard deviation: %s (from bursts within a run, %s)", planPercent(t.Bursts), source)
}

// table returns a row for each way to record within the budget.
func (t *planText) table() *cli.Table {
	var sides []string
	for _, n := range plan.Sides {
		sides = append(sides, fmt.Sprint(n))
	}
	table := &cli.Table{
		Columns: []string{"interval", "slowdown", "traces of each build", "smallest detectable with " + strings.Join(sides, " / ")},
		Right:   []bool{true, true, true, true},
	}
	for _, row := range t.Within() {
		needed := rangeText(row.Needed)
		if row.AtMost && row.Needed.Traces > 0 {
			needed = "≤ " + needed
		}
		var changes []string
		for _, d := range row.Detectable {
			changes = append(changes, planPercent(d.Change))
		}
		table.Add(row.Name(), planSlowdown(row), needed, strings.Join(changes, " / "))
	}
	return table
}

// planSlowdown formats the slowdown of a row, as bench does.
func planSlowdown(r *plan.Row) string { return r.Cost.String() }

// planCost formats the quantity limited by the budget: the slowdown of a row or, if the slowdown is
// a wide range, the CPU overhead, as in bench.
func planCost(r *plan.Row) string {
	if r.Cost.OfCPU {
		return "CPU overhead " + planPercent(r.Cost.Overhead)
	}
	return "slowdown " + planSlowdown(r)
}

// rangeText formats a number of traces with its limits.
func rangeText(r plan.Range) string {
	number := func(n int) string {
		if n == 0 {
			return "> " + words.Integer(plan.MaxTraces)
		}
		return words.Integer(n)
	}
	if r.Low == r.High {
		return number(r.Traces)
	}
	return fmt.Sprintf("%s (%s–%s)", number(r.Traces), number(r.Low), number(r.High))
}

// overBudget returns the line on intervals over the budget; empty if there are none.
func (t *planText) overBudget() string {
	var first, last *plan.Row
	for i := range t.Rows {
		if row := &t.Rows[i]; !row.Fits {
			if first == nil {
				first = row
			}
			last = row
		}
	}
	switch {
	case first == nil:
		return ""
	case first == last:
		return fmt.Sprintf("Not in the table, because over the budget of %s: %s (%s).", planPercent(t.cfg.Budget), first.Name(), planCost(first))
	}
	return fmt.Sprintf("Not in the table, because over the budget of %s: %s (%s) to %s (%s).", planPercent(t.cfg.Budget), first.Name(), planCost(first), last.Name(), planCost(last))
}

// everyCall returns the line on tracing every call.
func (t *planText) everyCall() string {
	if t.EveryCall == nil {
		return "Tracing every call is not evaluated, because sampled traces miss calls."
	}
	s := fmt.Sprintf("Tracing every call adds %s to the method's time in both builds", planPercent(t.Added))
	if t.Added > 0 {
		s += fmt.Sprintf(", so +%s appears as +%s", planPercent(t.Change), planPercent(t.Change/(1+t.Added)))
	}
	if !t.EveryCall.Fits {
		s += fmt.Sprintf("; it is over the budget (%s)", planCost(t.EveryCall))
	}
	return s + "." + t.costs(&tracer.OfCalls)
}

// costs returns a sentence on the source of the device's figures; empty if they were measured.
func (t *planText) costs(c *tracer.Costs) string {
	switch c.Kind(&t.cfg.Device) {
	case device.Measured, device.Defined:
		return ""
	case device.Unknown:
		return fmt.Sprintf(" The tracer's cost on device %s is unknown and taken as 0.", t.cfg.Device.Name)
	}
	return fmt.Sprintf(" Part of the tracer's cost on device %s is assumed, not measured.", t.cfg.Device.Name)
}

// how returns how the advised traces are recorded.
func (t *planText) how() string {
	if t.Best.Interval == 0 {
		return "with every call"
	}
	return "at " + t.Best.Name()
}

// warnings returns the assumptions of the plan.
func (t *planText) warnings() (list []string) {
	if !t.app && !t.Measured && t.cfg.Level < 0 {
		list = append(list, fmt.Sprintf("the variance that temperature, compiled code and other apps add between runs cannot be estimated from %s and is assumed to be 0, so plan may state too few traces; state the standard deviation between runs (--level 3%%), or pass at least %d traces", words.Count(t.Traces, "trace"), plan.MinTraces))
	}
	return list
}

// tooSmall returns an error if no number of traces up to [plan.MaxTraces] detects the change.
func (t *planText) tooSmall() error {
	most := words.Integer(plan.MaxTraces)
	switch change, by := t.Smallest(); {
	case t.Best != nil:
		return nil
	case len(t.Within()) == 0:
		return fmt.Errorf("every tracing method exceeds the budget of %s: raise --budget, or use longer --intervals", planPercent(t.cfg.Budget))
	case by == nil:
		return fmt.Errorf("%s traces of each build detect no change of %s: record longer traces (--length)", most, t.Method)
	default:
		return fmt.Errorf("a change of +%s is too small: %s traces of each build detect only +%s or more (%s); record longer traces (--length)", planPercent(t.Change), most, planPercent(change), by.Name())
	}
}
