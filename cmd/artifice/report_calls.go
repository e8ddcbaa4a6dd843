package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"artifice/cmd/artifice/command"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report"
	"artifice/trace"
	"artifice/trace/stats"
)

// defaultLate is the period of late frames unless one is given.
const defaultLate = trace.DisplayPeriod / (10 * time.Microsecond) * (10 * time.Microsecond)

// callsWith are the flags that lists of calls go with.
var callsWith = []string{"late-frames", "each", "top", "names", "json", "csv", "quiet", "limit", "input-format", "counter-hz", "mapping", "method-names", "sampled"}

// listsCalls reports whether single calls are asked for.
func (f *reportFlags) listsCalls(cmd *cobra.Command) bool {
	return cmd.Flags().Changed("late-frames") || f.each != ""
}

// reportCalls prints the calls of one method that took longest, or such frames of the display.
func (f *reportFlags) reportCalls(cmd *cobra.Command, std command.Stdio, name string) error {
	way := "--each"
	if cmd.Flags().Changed("late-frames") {
		way = "--late-frames"
	}
	style, err := f.style()
	if err := errors.Join(checkOnly(cmd, callsWith, way), err); err != nil {
		return err
	}
	switch {
	case f.each != "" && way == "--late-frames":
		return command.Usagef("--late-frames and --each cannot be used together: each doFrame lists the frames")
	}
	how, err := f.dumps.Flags()
	if err != nil {
		return err
	}
	how.Order = format.ByTime // it is read twice where methods are to be found by name
	src, err := command.Open(cmd.Context(), std, name, how)
	if err != nil {
		return err
	}
	defer src.Close()
	if !src.Info.Clock.HasWall() {
		return command.Usagef("%s: %s needs wall times, and the trace has the clock %s only", name, way, src.Info.Clock)
	}
	if way == "--late-frames" && len(src.DisplayFrames) > 0 {
		rec, err := src.FromStart()
		if err != nil {
			return command.ErrorOf(src.Name, err)
		}
		period := f.lateFrames
		if period == defaultLate {
			period = 0 // the trace tells the deadlines
		}
		if l := newFrameList(rec, period, style); l.total > 0 {
			return f.reportFrames(std, src, l, cmd.Flags().Changed("top"))
		}
	}
	list := &callList{what: "frame", of: "of the display", interval: f.sampled, info: &src.Info, style: style}
	list.Symbols, list.Frames, list.Over, list.Most = src.Symbols, true, f.lateFrames, f.top
	if f.forPrograms() && !cmd.Flags().Changed("top") {
		list.Most = 0
	}
	if f.each != "" {
		if err := list.only(src, f.each); err != nil {
			return err
		}
	}
	rec, err := src.FromStart()
	if err != nil {
		return command.ErrorOf(src.Name, err)
	}
	_, readErr := trace.Copy(list, rec.Events)
	readErr = command.ErrorOf(src.Name, readErr)
	if list.longest = list.Longest(); list.Calls == 0 {
		return errors.Join(list.none(src.Name), readErr)
	}
	if f.forPrograms() {
		return errors.Join(f.form.Print(std.Out, list.values()), readErr)
	}
	return errors.Join(list.print(std.Out, src.Name), readErr)
}

// callList is the calls of a trace that took longest.
type callList struct {
	report.CallCollector
	groups   stats.Groups
	interval time.Duration // of a sampled trace, where it is stated; else 0
	info     *trace.Info
	style    report.NameStyle
	what, of string // what the calls are: frames of the display, calls of a method
	longest  []report.Call
}

// only lets the list be of the method that a name stands for, of those that have events.
func (l *callList) only(src *command.Source, name string) error {
	rec, err := src.FromStart()
	if err != nil {
		return command.ErrorOf(src.Name, err)
	}
	seen := map[trace.MethodID]bool{}
	for e, err := range trace.All(rec.Events) {
		if err != nil {
			return command.ErrorOf(src.Name, err)
		}
		seen[e.Method] = true
	}
	ids := slices.Sorted(maps.Keys(seen))
	id := func(i int) trace.MethodID { return ids[i] }
	namer := report.NewNamer(src.Symbols, l.style, len(ids), id)
	l.Method, err = report.FindMethod(name, src.Symbols, namer, len(ids), id)
	if err != nil {
		return command.Usagef("--each: %s: %v", src.Name, err)
	}
	l.Frames, l.what, l.of, l.Over = false, "call", "of "+namer.Method(l.Method), -1
	return nil
}

// WriteEvents implements [trace.Writer].
func (l *callList) WriteEvents(events []trace.Event) error {
	if err := l.groups.WriteEvents(events); err != nil {
		return err
	}
	return l.CallCollector.WriteEvents(events)
}

// sampled reports whether the trace is.
func (l *callList) sampled() bool {
	technique, _ := l.groups.TechniqueOf(l.info)
	return l.interval > 0 || technique == trace.Sampled
}

// period returns the time that samples are apart, and the longest that two that follow each
// other are. It reports false where the trace is not sampled, or does not tell.
func (l *callList) period() (median, longest time.Duration, ok bool) {
	if !l.sampled() {
		return 0, 0, false
	}
	if p, ok := l.groups.Period(); ok {
		return p.Median, p.Limit, true
	}
	if l.interval > 0 {
		p := l.groups.PeriodAt(l.interval)
		return p, p + l.interval/2, true
	}
	return 0, 0, false
}

// none is the error of a trace that has no such call.
func (l *callList) none(name string) error {
	if l.what == "frame" {
		why := ""
		if l.sampled() {
			why = ": a sampler sees those that are longer than its interval; --callers doFrame shows whether it saw any"
		}
		return fmt.Errorf("%s has no call of android.view.Choreographer.doFrame from begin to end, which is what a frame of the display is%s", name, why)
	}
	open := ""
	if l.Open > 0 {
		open = fmt.Sprintf("; %s began and did not end", words.Count(l.Open, "call"))
	}
	return fmt.Errorf("%s has no call %s from begin to end%s", name, l.of, open)
}

// print prints the calls for people.
func (l *callList) print(w io.Writer, name string) error {
	head := fmt.Sprintf("%s: %s %s", cli.Quote(name), words.Count(l.Calls, l.what), l.of)
	if l.Over > 0 {
		head += fmt.Sprintf("; %d took more than %s (%.1f %%)", l.Longer, words.Digits(l.Over), float64(l.Longer)/float64(l.Calls)*100)
	}
	return l.spans().print(w, head, l.notes(name))
}

// spans returns the calls as rows.
func (l *callList) spans() *spanTable {
	t := &spanTable{symbols: l.Symbols, style: l.style, hasCPU: l.info.Clock.HasCPU()}
	_, period, bounded := l.period()
	if bounded {
		t.column = "between"
	}
	for i := range l.longest {
		c := &l.longest[i]
		row := spanRow{begin: c.Begin, took: c.Took, cpu: c.CPU, thread: c.Thread, parts: c.Parts}
		if bounded {
			low, high := c.Bounds(period)
			row.cell = words.Digits(low) + " – " + words.Digits(high)
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// notes are what there is to say below the table.
func (l *callList) notes(name string) (notes []string) {
	if more := l.Longer - len(l.longest); more > 0 {
		notes = append(notes, fmt.Sprintf("%d more: --top 0 lists all.", more))
	}
	if l.Open > 0 {
		notes = append(notes, fmt.Sprintf("%s began and did not end in the trace.", words.Count(l.Open, l.what)))
	}
	if median, _, ok := l.period(); ok {
		notes = append(notes, fmt.Sprintf("The trace is sampled every %s: a call began after the sample before the first that saw it, and ended before the first that did not, which says between what it took. Shorter ones can be missing, and two without a sample between them are one.", words.Digits(median)))
	}
	if len(l.longest) > 0 {
		c := &l.longest[0]
		notes = append(notes, seeFirst(name, c.Begin, c.Begin+c.Took))
	}
	return notes
}

// values has the calls for programs: times in ns, and of each the methods that its thread was in
// longest. over_ns is by how much a frame was late; low_ns and high_ns are the bounds of took_ns in a
// sampled trace.
func (l *callList) values() *cli.Table {
	t := &cli.Table{}
	addColumns(t, false, "thread")
	addColumns(t, true, "tid", "begin_ns", "took_ns", "took_low_ns", "took_high_ns", "cpu_ns", "over_ns")
	addPartColumns(t, "wall")
	_, period, bounded := l.period()
	namer := l.spans().namer()
	for i := range l.longest {
		c := &l.longest[i]
		thread := l.Symbols.Thread(c.Thread)
		low, high := c.Bounds(period)
		cells := []string{
			thread.Name, fmt.Sprint(thread.TID), ns(c.Begin, true), ns(c.Took, true), ns(low, bounded), ns(high, bounded),
			ns(c.CPU, l.info.Clock.HasCPU()), ns(c.Took-l.Over, l.Over > 0),
		}
		t.Add(append(cells, partValues(namer, c.Parts)...)...)
	}
	return t
}
