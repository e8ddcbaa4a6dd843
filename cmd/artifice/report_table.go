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
)

// reportTable is the rows of a report.
type reportTable struct {
	p       *estimate.Profile
	info    *trace.Info
	symbols *trace.Symbols
	threads *report.Threads // nil: all
	kind    report.Kind
	what    string // a row is of
	all     []report.Row
	rows    []report.Row // those to print

	anyInStep bool // of all rows; then what no sample met can have run for long

	counts bool          // it is of folded stacks
	unit   time.Duration // of these, where they say what they count
}

// setApart puts the rows last that are of no method, but say why walks of stacks ended early: all of them are printed.
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

// print writes the table for people.
func (t *reportTable) print(w io.Writer, name string) error {
	fmt.Fprintln(w, cli.WrapTerminal(w, cli.Quote(name)+": "+t.headline()))
	fmt.Fprintln(w, cli.WrapTerminal(w, cli.Quote(t.times())))
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

// headline says what kind of recording it is.
func (t *reportTable) headline() string {
	p := t.p
	head := words.Digits(p.Span)
	switch {
	case t.unit > 0:
		head += fmt.Sprintf(", folded stacks, which say that they count units of %s: no intervals", t.unit)
	case t.counts:
		head += fmt.Sprintf(", folded stacks, with each count taken as a sample of %s", words.Digits(p.Period))
	case p.Stated:
		head += t.whichRun() + fmt.Sprintf(", sampled every %s as stated, %s of stacks", words.Digits(p.Period), words.Count(p.Samples, "sample"))
	case p.Sampled() && p.Period > 0:
		head += t.whichRun() + fmt.Sprintf(", sampled about every %s, %s of stacks", words.Digits(p.Period), words.Count(p.Samples, "sample"))
	case p.NoSamples:
		head += ", stacks of a profile that states no period: no intervals"
	case p.Sampled():
		head += ", sampled, too few changes to tell how often"
	case p.Technique == trace.UnknownTechnique:
		head += ", too few events to tell whether it was sampled: no intervals"
	default:
		head += ", every call recorded"
	}
	if t.threads != nil {
		head += ", " + words.Count(len(t.threads.All), "thread")
	}
	return head
}

// whichRun says of which run times and intervals are: the one that samples made longer, or the app's own.
func (t *reportTable) whichRun() string {
	if t.p.Overhead > 0 {
		return " as traced, times without what samples took"
	}
	return " as traced"
}

// times says which threads the rows are of, and how long they ran and waited.
func (t *reportTable) times() string {
	if t.threads == nil {
		return "all threads: " + t.kind.String() + " time"
	}
	who := t.threads.Names(t.symbols)
	sum := t.threads.Sum()
	switch t.kind {
	case report.CPU:
		return fmt.Sprintf("%s: CPU time %s", who, words.Digits(sum.CPU))
	case report.Wall:
		return fmt.Sprintf("%s: wall time %s, of which waiting %s", who, words.Digits(sum.Running+sum.Waiting), words.Digits(sum.Waiting))
	}
	text := fmt.Sprintf("%s: running %s", who, words.Digits(sum.Running))
	if sum.Waiting > 0 {
		text += fmt.Sprintf(", waiting %s (not listed; --waiting)", words.Digits(sum.Waiting))
	}
	return text
}

// table returns the rows as text. A narrow terminal goes without what matters least, and
// names are cut to what is left.
func (t *reportTable) table() *cli.Table {
	sampled := t.p.Sampled()
	t.anyInStep = slices.ContainsFunc(t.all, func(r report.Row) bool { return t.inStep(&r) })
	l := &cli.Table{Spare: []string{"calls", "with calls", "95 %"}, Cut: true}
	column := func(name string, right bool) {
		l.Columns, l.Right = append(l.Columns, name), append(l.Right, right)
	}
	column(t.kind.String(), true)
	if sampled {
		column("95 %", true)
	}
	column("share", true)
	column("with calls", true)
	column("calls", true)
	column(t.what, false)
	all := t.sum()
	for i := range t.rows {
		r := &t.rows[i]
		own, f := r.Self(t.kind), r.Figures()
		cells := []string{words.Digits(own.Value)}
		if sampled {
			likely := ""
			if own.Value > 0 || r.WalkEnd() == "" {
				likely = t.interval(own, &f.Exclusive)
			}
			cells = append(cells, likely)
		}
		cells = append(cells, percent(own.Value, all), words.Digits(r.Total(t.kind).Value), callsText(f.Calls))
		l.Add(append(cells, strings.Repeat("  ", int(r.Depth))+t.marked(r))...)
	}
	return l
}

// sum is all time of the report's kind.
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

// percent is a share of all time.
func percent(part, all time.Duration) string {
	if all <= 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(all))
}

// interval is a time's 95 % interval, or the most that it can be where no sample met it.
func (t *reportTable) interval(own estimate.Time, s *estimate.Share) string {
	switch {
	case t.p.Samples == 0 || t.p.Period == 0:
		return ""
	case own.Value > 0:
		return between(own.Low, own.High)
	case t.what == "method" && s.Runs.Samples == 0 && !t.anyInStep:
		return "≤" + words.Digits(estimate.UnseenSamples*t.p.Period)
	}
	return ""
}

// between is an interval, with the unit once where both ends have it.
func between(low, high time.Duration) string {
	from, to := words.Digits(low), words.Digits(high)
	if unit := strings.TrimLeft(to, "0123456789."); low == 0 {
		from = "0"
	} else if number, same := strings.CutSuffix(from, unit); same && strings.Trim(number, "0123456789.") == "" {
		from = number
	}
	return from + "–" + to
}

// marked is a row's name, with a star where it is in step with the sampler.
func (t *reportTable) marked(r *report.Row) string {
	if t.inStep(r) {
		return r.Name() + " *"
	}
	return r.Name()
}

func (t *reportTable) inStep(r *report.Row) bool {
	own := r.Figures().Exclusive
	return own.Cycle != nil && own.Runs.Enough() && r.Self(t.kind).Value > 0
}
