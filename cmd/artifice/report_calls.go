package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report"
	"artifice/trace"
	"artifice/trace/stats"
)

// defaultLate is the default period of --late-frames.
const defaultLate = trace.DisplayPeriod / (10 * time.Microsecond) * (10 * time.Microsecond)

// callsWith are the flags that can be combined with --each and --late-frames.
var callsWith = []string{"late-frames", "each", "top", "names", "json", "csv", "quiet", "limit", "input-format", "counter-hz", "mapping", "method-names", "sampled"}

// listsCalls reports whether the flags select a list of single calls.
func (f *reportFlags) listsCalls(cmd *cobra.Command) bool {
	return cmd.Flags().Changed("late-frames") || f.each != ""
}

// reportCalls prints the longest calls of a method, or the longest frames of the display.
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
		return command.Usagef("--late-frames and --each cannot be used together: --each doFrame lists the frames")
	}
	f.dumps.Quantity = false // a sum has no calls
	how, err := f.dumps.Flags()
	if err != nil {
		return err
	}
	how.Order = format.ByTime // --each reads the input twice, to find the method by name
	src, err := command.Open(cmd.Context(), std, name, how)
	if err != nil {
		return err
	}
	defer src.Close()
	if !src.Info.Clock.HasWall() {
		return command.Usagef("%s: %s needs wall times, but the trace has only the clock %s", name, way, src.Info.Clock)
	}
	if way == "--late-frames" && len(src.DisplayFrames) > 0 {
		rec, err := src.FromStart()
		if err != nil {
			return command.ErrorOf(src.Name, err)
		}
		period := f.lateFrames
		if period == defaultLate {
			period = 0 // the trace has deadlines
		}
		if l := newFrameList(rec, period, style); l.total > 0 {
			return f.reportFrames(std, src, l, cmd.Flags().Changed("top"))
		}
	}
	list := &callList{what: "display frame", interval: f.sampled, info: &src.Info, style: style}
	list.Symbols, list.Frames, list.Over, list.MaxCalls = src.Symbols, true, f.lateFrames, f.top
	if f.forPrograms() && !cmd.Flags().Changed("top") {
		list.MaxCalls = 0
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

// callList collects and prints the longest calls of a trace.
type callList struct {
	report.CallCollector
	groups   stats.Groups
	interval time.Duration // the value of --sampled, or 0
	info     *trace.Info
	style    report.NameStyle
	what, of string // the noun and its attribute: "display frame", "call" "of A.draw"
	longest  []report.Call
}

// only restricts the list to calls of the named method. It considers only methods with events.
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

// sampled reports whether the trace is sampled.
func (l *callList) sampled() bool {
	technique, _ := l.groups.TechniqueOf(l.info)
	return l.interval > 0 || technique == trace.Sampled
}

// period returns the median and the maximum time between consecutive samples. ok is false if the
// trace is not sampled or its period is unknown.
func (l *callList) period() (median, longest time.Duration, ok bool) {
	if !l.sampled() {
		return 0, 0, false
	}
	if l.interval > 0 {
		p := l.groups.PeriodAt(l.interval)
		return p.Median, p.Longest, true
	}
	if p, ok := l.groups.Period(); ok {
		return p.Median, p.Longest, true
	}
	return 0, 0, false
}

// none returns the error for a trace without such a call.
func (l *callList) none(name string) error {
	if l.what == "display frame" {
		why := ""
		if l.sampled() {
			why = ": sampling records only calls that are longer than its interval; --callers doFrame shows whether there is any"
		}
		return fmt.Errorf("%s: no complete call of android.view.Choreographer.doFrame, which draws a display frame%s", name, why)
	}
	open := ""
	if l.Open > 0 {
		open = fmt.Sprintf("; %s did not end", words.Count(l.Open, "call"))
	}
	return fmt.Errorf("%s: no complete call %s%s", name, l.of, open)
}

// print prints the calls as text.
func (l *callList) print(w io.Writer, name string) error {
	head := strings.TrimSpace(fmt.Sprintf("%s: %s %s", cli.Quote(name), words.Count(l.Calls, l.what), l.of))
	if l.Over > 0 {
		head += fmt.Sprintf(", %s (%.1f %%) longer than %s", words.Integer(l.Longer), float64(l.Longer)/float64(l.Calls)*100, words.Duration(l.Over))
	}
	return l.spans().print(w, head, l.notes(name))
}

// spans returns the calls as rows.
func (l *callList) spans() *spanTable {
	t := &spanTable{symbols: l.Symbols, style: l.style, hasCPU: l.info.Clock.HasCPU()}
	_, period, bounded := l.period()
	if bounded {
		t.column = "bounds"
	}
	for i := range l.longest {
		c := &l.longest[i]
		row := spanRow{begin: c.Begin, took: c.Took, cpu: c.CPU, thread: c.Thread, parts: c.Parts}
		if bounded {
			low, high := c.Bounds(period)
			row.cell = words.Between(low, high)
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// notes returns the lines below the table.
func (l *callList) notes(name string) (notes []string) {
	if more := l.Longer - len(l.longest); more > 0 {
		notes = append(notes, fmt.Sprintf("%s more %s: --top 0 lists all.", words.Integer(more), plural(l.what, more)))
	}
	if l.Open > 0 {
		notes = append(notes, fmt.Sprintf("%s had not ended when the trace ended.", words.Count(l.Open, l.what)))
	}
	if median, _, ok := l.period(); ok {
		notes = append(notes, fmt.Sprintf("The trace is sampled (period %s): bounds are the shortest and the longest duration that the samples allow. Calls shorter than a period can be missing, and calls without a sample between them are merged.", words.Duration(median)))
	}
	if len(l.longest) > 0 {
		c := &l.longest[0]
		notes = append(notes, seeFirst(name, c.Begin, c.Begin+c.Took))
	}
	return notes
}

// values returns the calls for CSV and JSON: times in ns, and for each call the methods with the
// longest self times. late_ns is the time beyond the period of --late-frames; duration_low_ns and
// duration_high_ns are the bounds of duration_ns in a sampled trace.
func (l *callList) values() *cli.Table {
	t := &cli.Table{}
	addColumns(t, false, "thread")
	addColumns(t, true, "tid", "begin_ns", "duration_ns", "duration_low_ns", "duration_high_ns", "cpu_ns", "late_ns")
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
