package diff

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/trace"
)

// Changes is a difference for output: the chosen rows, largest changes first.
type Changes struct {
	Diff  *Diff
	Clock trace.Clock // compared
	Total bool        // total (inclusive) times, else self (exclusive) times
	Rows  []MethodChange
	More  int // rows removed by Limit
}

// NewChanges returns the significant changes of d, or all of them.
func NewChanges(d *Diff, clock trace.Clock, total, all bool) *Changes {
	t := &Changes{Diff: d, Clock: clock, Total: total}
	for _, m := range d.Methods {
		if all || t.Certain(&m) {
			t.Rows = append(t.Rows, m)
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b MethodChange) int {
		return cmp.Or(cmp.Compare(t.Of(&b).Difference().Abs(), t.Of(&a).Difference().Abs()), cmp.Compare(a.Name, b.Name))
	})
	return t
}

// Limit keeps the first most rows; 0 keeps all.
func (t *Changes) Limit(most int) {
	if most > 0 && most < len(t.Rows) {
		t.More = len(t.Rows) - most
		t.Rows = t.Rows[:most]
	}
}

// Of returns the change of self or total time, as the table shows it.
func (t *Changes) Of(m *MethodChange) *Change {
	if t.Total {
		return &m.Inclusive
	}
	return &m.Exclusive
}

// Certain reports whether a change is significant or, if there are no errors to test against, not
// 0.
func (t *Changes) Certain(m *MethodChange) bool {
	c := t.Of(m)
	return c.IsSignificant() || t.Diff.Basis == Nothing && c.Difference() != 0
}

// Slower reports whether a method is certainly slower, by more than a share of its old time.
func (t *Changes) Slower(m *MethodChange, share float64) bool {
	c := t.Of(m)
	return t.Certain(m) && float64(c.Difference()) > share*float64(c.Old) && c.Difference() > 0
}

// Warning warns that the sides may be of different apps: less than half of the time is in methods
// of both. It returns "" otherwise.
func (d *Diff) Warning() string {
	if d.Matched >= 0.5 || d.OldTotal+d.NewTotal == 0 {
		return ""
	}
	return fmt.Sprintf("only %.0f %% of the time is in methods that both sides contain: are the traces of the same app?", 100*d.Matched)
}

// clockName names the times that are compared, or the quantity.
func (t *Changes) clockName() string {
	if t.Diff.Quantity.IsSet() {
		return t.Diff.Quantity.Describe()
	}
	if t.Clock == trace.Wall {
		return "wall time"
	}
	return "CPU time"
}

// amount formats a time, or a value of another quantity.
func (t *Changes) amount(d time.Duration) string {
	return words.Amount(int64(d), t.Diff.Quantity.Unit)
}

// signed formats an amount with its sign.
func (t *Changes) signed(d time.Duration) string {
	if d > 0 {
		return "+" + t.amount(d)
	}
	return t.amount(d)
}

// signedRange formats an interval, with the unit once if both ends have the same.
func (t *Changes) signedRange(low, high time.Duration) string {
	from, to := t.signed(low), t.signed(high)
	if value, unit, _ := strings.Cut(from, " "); strings.HasSuffix(to, " "+unit) && !strings.Contains(unit, " ") {
		from = value
	}
	return from + " to " + to
}

// qText formats a p- or q-value for text output.
func qText(q float64) string {
	switch {
	case math.IsNaN(q):
		return "-"
	case q < 0.0005:
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", q)
}

// text returns the table for a terminal.
func (t *Changes) text() *cli.Table {
	name, chance := "self", "q"
	if t.Total {
		name = "total"
	}
	if t.Diff.Named {
		chance = "p"
	}
	l := &cli.Table{
		Columns: []string{"old " + name, "new " + name, "change", "", "95 % CI", chance, "method"},
		Right:   []bool{true, true, true, true, true, true},
		Spare:   []string{chance, "new " + name, "old " + name}, Cut: true,
	}
	for i := range t.Rows {
		m := &t.Rows[i]
		c := t.Of(m)
		share := ""
		switch {
		case m.OnlyNew:
			share = "only new"
		case m.OnlyOld:
			share = "only old"
		case c.Old > 0:
			share = fmt.Sprintf("%+.1f %%", 100*float64(c.Difference())/float64(c.Old))
		}
		interval := t.signedRange(c.Low, c.High)
		if t.Diff.Basis == Nothing {
			interval = "-"
		}
		l.Add(t.amount(c.Old), t.amount(c.New), t.signed(c.Difference()), share, interval, qText(c.Q), m.Name)
	}
	return l
}

// WriteText writes the headline, the answer, the table and the notes for a terminal.
func (t *Changes) WriteText(w io.Writer) error {
	for line := range strings.SplitSeq(t.Headline()+"\n"+t.answer(), "\n") {
		fmt.Fprintln(w, cli.WrapTerminal(w, cli.Quote(line)))
	}
	if len(t.Rows) > 0 {
		if err := t.text().WriteText(w); err != nil {
			return err
		}
	}
	for _, note := range t.notes() {
		if _, err := fmt.Fprintln(w, cli.WrapTerminal(w, cli.Quote(note))); err != nil {
			return err
		}
	}
	return nil
}

// List returns the table for programs (CSV, JSON), in ns, or in the unit of another quantity in
// columns without _ns.
func (t *Changes) List() *cli.Table {
	l := &cli.Table{Columns: []string{"method", "side"}}
	for _, kind := range []string{"self", "total"} {
		for _, column := range []string{"old_ns", "new_ns", "change_ns", "low_ns", "high_ns", "p", "q"} {
			if t.Diff.Quantity.IsSet() {
				column = strings.TrimSuffix(column, "_ns")
			}
			l.Columns = append(l.Columns, kind+"_"+column)
		}
	}
	l.Columns = append(l.Columns, "old_calls", "new_calls")
	l.Numbers = slices.Repeat([]bool{true}, len(l.Columns))
	l.Numbers[0], l.Numbers[1] = false, false
	for i := range t.Rows {
		m := &t.Rows[i]
		side := "both"
		if m.OnlyOld {
			side = "old"
		} else if m.OnlyNew {
			side = "new"
		}
		cells := []string{m.Name, side}
		for _, c := range []*Change{&m.Exclusive, &m.Inclusive} {
			cells = append(cells, fmt.Sprint(int64(c.Old)), fmt.Sprint(int64(c.New)), fmt.Sprint(int64(c.Difference())))
			if t.Diff.Basis == Nothing {
				cells = append(cells, "", "")
			} else {
				cells = append(cells, fmt.Sprint(int64(c.Low)), fmt.Sprint(int64(c.High)))
			}
			cells = append(cells, probability(c.P), probability(c.Q))
		}
		l.Add(append(cells, words.Number(m.OldCalls), words.Number(m.NewCalls))...)
	}
	return l
}

// probabilityDigits is the number of significant digits of printed p- and q-values. Further digits
// differ between processors with different floating-point units: the relative error of exp(-z²/2)
// is z² times that of z, up to 1e-12, and that of Student's distribution at most 1e-9.
const probabilityDigits = 6

// probability formats a p- or q-value for programs; empty for NaN.
func probability(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', probabilityDigits, 64)
}
