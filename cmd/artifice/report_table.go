package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"artifice/estimate"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report"
	"artifice/trace"
)

// reportTable is the rows of a report.
type reportTable struct {
	p     *estimate.Profile
	clock trace.Clock // Wall or ThreadCPU
	what  string      // a row is of
	all   []report.Row
	rows  []report.Row // those to print

	counts bool          // it is of folded stacks
	unit   time.Duration // of these, where they say what they count
}

// print writes the table for people.
func (t *reportTable) print(w io.Writer, name string) error {
	fmt.Fprintf(w, "%s: %s\n", cli.Quote(name), t.headline())
	sampled := t.p.Sampled()
	l := &cli.Table{Columns: []string{"", "self"}, Right: []bool{false, true}, Spare: []string{"95 % of total", "95 % of self", ""}}
	if sampled {
		l.Columns, l.Right = append(l.Columns, "95 % of self"), append(l.Right, true)
	}
	l.Columns, l.Right = append(l.Columns, "total"), append(l.Right, true)
	if sampled {
		l.Columns, l.Right = append(l.Columns, "95 % of total"), append(l.Right, true)
	}
	other := t.p.Clock == trace.Dual
	if other {
		l.Columns, l.Right = append(l.Columns, "self "+t.otherName()), append(l.Right, true)
	}
	l.Columns, l.Right = append(l.Columns, "calls", t.what), append(l.Right, true, false)
	longest := t.longest()
	for i := range t.rows {
		r, f := &t.rows[i], t.rows[i].Figures()
		cells := []string{bar(f.Exclusive.On(t.clock).Value, longest), digits(f.Exclusive.On(t.clock).Value)}
		if sampled {
			cells = append(cells, t.interval(&f.Exclusive))
		}
		cells = append(cells, digits(f.Inclusive.On(t.clock).Value))
		if sampled {
			cells = append(cells, t.interval(&f.Inclusive))
		}
		if other {
			cells = append(cells, digits(f.Exclusive.On(t.otherClock()).Value))
		}
		l.Add(append(cells, callsText(f.Calls), strings.Repeat("  ", int(r.Depth))+t.marked(r))...)
	}
	if err := l.WriteText(w); err != nil {
		return err
	}
	return t.notes(w)
}

func (t *reportTable) headline() string {
	p := t.p
	words := map[bool]string{true: "wall", false: "cpu"}
	head := fmt.Sprintf("%s, %s time", digits(p.Span), words[t.clock == trace.Wall])
	switch {
	case t.unit > 0:
		head += fmt.Sprintf("; folded stacks, which say that they count units of %s: no intervals", t.unit)
	case t.counts:
		head += fmt.Sprintf("; folded stacks, with each count taken as a sample of %s", digits(p.Period))
	case p.Sampled() && p.Period > 0:
		head += fmt.Sprintf("; sampled about every %s, %d samples of stacks", digits(p.Period), p.Samples)
	case p.NoSamples:
		head += "; stacks of a profile that states no period: no intervals"
	case p.Sampled():
		head += "; sampled, too few samples for intervals"
	case p.Technique == trace.UnknownTechnique:
		head += "; too few events to tell whether it was sampled: no intervals"
	default:
		head += "; every call recorded"
	}
	return head
}

func (t *reportTable) otherClock() trace.Clock {
	if t.clock == trace.Wall {
		return trace.ThreadCPU
	}
	return trace.Wall
}

func (t *reportTable) otherName() string {
	if t.clock == trace.Wall {
		return "cpu"
	}
	return "wall"
}

func (t *reportTable) longest() (most time.Duration) {
	for i := range t.rows {
		most = max(most, t.rows[i].Figures().Exclusive.On(t.clock).Value)
	}
	return most
}

// interval is a share's 95 % interval, or why there is none.
func (t *reportTable) interval(s *estimate.Share) string {
	switch on := s.On(t.clock); {
	case s.Runs.Samples == 0 && on.Value == 0:
		return ""
	case t.p.Samples == 0:
		return "-"
	case !s.Runs.Enough() || t.p.Period == 0:
		return "few"
	case t.clock == trace.ThreadCPU && s.NoCPU:
		return "?"
	default:
		return digits(on.Low) + " to " + digits(on.High)
	}
}

// marked is a row's name, with a star where it is in step with the sampler.
func (t *reportTable) marked(r *report.Row) string {
	if own := r.Figures().Exclusive; own.Cycle != nil && own.Runs.Enough() {
		return r.Name() + " *"
	}
	return r.Name()
}

// notes writes what the table leaves open.
func (t *reportTable) notes(w io.Writer) error {
	var notes []string
	if more := len(t.all) - len(t.rows); more > 0 {
		notes = append(notes, fmt.Sprintf("%d more; --top 0 lists all", more))
	}
	for i := range t.rows {
		own := t.rows[i].Figures().Exclusive
		if c := own.Cycle; c != nil && own.Runs.Enough() {
			notes = append(notes, fmt.Sprintf("* in step with the sampler: %s comes again after %s (%d samples); the interval is wider for that, and a trace with another interval would tell more",
				t.rows[i].Name(), digits(time.Duration(c.Samples)*t.p.Period), c.Samples))
			break // one is enough to be warned
		}
	}
	if t.p.Sampled() && t.p.Period > 0 {
		notes = append(notes, fmt.Sprintf("about %.1f %% of the time is in methods that no sample met", 100*t.p.Unseen))
	}
	if s := t.p.Silence; s.Total >= t.p.Span/100 && s.Count > 0 {
		notes = append(notes, fmt.Sprintf("no samples were taken for %s in all, %d times, the longest %s long, as happens while ART's sampler waits for the garbage collector; the intervals are wider because of it",
			digits(s.Total), s.Count, digits(s.Longest)))
	}
	if l := t.p.Late; l.Samples > 0 {
		notes = append(notes, l.String()+", as happens where it has to wait for a core; when it comes then depends on what the app does, and the intervals are wider because of it")
	}
	if t.p.Overhead > 0 {
		notes = append(notes, fmt.Sprintf("%s of the tracer's cost subtracted; %s more would be below zero somewhere", digits(t.p.Overhead), digits(t.p.Remains)))
	}
	if t.p.LeftOut > 0 && t.clock == trace.Wall {
		notes = append(notes, fmt.Sprintf("threads with open frames go on for %s after their last events, to the stop; --until stop counts it", digits(t.p.LeftOut)))
	}
	for _, n := range notes {
		if _, err := fmt.Fprintln(w, cli.Quote(n)); err != nil {
			return err
		}
	}
	return nil
}

// bar draws a time beside the longest one. A time below 0, of a clock that went back,
// has none.
func bar(d, longest time.Duration) string {
	if d <= 0 || longest <= 0 {
		return ""
	}
	return strings.Repeat("█", int(math.Round(8*float64(d)/float64(longest))))
}

// digits is a time with three digits, as people read it.
func digits(d time.Duration) string { return words.Digits(d) }

// list is the table for programs, in ns.
func (t *reportTable) list() *cli.Table {
	l := &cli.Table{Columns: []string{t.what, "depth"}}
	for _, kind := range []string{"self", "total"} {
		for _, clock := range []string{"wall", "cpu"} {
			l.Columns = append(l.Columns, kind+"_"+clock+"_ns", kind+"_"+clock+"_low_ns", kind+"_"+clock+"_high_ns")
		}
		l.Columns = append(l.Columns, kind+"_samples")
	}
	l.Columns = append(l.Columns, "calls", "cycle_samples")
	l.More = func(yield func([]string) bool) {
		var cells []string
		for i := range t.rows {
			r, f := &t.rows[i], t.rows[i].Figures()
			cells = append(cells[:0], r.Name(), fmt.Sprint(r.Depth))
			cells = t.numbers(t.numbers(cells, &f.Exclusive), &f.Inclusive)
			cycle := ""
			if f.Exclusive.Cycle != nil {
				cycle = fmt.Sprint(f.Exclusive.Cycle.Samples)
			}
			if cells = append(cells, fmt.Sprint(f.Calls.Reported), cycle); !yield(cells) {
				return
			}
		}
	}
	return l
}

// numbers adds a share's cells; an interval that is not known is empty.
func (t *reportTable) numbers(cells []string, s *estimate.Share) []string {
	known := t.p.Technique != trace.UnknownTechnique && (!t.p.Sampled() || t.p.Period > 0 && s.Runs.Enough())
	add := func(has, known bool, e estimate.Time) {
		switch {
		case !has:
			cells = append(cells, "", "", "")
		case known:
			cells = append(cells, fmt.Sprint(int64(e.Value)), fmt.Sprint(int64(e.Low)), fmt.Sprint(int64(e.High)))
		default:
			cells = append(cells, fmt.Sprint(int64(e.Value)), "", "")
		}
	}
	add(t.p.Clock.HasWall(), known, s.Wall)
	add(t.p.Clock.HasCPU(), known && !s.NoCPU, s.CPU)
	if !t.p.Sampled() {
		return append(cells, "")
	}
	return append(cells, fmt.Sprint(s.Runs.Samples))
}
