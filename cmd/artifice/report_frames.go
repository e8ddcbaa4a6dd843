package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"artifice/cmd/internal/command"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report"
	"artifice/trace"
)

// frameList contains the late frames of a trace with a frame timeline, which states the times and
// deadlines of frames.
type frameList struct {
	rec    *trace.Recording
	style  report.NameStyle
	period time.Duration // frames that take longer are late; 0: frames that miss their deadlines
	total  int           // frames of processes with a main thread in the trace
	others int           // frames of other processes, which are not listed
	late   []trace.DisplayFrame
	frames []report.Frame // the listed part of late
}

// newFrameList returns the late frames of a recording, those with the greatest lateness first. It
// counts only frames of processes with a main thread in the trace.
func newFrameList(rec *trace.Recording, period time.Duration, style report.NameStyle) *frameList {
	l := &frameList{rec: rec, style: style, period: period}
	main := map[uint32]bool{}
	for i := range rec.Symbols.Threads {
		main[rec.Symbols.Threads[i].TID] = true
	}
	for _, f := range rec.DisplayFrames {
		switch {
		case !main[f.PID]:
			l.others++
			continue
		case l.lateBy(&f) > 0:
			l.late = append(l.late, f)
		}
		l.total++
	}
	slices.SortStableFunc(l.late, func(a, b trace.DisplayFrame) int { return cmp.Compare(l.lateBy(&b), l.lateBy(&a)) })
	return l
}

// lateBy returns the lateness of a frame: the time beyond its deadline or, without one, beyond the
// period.
func (l *frameList) lateBy(f *trace.DisplayFrame) time.Duration {
	if by, ok := f.Late(); ok && l.period == 0 {
		return by
	}
	return f.End - f.Begin - cmp.Or(l.period, trace.DisplayPeriod)
}

// read collects the calls of the main threads in the first frames of late (most of them; 0: all)
// from the recording's events.
func (l *frameList) read(most int) error {
	listed := l.late
	if most > 0 {
		listed = listed[:min(most, len(listed))]
	}
	frames := report.NewFrames(l.rec, listed)
	_, err := trace.Copy(frames, l.rec.Events)
	l.frames = frames.All()
	return err
}

// print prints the frames as text.
func (l *frameList) print(w io.Writer, name string) error {
	what := "missed their deadlines"
	if l.period > 0 {
		what = "longer than " + words.Duration(l.period)
	}
	head := fmt.Sprintf("%s: %s, %s (%.1f %%) %s", cli.Quote(name), words.Count(l.total, "display frame"), words.Integer(len(l.late)), float64(len(l.late))/float64(l.total)*100, what)
	return l.spans().print(w, head, l.notes(name))
}

// spans returns the frames as rows.
func (l *frameList) spans() *spanTable {
	t := &spanTable{symbols: l.rec.Symbols, style: l.style, hasCPU: l.rec.Info.Clock.HasCPU(), column: "late by"}
	for i := range l.frames {
		f := &l.frames[i]
		t.rows = append(t.rows, spanRow{begin: f.Begin, took: f.End - f.Begin, cell: words.Duration(l.lateBy(&f.DisplayFrame)), cpu: f.CPU, thread: f.Thread, parts: f.Parts})
	}
	return t
}

// notes returns the lines below the table.
func (l *frameList) notes(name string) (notes []string) {
	if more := len(l.late) - len(l.frames); more > 0 {
		notes = append(notes, fmt.Sprintf("%s more display frames: --top 0 lists all.", words.Integer(more)))
	}
	if l.others > 0 {
		notes = append(notes, fmt.Sprintf("Not listed: %s of other processes, which have no main thread in the trace.", words.Count(l.others, "frame")))
	}
	if l.rec.Info.OfCPU {
		notes = append(notes, "Methods are from samples of CPU time: in a frame without a method the main thread waited, or ran for less than a sampling period.")
	}
	if len(l.frames) > 0 {
		f := &l.frames[0]
		notes = append(notes, seeFirst(name, f.Begin, f.End))
	}
	return notes
}

// values returns the frames for CSV and JSON: times in ns. late_ns is the time beyond the deadline,
// or beyond the period of --late-frames. The times of methods are wall times; in a trace sampled by
// CPU time they are CPU times.
func (l *frameList) values() *cli.Table {
	t := &cli.Table{}
	addColumns(t, false, "thread")
	addColumns(t, true, "pid", "token", "begin_ns", "duration_ns", "deadline_ns", "late_ns", "cpu_ns")
	addColumns(t, false, "layer")
	addPartColumns(t, "time")
	namer := l.spans().namer()
	for i := range l.frames {
		f := &l.frames[i]
		cells := []string{
			l.rec.Symbols.Thread(f.Thread).Name, fmt.Sprint(f.PID), fmt.Sprint(f.Token), ns(f.Begin, true), ns(f.End-f.Begin, true),
			ns(f.Deadline, f.Expected), ns(l.lateBy(&f.DisplayFrame), true), ns(f.CPU, l.rec.Info.Clock.HasCPU()), f.Layer,
		}
		t.Add(append(cells, partValues(namer, f.Parts)...)...)
	}
	return t
}

// reportFrames prints the late frames of a source with a frame timeline.
func (f *reportFlags) reportFrames(std command.Stdio, src *command.Source, l *frameList, given bool) error {
	most := f.top
	if f.forPrograms() && !given {
		most = 0
	}
	readErr := command.ErrorOf(src.Name, l.read(most))
	if f.forPrograms() {
		return errors.Join(f.form.Print(std.Out, l.values()), readErr)
	}
	return errors.Join(l.print(std.Out, src.Name), readErr)
}
