package main

import (
	"fmt"
	"io"
	"math"

	"artifice/cmd/artifice/command"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report/plan"
	"artifice/tracer"
	"artifice/tracer/device"
)

// planText is a plan as it is printed.
type planText struct {
	*plan.Plan
	cfg   *plan.Config
	flags *planFlags
	app   bool // of an app, and not of traces
}

// planPercent writes a share, such as 0.05 as 5 %.
func planPercent(share float64) string {
	if math.IsNaN(share) {
		return "-"
	}
	return fmt.Sprintf("%.2g %%", 100*share)
}

// more writes a share that something grows by.
func more(share float64) string {
	if share >= 0.995 {
		return fmt.Sprintf("+%.0f %%", 100*share)
	}
	return "+" + planPercent(share)
}

// print prints the plan for people.
func (t *planText) print(w io.Writer) error {
	for _, line := range []string{t.headline(), t.variation()} {
		fmt.Fprintln(w, cli.WrapTerminal(w, cli.Quote(line)))
	}
	if err := t.table().WriteText(w); err != nil {
		return err
	}
	for _, line := range []string{t.beyond(), t.everyCall()} {
		if line != "" {
			fmt.Fprintln(w, cli.Wrap(cli.Quote(line), "", command.TextWidth(w)))
		}
	}
	if t.Best != nil {
		fmt.Fprintf(w, "do: %s of %s of each build, %s, old and new in turns\n  %s\nthen: artifice diff old*.trace --to new*.trace --method %s\n",
			words.Count(t.Best.Needed.Traces, "trace"), words.Digits(t.Length), t.how(), t.Best.Record(), words.Shell(t.Method))
	}
	return nil
}

func (t *planText) headline() string {
	calls := words.Count(int64(math.Round(t.Calls)), "call")
	if t.Sampled {
		calls = fmt.Sprintf("at least %s", calls)
	}
	s := fmt.Sprintf("%s: %s of %s (%s), %s; wanted: %s", t.Method, words.Digits(t.Time), words.Digits(t.Length), planPercent(float64(t.Time)/float64(t.Length)), calls, more(t.Change))
	if t.cfg.EachCall {
		s += fmt.Sprintf(" of its time, which is %s for each call", more(t.cfg.Change))
	}
	return s
}

// variation says how much runs differ.
func (t *planText) variation() string {
	from := "this trace"
	if t.Traces > 1 {
		from = "these traces"
	}
	if t.BurstsAlone {
		from = fmt.Sprintf("these %d traces, which differ by no more", t.Traces)
	}
	bursts := fmt.Sprintf("by %s (its bursts, from %s)", planPercent(t.Bursts), from)
	if t.Bursts == 0 {
		bursts = fmt.Sprintf("by no more than samples do (its bursts, from %s)", from)
	}
	switch {
	case t.app:
		return fmt.Sprintf("runs differ by %s (standard deviation of %d runs of the app)", planPercent(t.Runs), t.Traces)
	case t.Measured && !t.BurstsAlone:
		if t.Runs == 0 {
			return fmt.Sprintf("runs differ by no more than samples do (%d traces)", t.Traces)
		}
		return fmt.Sprintf("runs differ by %s (standard deviation of %d traces, less sampling)", planPercent(t.Runs), t.Traces)
	case t.cfg.Level > 0:
		return fmt.Sprintf("runs differ %s and by %s (stated)", bursts, planPercent(t.Level))
	}
	return "runs differ " + bursts
}

// table has the rows within the budget.
func (t *planText) table() *cli.Table {
	table := &cli.Table{Columns: []string{"interval", "slowdown", "sampling", "traces"}, Right: []bool{true, true, true, true}}
	for _, n := range plan.Sides {
		table.Columns, table.Right = append(table.Columns, fmt.Sprintf("%d see", n)), append(table.Right, true)
	}
	for _, row := range t.Within() {
		sampling := planPercent(row.Sampling)
		switch {
		case row.Interval == 0:
			sampling = "-"
		case row.AtMost:
			sampling = "≤ " + sampling
		}
		cells := []string{row.Name(), more(row.Slowdown - 1), sampling, rangeText(row.Needed)}
		for _, change := range row.Seen {
			if cells = append(cells, "-"); !math.IsNaN(change) {
				cells[len(cells)-1] = more(change)
			}
		}
		table.Add(cells...)
	}
	return table
}

// rangeText writes a number of traces with its limits.
func rangeText(r plan.Range) string {
	number := func(n int) string {
		if n == 0 {
			return fmt.Sprintf(">%d", plan.MostTraces)
		}
		return fmt.Sprint(n)
	}
	if r.Low == r.High {
		return number(r.Traces)
	}
	return fmt.Sprintf("%s (%s–%s)", number(r.Traces), number(r.Low), number(r.High))
}

// beyond says what the budget leaves out.
func (t *planText) beyond() string {
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
		return fmt.Sprintf("Beyond the budget of %s: every %s (%s).", more(t.cfg.Budget), first.Name(), more(first.Slowdown-1))
	}
	return fmt.Sprintf("Beyond the budget of %s: from every %s (%s) to every %s (%s).", more(t.cfg.Budget), first.Name(), more(first.Slowdown-1), last.Name(), more(last.Slowdown-1))
}

// everyCall says what recording every call would do to the method.
func (t *planText) everyCall() string {
	if t.EveryCall == nil {
		return "What recording every call would do to it a sampled trace does not tell, as it misses calls."
	}
	s := fmt.Sprintf("Recording every call makes its time %s longer in both builds", planPercent(t.Added))
	if t.Added > 0 {
		s += fmt.Sprintf(", so that %s is shown as %s", more(t.Change), more(t.Change/(1+t.Added)))
	}
	if !t.EveryCall.Fits {
		s += fmt.Sprintf("; the run becomes %s longer, beyond the budget", planPercent(t.EveryCall.Slowdown-1))
	}
	return s + "." + t.costs(&tracer.OfCalls)
}

// costs says where a figure of the device comes from, unless it was measured on it.
func (t *planText) costs(c *tracer.Costs) string {
	switch c.Kind(&t.cfg.Device) {
	case device.Measured, device.Defined:
		return ""
	case device.Unknown:
		return fmt.Sprintf(" What it takes on device %s is not known, and counted as nothing.", t.cfg.Device.Name)
	}
	return fmt.Sprintf(" What it takes on device %s is assumed in part, not measured.", t.cfg.Device.Name)
}

func (t *planText) how() string {
	if t.Best.Interval == 0 {
		return "every call recorded"
	}
	return "sampled every " + t.Best.Name()
}

// warnings say what was assumed.
func (t *planText) warnings() (list []string) {
	if !t.app && !t.Measured && t.cfg.Level < 0 {
		what := "one trace does"
		if t.Traces > 1 {
			what = fmt.Sprintf("%d traces do", t.Traces)
		}
		list = append(list, fmt.Sprintf("%s not tell how much runs differ besides (temperature, compiled code, other apps): this is taken for 0, and more traces may be needed; state it (--level 3%%), or give %d traces or more", what, plan.EnoughTraces))
	}
	return list
}

// tooSmall returns an error where no number of traces that was looked at finds the change.
func (t *planText) tooSmall() error {
	switch change, by := t.Smallest(); {
	case t.Best != nil:
		return nil
	case len(t.Within()) == 0:
		return fmt.Errorf("no way to record it is within the budget of %s: allow more (--budget), or longer intervals (--intervals)", more(t.cfg.Budget))
	case by == nil:
		return fmt.Errorf("%d traces of each build find no change of %s", plan.MostTraces, t.Method)
	default:
		return fmt.Errorf("a change of %s is too small: %d traces of each build find %s and more (%s); record for longer (--length)", more(t.Change), plan.MostTraces, more(change), by.Name())
	}
}
