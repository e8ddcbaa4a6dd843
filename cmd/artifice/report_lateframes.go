package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report"
	"artifice/report/frames"
	"artifice/trace"
	"artifice/trace/stats"
)

// displayPeriod is the time between two frames of a display of 60 Hz.
const displayPeriod = time.Second / 60

// lateFramesWith are the flags that --late-frames goes with.
var lateFramesWith = []string{"late-frames", "top", "names", "json", "csv", "quiet", "limit", "input-format", "counter-hz", "mapping", "method-names"}

// reportLateFrames prints the frames of the display that took longest.
func (f *reportFlags) reportLateFrames(cmd *cobra.Command, std stdio, name string) error {
	style, err := f.style()
	if err := errors.Join(checkOnly(cmd, lateFramesWith, "--late-frames"), err); err != nil {
		return err
	}
	if f.lateFrames <= 0 {
		return usagef("--late-frames=%s: give the time between two frames of the display, such as --late-frames=8.33ms for 120 Hz", f.lateFrames)
	}
	src, err := f.dumps.open(cmd, std, name)
	if err != nil {
		return err
	}
	defer src.Close()
	if !src.Info.Clock.HasWall() {
		return usagef("%s: --late-frames needs wall times, and the trace has the clock %s only", name, src.Info.Clock)
	}
	list := &frameList{
		Collector: frames.Collector{Symbols: src.Symbols, Budget: f.lateFrames, Most: f.top},
		groups:    &stats.Groups{}, info: &src.Info, style: style,
	}
	if f.forPrograms() && !cmd.Flags().Changed("top") {
		list.Most = 0
	}
	_, readErr := trace.Copy(list, src.Events)
	readErr = of(src.name, readErr)
	if list.longest = list.Longest(); list.Frames == 0 {
		return errors.Join(fmt.Errorf("%s has no call of android.view.Choreographer.doFrame from begin to end, which is what a frame of the display is%s", src.name, list.why()), readErr)
	}
	if f.forPrograms() {
		return errors.Join(f.form.Print(std.out, list.values()), readErr)
	}
	return errors.Join(list.print(std.out, src.name), readErr)
}

// frameList is the frames of a trace that took longest.
type frameList struct {
	frames.Collector
	groups  *stats.Groups
	info    *trace.Info
	style   report.NameStyle
	longest []frames.Frame
}

// WriteEvents implements [trace.Writer].
func (l *frameList) WriteEvents(events []trace.Event) error {
	if err := l.groups.WriteEvents(events); err != nil {
		return err
	}
	return l.Collector.WriteEvents(events)
}

// sampled reports whether the trace is.
func (l *frameList) sampled() bool {
	technique, _ := l.groups.TechniqueOf(l.info)
	return technique == trace.Sampled
}

// why is what may have kept frames out of the trace.
func (l *frameList) why() string {
	if l.sampled() {
		return ": a sampler sees those that are longer than its interval; --callers doFrame shows whether it saw any"
	}
	return ""
}

// print prints the frames for people.
func (l *frameList) print(w io.Writer, name string) error {
	share := float64(l.Late) / float64(l.Frames) * 100
	head := fmt.Sprintf("%s: %s of the display; %d took more than %s (%.1f %%)", cli.Quote(name), words.Count(l.Frames, "frame"), l.Late, digits(l.Budget), share)
	fmt.Fprintln(w, cli.WrapTerminal(w, head))
	if l.Late > 0 {
		if err := l.table().WriteText(w); err != nil {
			return err
		}
	}
	for _, n := range l.notes(name) {
		if _, err := fmt.Fprintln(w, cli.WrapTerminal(w, n)); err != nil {
			return err
		}
	}
	return nil
}

// partsShown are the methods of a frame that are named.
const partsShown = 3

// table has the frames as text.
func (l *frameList) table() *cli.Table {
	t := &cli.Table{Columns: []string{"at", "took"}, Right: []bool{true, true}, Wraps: true}
	if l.info.Clock.HasCPU() {
		t.Columns, t.Right, t.Spare = append(t.Columns, "cpu"), append(t.Right, true), []string{"cpu"}
	}
	t.Columns = append(t.Columns, "most of it in")
	namer := l.namer()
	for i := range l.longest {
		f := &l.longest[i]
		cells := []string{digits(f.Begin), digits(f.Took)}
		if l.info.Clock.HasCPU() {
			cells = append(cells, digits(f.CPU))
		}
		var parts []string
		for _, p := range f.Parts[:min(len(f.Parts), partsShown)] {
			parts = append(parts, fmt.Sprintf("%s %s", cli.Quote(namer.Method(p.Method)), digits(p.Wall)))
		}
		t.Add(append(cells, strings.Join(parts, ", "))...)
	}
	return t
}

// namer names the methods of the frames.
func (l *frameList) namer() *report.Namer {
	var ids []trace.MethodID
	for i := range l.longest {
		for _, p := range l.longest[i].Parts {
			ids = append(ids, p.Method)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return report.NewNamer(l.Symbols, l.style, len(ids), func(i int) trace.MethodID { return ids[i] })
}

// notes are what there is to say below the table.
func (l *frameList) notes(name string) (notes []string) {
	if more := l.Late - len(l.longest); more > 0 {
		notes = append(notes, fmt.Sprintf("%d more: --top 0 lists all.", more))
	}
	if l.Open > 0 {
		notes = append(notes, fmt.Sprintf("%s began and did not end in the trace.", words.Count(l.Open, "frame")))
	}
	if p, ok := l.groups.Period(); ok && l.sampled() {
		notes = append(notes, fmt.Sprintf("The trace is sampled: begins and ends are known to %s, shorter frames are missing, and two that follow each other without a sample between them are one.", digits(p.Median)))
	}
	if len(l.longest) > 0 {
		f := &l.longest[0]
		notes = append(notes, fmt.Sprintf("To see the first one: artifice view %s --from %s --to %s", words.Shell(name), f.Begin.Truncate(time.Microsecond), (f.Begin+f.Took+time.Microsecond).Truncate(time.Microsecond)))
	}
	return notes
}

// values has the frames for programs: times in ns, and of each the methods that its thread was in
// longest.
func (l *frameList) values() *cli.Table {
	t := &cli.Table{Columns: []string{"thread", "tid", "begin_ns", "took_ns", "cpu_ns", "over_ns"}, Numbers: []bool{false, true, true, true, true, true}}
	for i := range partsShown {
		t.Columns = append(t.Columns, fmt.Sprintf("method_%d", i+1), fmt.Sprintf("wall_%d_ns", i+1))
		t.Numbers = append(t.Numbers, false, true)
	}
	namer := l.namer()
	for i := range l.longest {
		f := &l.longest[i]
		thread, cpu := l.Symbols.Thread(f.Thread), ""
		if l.info.Clock.HasCPU() {
			cpu = fmt.Sprint(int64(f.CPU))
		}
		cells := []string{thread.Name, fmt.Sprint(thread.TID), fmt.Sprint(int64(f.Begin)), fmt.Sprint(int64(f.Took)), cpu, fmt.Sprint(int64(f.Took - l.Budget))}
		for p := range partsShown {
			if p < len(f.Parts) {
				cells = append(cells, namer.Method(f.Parts[p].Method), fmt.Sprint(int64(f.Parts[p].Wall)))
			} else {
				cells = append(cells, "", "")
			}
		}
		t.Add(cells...)
	}
	return t
}
