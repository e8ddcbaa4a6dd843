package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"artifice/cmd/artifice/command"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/report"
	"artifice/trace"
)

// frameList is the late frames of a trace that tells when each was made, and when it should have been.
type frameList struct {
	rec    *trace.Recording
	style  report.NameStyle
	period time.Duration // frames that take longer are late; 0: those that are made after their deadlines
	total  int           // frames of processes whose main threads the trace has
	others int           // frames of others, which are left out
	late   []trace.DisplayFrame
	frames []report.Frame // of late, those that are listed
}

// newFrameList returns the late frames of a recording, the latest first. None are counted if
// the trace has no frame of a process whose main thread has events.
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

// lateBy returns by how much a frame is late; that is the part of it beyond the period where nobody told a
// deadline.
func (l *frameList) lateBy(f *trace.DisplayFrame) time.Duration {
	if by, ok := f.Late(); ok && l.period == 0 {
		return by
	}
	return f.End - f.Begin - cmp.Or(l.period, trace.DisplayPeriod)
}

// read finds what the main threads did in so many of the frames (0: in all), from the recording's events.
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

// print prints the frames for people.
func (l *frameList) print(w io.Writer, name string) error {
	what := "were made after their deadlines"
	if l.period > 0 {
		what = "took more than " + words.Digits(l.period)
	}
	head := fmt.Sprintf("%s: %s of the display; %d %s (%.1f %%)", cli.Quote(name), words.Count(l.total, "frame"), len(l.late), what, float64(len(l.late))/float64(l.total)*100)
	return l.spans().print(w, head, l.notes(name))
}

// spans returns the frames as rows.
func (l *frameList) spans() *spanTable {
	t := &spanTable{symbols: l.rec.Symbols, style: l.style, hasCPU: l.rec.Info.Clock.HasCPU(), column: "late by"}
	for i := range l.frames {
		f := &l.frames[i]
		t.rows = append(t.rows, spanRow{begin: f.Begin, took: f.End - f.Begin, cell: words.Digits(l.lateBy(&f.DisplayFrame)), cpu: f.CPU, thread: f.Thread, parts: f.Parts})
	}
	return t
}

// notes are what there is to say below the table.
func (l *frameList) notes(name string) (notes []string) {
	if more := len(l.late) - len(l.frames); more > 0 {
		notes = append(notes, fmt.Sprintf("%d more: --top 0 lists all.", more))
	}
	if l.others > 0 {
		notes = append(notes, fmt.Sprintf("%s of other processes are left out: the trace does not have their main threads.", words.Count(l.others, "frame")))
	}
	if l.rec.Info.OfCPU {
		notes = append(notes, "What the main thread ran is from samples of its CPU time. In a frame without one it waited, or ran for less than samples are apart.")
	}
	if len(l.frames) > 0 {
		f := &l.frames[0]
		notes = append(notes, seeFirst(name, f.Begin, f.End))
	}
	return notes
}

// values has the frames for programs: times in ns. late_ns is what lies behind the deadline, or beyond the period that
// was asked for. The times of methods are wall times; of a trace that was sampled by CPU time CPU times.
func (l *frameList) values() *cli.Table {
	t := &cli.Table{}
	addColumns(t, false, "thread")
	addColumns(t, true, "pid", "token", "begin_ns", "took_ns", "deadline_ns", "late_ns", "cpu_ns")
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

// reportFrames prints the late frames of a source that tells frames.
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
