package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"
	"github.com/spf13/cobra"

	"artifice/cmd/internal/command"
	"artifice/format"
	"artifice/format/dmtrace"
	"artifice/format/pprof"
	"artifice/internal/cli"
	"artifice/internal/words"
	"artifice/trace"
	"artifice/trace/stats"
)

// infoGroups are the groups of flags in the help of info.
var infoGroups = append([]command.FlagGroup{{Title: "Output", Flags: []string{"threads", "json", "csv"}}}, command.ReadGroups()...)

// infoCommand is artifice info.
var infoCommand = command.Command{Name: "info", Add: newInfo, Groups: infoGroups}

func newInfo(std command.Stdio) *cobra.Command {
	var form cli.Form
	var threads bool
	dumps := command.ReadFlags{Nesting: true, InPlace: true, Quantity: true}
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "Identify a file: format, clocks, sampling period, threads",
		Long: `Identify a file: its format and version, clocks, time range, threads and events, and whether
it was sampled or instrumented, with the evidence. Trace files do not store the
sampling interval, so info estimates the period. For stack dumps (a file or a folder), info counts
processes, dumps, threads and frames.

  $ artifice info s.trace
  property   value
  file       s.trace
  format     art
  ...
  Where time is spent: artifice report s.trace. In a browser: artifice view s.trace.`,
		Example: `  artifice info app.trace
  artifice info app.trace --threads
  artifice info app.trace --json | jq .period_ns`,
		Args: command.OneInput("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := dumps.Open(cmd, std, args[0])
			if err != nil {
				return err
			}
			defer src.Close()
			s := stats.NewSummary(src.Recording)
			if n := src.In.Nesting(); n != nil {
				s.Groups.FollowedBy(n) // the same events, apart from names
			}
			// info describes the undamaged beginning of a damaged file, too.
			_, readErr := trace.Copy(s, src.Events)
			i := newFileInfo(src, s)
			l := properties(i)
			if threads {
				l = threadList(src.Recording, s, form.JSON || form.CSV)
			}
			err = errors.Join(form.Print(std.Out, l), readErr)
			if err == nil && !form.JSON && !form.CSV {
				_, err = fmt.Fprintln(std.Out, cli.WrapTerminal(std.Out, cli.Quote(i.next())))
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&threads, "threads", false, "list threads with their events and time range")
	form.AddFlags(cmd.Flags())
	dumps.Add(cmd)
	return cmd
}

// fileInfo is the JSON object that info prints.
type fileInfo struct {
	File          string `json:"file"`
	Format        string `json:"format"`
	Clock         string `json:"clock"`
	VM            string `json:"vm,omitempty"`
	PID           int    `json:"pid,omitempty"`
	Overflow      bool   `json:"overflow"`
	StartNS       int64  `json:"start_ns"`
	ElapsedNS     int64  `json:"elapsed_ns"`
	FirstNS       int64  `json:"first_event_ns"`
	LastNS        int64  `json:"last_event_ns"`
	SpanNS        int64  `json:"span_ns"` // from the first event to the stop
	OverheadNS    int64  `json:"clock_overhead_ns"`
	Threads       int    `json:"threads"`
	ActiveThreads int    `json:"threads_with_events"`
	Methods       int    `json:"methods"`
	UsedMethods   int    `json:"methods_used"`
	Events        int64  `json:"events"`
	Enters        int64  `json:"enters"`
	Exits         int64  `json:"exits"`
	Unwinds       int64  `json:"unwinds"`
	Orphans       int64  `json:"exits_without_entry"`
	Open          int64  `json:"open_at_end"`
	Technique     string `json:"technique"`
	Marked        bool   `json:"marked_sections,omitempty"` // sections of code instead of calls
	Evidence      string `json:"evidence"`
	PeriodNS      int64  `json:"period_ns,omitempty"`
	PeriodThread  string `json:"period_thread,omitempty"`

	Dumps  *dumpReport  `json:"dumps,omitempty"`  // of stack dumps only
	Values *valueReport `json:"values,omitempty"` // of profiles of pprof and OpenTelemetry only
}

// valueReport is the part of [fileInfo] about the values of a profile.
type valueReport struct {
	Quantity string   `json:"quantity,omitempty"` // of the value that is read, if it is not a time of threads
	Unit     string   `json:"unit,omitempty"`     // of the quantity
	Total    int64    `json:"total,omitempty"`    // of the quantity
	All      []string `json:"all"`                // values of the profile, with their units
	Labels   []string `json:"labels,omitempty"`   // keys of the labels of samples
}

// setValues describes the values of a profile. If the profile is of another quantity than time, r
// has no times.
func (r *fileInfo) setValues(src *command.Source, s *stats.Summary) {
	p, q := src.In.Profile, src.Info.Quantity
	if p == nil && !q.IsSet() {
		return
	}
	r.Values = &valueReport{Quantity: q.Name, Unit: q.Unit}
	if p == nil {
		p = &profile.Profile{SampleType: []*profile.ValueType{{Type: q.Name, Unit: q.Unit}}}
	}
	for _, t := range p.SampleType {
		r.Values.All = append(r.Values.All, t.Type+"/"+t.Unit)
	}
	r.Values.Labels = pprof.LabelKeys(p)
	if q.IsSet() {
		for _, t := range s.Threads() {
			r.Values.Total += int64(t.Last.Wall - t.First.Wall)
		}
		r.ElapsedNS, r.FirstNS, r.LastNS, r.SpanNS, r.PeriodNS = 0, 0, 0, 0, 0
	}
}

// dumpReport is the part of [fileInfo] about stack dumps.
type dumpReport struct {
	Dumps        int64 `json:"dumps"`
	Processes    int   `json:"processes"`
	Stacks       int64 `json:"stacks"` // of all threads, in all dumps
	Frames       int64 `json:"frames"`
	NativeFrames int64 `json:"native_frames"`
	KernelFrames int64 `json:"kernel_frames"`

	CountNS int64 `json:"count_ns,omitempty"` // of folded stacks: the time that a count represents
	Stated  bool  `json:"count_stated,omitempty"`
}

// newFileInfo returns the description of a source after s has read its events.
func newFileInfo(src *command.Source, s *stats.Summary) fileInfo {
	info := &src.Info
	first, last := s.Span()
	activeThreads, usedMethods := s.Used()
	technique, evidence := s.Technique()
	r := fileInfo{
		File: src.Name, Format: src.In.Format.Name, Clock: info.Clocks().String(), VM: info.VM, PID: info.PID, Overflow: info.Overflow,
		StartNS: int64(info.Start), ElapsedNS: int64(info.Elapsed), FirstNS: int64(first), LastNS: int64(last), SpanNS: int64(s.Length()),
		OverheadNS: int64(info.ClockOverhead),
		Threads:    len(src.Symbols.Threads), ActiveThreads: activeThreads,
		Methods: len(src.Symbols.Methods), UsedMethods: usedMethods,
		Events: s.Groups.Events, Enters: s.Actions[trace.Enter], Exits: s.Actions[trace.Exit],
		Unwinds: s.Actions[trace.Unwind], Orphans: s.Groups.Nesting().Orphans, Open: s.Open(),
		Technique: technique.String(), Marked: info.Marked && technique == trace.Instrumented, Evidence: evidence,
	}
	switch {
	case src.Dumps != nil:
		c := src.Dumps.Counts()
		r.Technique, r.Evidence = trace.Sampled.String(), "stack dumps"
		switch {
		case info.OfCPU:
			r.Evidence = "samples of CPU time"
		case info.Quantity.IsSet():
			r.Technique, r.Evidence = technique.String(), evidence
		}
		if r.Format != "pprof" {
			r.Format = c.Format.Name
		}
		r.Dumps = &dumpReport{Dumps: c.Dumps, Processes: c.Processes, Stacks: c.Threads, Frames: c.Frames, NativeFrames: c.NativeFrames, KernelFrames: c.KernelFrames}
		if r.Format == "folded" && !info.Quantity.IsSet() {
			r.Dumps.CountNS, r.Dumps.Stated = int64(info.Interval), info.Technique == trace.UnknownTechnique
		}
	case src.File != nil && src.File.Source != nil:
		r.Format = src.File.Source.Format
	case src.Source != nil:
		r.Format = src.Source.Format
	case format.IsWorkload(src.Name):
		r.Format = "workload"
	case r.Format == dmtrace.Format.Name:
		r.Format = "text"
	}
	if info.OfCPU && info.Interval > 0 && info.Technique != trace.UnknownTechnique {
		r.PeriodNS = int64(info.Interval)
	} else if p, ok := s.Groups.Period(); ok && technique == trace.Sampled && (src.Dumps == nil || !src.Dumps.Counts().Format.Sums) {
		r.PeriodNS, r.PeriodThread = int64(p.Median), src.Symbols.Thread(p.Thread).String()
	}
	r.setValues(src, s)
	return r
}

// properties returns the fields of r as a table of text: what the recording is, then its size,
// then details.
func properties(r fileInfo) *cli.Table {
	l := &cli.Table{Columns: []string{"property", "value"}, JSON: r}
	add := func(property, format string, args ...any) {
		l.Add(property, fmt.Sprintf(format, args...))
	}
	ns := func(n int64) string { return words.Duration(time.Duration(n)) }
	add("file", "%s", r.File)
	add("format", "%s", r.Format)
	add("technique", "%s", r.Technique)
	add("evidence", "%s", r.Evidence)
	switch {
	case r.PeriodNS == 0:
	case r.PeriodThread == "":
		add("period", "%s of CPU time (stated)", ns(r.PeriodNS))
	default:
		add("period", "%s (estimate, from thread %s)", ns(r.PeriodNS), r.PeriodThread)
	}
	if v := r.Values; v != nil {
		if v.Quantity != "" {
			add("total", "%s %s", v.Quantity, words.Amount(v.Total, v.Unit))
		}
		add("values", "%s", strings.Join(v.All, ", "))
		if len(v.Labels) > 0 {
			add("labels", "%s", strings.Join(v.Labels, ", "))
		}
	}
	if r.Values == nil || r.Values.Quantity == "" {
		stop := "" // not stated by many formats
		if r.ElapsedNS > 0 || r.LastNS == 0 {
			stop = ", stop at " + ns(r.ElapsedNS)
		}
		add("span", "%s (events from %s to %s%s)", ns(r.SpanNS), ns(r.FirstNS), ns(r.LastNS), stop)
	}
	add("threads", "%s, %s with events", words.Integer(r.Threads), words.Integer(r.ActiveThreads))
	add("methods", "%s, %s used", words.Integer(r.Methods), words.Integer(r.UsedMethods))
	add("events", "%s: %s, %s, %s", words.Integer(r.Events), words.Count(r.Enters, "enter"), words.Count(r.Exits, "exit"), words.Count(r.Unwinds, "unwind"))
	add("frames", "%s open at the end (calls that have not returned); %s without entry", words.Integer(r.Open), words.Count(r.Orphans, "exit"))
	if d := r.Dumps; d != nil {
		add("dumps", "%s: %s, %s, %s (and %s native, %s kernel)", words.Integer(d.Dumps), processes(d.Processes), words.Count(d.Stacks, "stack"),
			words.Count(d.Frames, "frame"), words.Integer(d.NativeFrames), words.Integer(d.KernelFrames))
	}
	if d := r.Dumps; d != nil && d.Stated && d.CountNS > 0 {
		add("count", "%s (stated in the file)", ns(d.CountNS))
	} else if d != nil && d.CountNS > 0 {
		add("count", "each count is read as a sample of %s, because the file does not state a unit", ns(d.CountNS))
	}
	if r.Values == nil || r.Values.Quantity == "" {
		add("clock", "%s", clockText(r))
	}
	if r.Overflow {
		add("overflow", "the buffer overflowed: later events are missing")
	}
	pid := ""
	if r.PID != 0 { // 0: not stated
		pid = fmt.Sprintf(", pid %d", r.PID)
	}
	add("vm", "%s%s", orUnknown(r.VM), pid)
	return l
}

// clockText describes the clocks of a trace, and the cost of reading them if the file states it.
func clockText(r fileInfo) string {
	text := r.Clock
	switch text {
	case trace.Dual.String():
		text += " (wall and CPU time)"
	case trace.ThreadCPU.String():
		text += " (CPU time only)"
	}
	if r.OverheadNS != 0 {
		text += fmt.Sprintf("; reading the clock takes %s (stated in the file)", words.Duration(time.Duration(r.OverheadNS)))
	}
	return text
}

// processes returns a number of processes in words.
func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return words.Integer(n) + " processes"
}

// next returns the commands that show more of the file.
func (i *fileInfo) next() string {
	name := words.Shell(i.File)
	text := fmt.Sprintf("Where time is spent: artifice report %s. In a browser: artifice view %s.", name, name)
	if i.Technique == trace.Instrumented.String() && !i.Marked {
		text += fmt.Sprintf(" Accuracy of sampling it: artifice bench %s.", name)
	}
	return text
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// threadList returns a row for each thread. For programs, times are in ns and empty if unknown; for
// people, they are words and "-".
func threadList(rec *trace.Recording, s *stats.Summary, forPrograms bool) *cli.Table {
	l := &cli.Table{
		Columns: []string{"tid", "name", "events", "first", "last", "CPU"},
		Right:   []bool{true, false, true, true, true, true},
		Spare:   []string{"first", "CPU", "last"},
	}
	clock, scheduled := rec.Info.Clock, slices.ContainsFunc(rec.Symbols.Threads, func(t trace.Thread) bool { return t.States != trace.ThreadStates{} })
	if scheduled {
		l.Columns = append(l.Columns, "running", "runnable", "sleeping", "uninterruptible", "I/O")
		l.Right = append(l.Right, true, true, true, true, true)
	}
	duration, count, unknown := words.Duration, words.Integer[int64], "-"
	if forPrograms {
		duration, unknown = func(d time.Duration) string { return ns(d, true) }, ""
		count = func(n int64) string { return fmt.Sprint(n) }
		l.Columns = []string{"tid", "name", "events", "first_ns", "last_ns", "cpu_ns"}
		if scheduled {
			l.Columns = append(l.Columns, "running_ns", "runnable_ns", "sleeping_ns", "uninterruptible_ns", "io_ns")
		}
		l.Numbers = slices.Repeat([]bool{true}, len(l.Columns))
		l.Numbers[1] = false
	}
	for i, t := range s.Threads() {
		th := rec.Symbols.Threads[i]
		cells := []string{unknown, unknown, unknown}
		if t.Events > 0 {
			cells[0], cells[1] = duration(t.First.Time(clock)), duration(t.Last.Time(clock))
			if clock.HasCPU() {
				cells[2] = duration(t.Last.CPU - t.First.CPU)
			}
		}
		if scheduled {
			for _, d := range []time.Duration{th.States.OnCore, th.States.Runnable, th.States.Sleeping, th.States.Uninterruptible, th.States.Device} {
				cells = append(cells, duration(d))
			}
		}
		l.Rows = append(l.Rows, append([]string{fmt.Sprint(th.TID), th.Name, count(t.Events)}, cells...))
	}
	return l
}
