package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report"
	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
)

// reportTable is the table of a report, with its header and notes.
type reportTable struct {
	p       *estimate.Profile
	info    *trace.Info
	symbols *trace.Symbols
	threads *report.Threads // nil: all
	kind    report.Kind
	what    string             // what a row describes: method, class, package, thread, caller, callee or call
	stated  time.Duration      // the value of --sampled
	until   calltree.EndPolicy // with UntilStop, times include the profile's LeftOut
	all     []report.Row
	rows    []report.Row // the rows of all that are printed

	anyAliased bool // some row of all is aliased, so unsampled methods have no upper limit

	counts bool          // the input is folded stacks
	unit   time.Duration // the unit of their counts, if the file states it
}

// setApart moves rows for incomplete stacks to the end of the printed rows. All of them are
// printed, because they are reasons for incomplete stacks and not methods.
func (t *reportTable) setApart() {
	ended := func(r report.Row) bool { return r.WalkEnd() != "" }
	var apart []report.Row
	for _, r := range t.all {
		if ended(r) {
			apart = append(apart, r)
		}
	}
	t.rows = append(slices.DeleteFunc(slices.Clone(t.rows), ended), apart...)
}

// print writes the report as text.
func (t *reportTable) print(w io.Writer, name string) error {
	fmt.Fprintln(w, cli.WrapTerminal(w, cli.Quote(name)+": "+t.headline()))
	fmt.Fprintf(w, "%s\n\n", cli.WrapTerminal(w, cli.Quote(t.times())))
	if err := t.table().WriteText(w); err != nil {
		return err
	}
	for _, n := range t.notes() {
		if _, err := fmt.Fprintln(w, cli.WrapTerminal(w, cli.Quote(n))); err != nil {
			return err
		}
	}
	return nil
}

// headline describes the recording: its length, how it was recorded, its samples and threads.
func (t *reportTable) headline() string {
	p := t.p
	if p.Quantity.IsSet() {
		return t.quantityHeadline()
	}
	head := words.Duration(p.Span)
	switch {
	case t.unit > 0:
		head += fmt.Sprintf(", folded stacks in units of %s: no confidence intervals", words.Duration(t.unit))
	case t.counts:
		head += fmt.Sprintf(", folded stacks, each count read as a sample of %s", words.Duration(p.Period))
	case p.Sampled() && p.Period > 0:
		head += fmt.Sprintf(", %s, %s", t.sampling(), words.Count(p.Samples, "sample"))
		if p.Overhead > 0 {
			head += ", sampling overhead subtracted"
		}
	case p.NoSamples:
		head += ", a profile without a sampling period: no confidence intervals"
	case p.Sampled():
		head += ", sampled, too few changes for confidence intervals"
	case p.Technique == trace.UnknownTechnique:
		head += ", unclear whether the trace is sampled: no confidence intervals"
	case t.info.Marked:
		head += ", sections marked by the app, not every call"
	default:
		head += ", every call recorded"
	}
	if t.threads != nil {
		head += ", " + words.Count(len(t.threads.All), "thread")
	}
	return head
}

// quantityHeadline describes a profile of another quantity than time.
func (t *reportTable) quantityHeadline() string {
	head := t.p.Quantity.Describe()
	if !t.p.Quantity.Signed {
		head = "a profile of " + head
	}
	if t.threads != nil {
		head += ", " + words.Count(len(t.threads.All), "thread")
	}
	return head
}

// amount formats a value of the table.
func (t *reportTable) amount(d time.Duration) string {
	return words.Amount(int64(d), t.p.Quantity.Unit)
}

// quantity returns the sum of the values; of a difference also the increases and the decreases.
func (t *reportTable) quantity() string {
	text := t.p.Quantity.Name + " " + t.amount(t.sum())
	if !t.p.Quantity.Signed {
		return text
	}
	var more, less time.Duration
	for i := range t.all {
		own := t.all[i].Self(t.kind).Value
		more, less = more+max(own, 0), less+min(own, 0)
	}
	return fmt.Sprintf("%s (+%s and %s)", text, t.amount(more), t.amount(less))
}

// sampling describes the sampling interval, if known, and the measured period.
func (t *reportTable) sampling() string {
	period, interval, stated := words.Duration(t.p.Period), t.info.SamplingInterval(), ""
	if t.p.Stated {
		interval, stated = t.stated, " as stated"
	}
	switch {
	case interval == 0:
		return "sampled with a period of " + period
	case words.Duration(interval) == period:
		return "sampled every " + period + stated
	}
	return fmt.Sprintf("sampled every %s%s (period %s)", words.Duration(interval), stated, period)
}

// times names the threads of the report and their times.
func (t *reportTable) times() string {
	if t.p.Quantity.IsSet() {
		names := "all threads"
		if t.threads != nil {
			names = t.threads.Names(t.symbols)
		}
		return names + ": " + t.quantity()
	}
	if t.threads == nil {
		if t.kind == report.Running && t.p.ByClock() {
			return "all threads: CPU time"
		}
		return "all threads: " + t.kind.String() + " time"
	}
	names := t.threads.Names(t.symbols)
	sum := t.threads.Sum()
	switch t.kind {
	case report.CPU:
		text := fmt.Sprintf("%s: CPU %s", names, words.Duration(sum.CPU))
		if t.p.OffCPU > 0 {
			text += fmt.Sprintf(", waiting %s (off-CPU samples; --waiting lists them)", words.Duration(t.p.OffCPU))
		}
		return text
	case report.Wall:
		waiting, how := sum.Waiting, "by method names: no CPU clock"
		switch {
		case t.p.OffCPU > 0:
			waiting, how = t.p.OffCPU, "off-CPU samples"
		case t.p.ByClock():
			how = "by CPU clock"
		}
		return fmt.Sprintf("%s: wall %s, including %s waiting (%s)", names, words.Duration(sum.Running+sum.Waiting), words.Duration(waiting), how)
	}
	if t.p.ByClock() {
		return fmt.Sprintf("%s: CPU %s, waiting %s; self is CPU time (--waiting: wall time)", names, words.Duration(sum.Running), words.Duration(sum.Waiting))
	}
	text := fmt.Sprintf("%s: running %s", names, words.Duration(sum.Running))
	if sum.Waiting > 0 {
		text += fmt.Sprintf(", waiting %s (by method names: no CPU clock; --waiting lists them)", words.Duration(sum.Waiting))
	}
	return text
}

// table returns the rows as text. On a narrow terminal it drops columns, the least important first,
// and shortens names.
func (t *reportTable) table() *cli.Table {
	sampled := t.p.Sampled()
	t.anyAliased = slices.ContainsFunc(t.all, func(r report.Row) bool { return t.aliased(&r) })
	l := &cli.Table{Spare: []string{"calls", "total", "95 % CI"}, Cut: true}
	column := func(name string, right bool) {
		l.Columns, l.Right = append(l.Columns, name), append(l.Right, right)
	}
	column("self", true)
	if sampled {
		column("95 % CI", true)
	}
	column("share", true)
	column("total", true)
	if !t.p.Quantity.IsSet() { // a sum has no calls
		column("calls", true)
	}
	column(t.what, false)
	all := t.whole()
	for i := range t.rows {
		r := &t.rows[i]
		own, f := r.Self(t.kind), r.Figures()
		cells := []string{t.amount(own.Value)}
		if sampled {
			interval := ""
			if own.Value > 0 || r.WalkEnd() == "" {
				interval = t.interval(own, &f.Exclusive)
			}
			cells = append(cells, interval)
		}
		cells = append(cells, percent(own.Value, all), t.amount(r.Total(t.kind).Value))
		if !t.p.Quantity.IsSet() {
			cells = append(cells, callsText(f.Calls))
		}
		l.Add(append(cells, strings.Repeat(" ", int(r.Depth))+t.marked(r))...)
	}
	return l
}

// sum returns the time of all threads of the report, of the report's kind.
func (t *reportTable) sum() time.Duration {
	if t.threads != nil {
		sum := t.threads.Sum()
		switch t.kind {
		case report.CPU:
			return sum.CPU
		case report.Wall:
			return sum.Running + sum.Waiting
		}
		return sum.Running
	}
	var all time.Duration
	for i := range t.all {
		all += t.all[i].Self(t.kind).Value
	}
	return all
}

// whole returns the base of shares: the sum, or that of the absolute values of a difference, as in
// go tool pprof.
func (t *reportTable) whole() (all time.Duration) {
	if !t.p.Quantity.Signed {
		return t.sum()
	}
	for i := range t.all {
		all += t.all[i].Self(t.kind).Value.Abs()
	}
	return all
}

// percent returns part as a percentage of all, empty if all is 0.
func percent(part, all time.Duration) string {
	if all <= 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(all))
}

// interval returns the 95 % interval of a self time, or the upper limit for a method that was never
// sampled.
func (t *reportTable) interval(own estimate.Time, s *estimate.Share) string {
	switch {
	case t.p.Samples == 0 || t.p.Period == 0:
		return ""
	case own.Value > 0:
		return words.Between(own.Low, own.High)
	case t.what == "method" && s.Runs.Samples == 0 && !t.anyAliased:
		return "≤ " + words.Duration(estimate.UnseenSamples*t.p.Period)
	}
	return ""
}

// marked returns a row's name, with an asterisk if the row is aliased.
func (t *reportTable) marked(r *report.Row) string {
	if t.aliased(r) {
		return r.Name() + " *"
	}
	return r.Name()
}

// aliased reports whether a row's self time is aliased with the sampling interval.
func (t *reportTable) aliased(r *report.Row) bool {
	own := r.Figures().Exclusive
	return own.Cycle != nil && own.Runs.Enough() && r.Self(t.kind).Value > 0
}
