package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"artifice/stackdump"
	"artifice/trace"
	"artifice/trace/stats"
)

func newInfo(std stdio) *cobra.Command {
	var form listFlags
	var threads bool
	var dumps dumpFlags
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "Tell what kind of trace a file is",
		Long: `Read a trace and tell what it is: variant, clocks, span, threads, events, and
whether it was sampled or instrumented, with the evidence. Of a sampled trace the
period is estimated: trace files do not store it. Of stack dumps, a file or a
folder, it counts what they hold.`,
		Example: `  artifice info app.trace
  artifice info app.trace --threads
  artifice info app.trace --json | jq .period_ns`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := dumps.open(cmd, std, args[0])
			if err != nil {
				return err
			}
			defer src.Close()
			s := newSummary(src.Recording)
			s.dumps, s.renamed = src.dumps, src.file
			// Of a damaged file, what comes before the damage is told all the same.
			_, readErr := trace.Copy(s, src.Events)
			l := s.properties(args[0])
			if threads {
				l = s.threadList()
			}
			return errors.Join(form.print(std.out, l), readErr)
		},
	}
	cmd.Flags().BoolVar(&threads, "threads", false, "list the threads with their events and span")
	form.add(cmd)
	dumps.add(cmd)
	return cmd
}

// summary gathers what info tells of a trace, as a Writer of its events.
type summary struct {
	rec     *trace.Recording
	groups  stats.Groups
	renamed *trace.Recording // rec before names were mapped; else nil
	actions [4]int64         // a file has two bits for them, so that 3 can come
	threads []threadSummary
	used    []bool // by method
	dumps   *stackdump.Sequence
}

// threadSummary is what info tells of a thread.
type threadSummary struct {
	events      int64
	first, last trace.Event
}

func newSummary(rec *trace.Recording) *summary { return &summary{rec: rec} }

// WriteEvents implements trace.Writer.
func (s *summary) WriteEvents(p []trace.Event) error {
	s.threads = grow(s.threads, len(s.rec.Symbols.Threads))
	s.used = grow(s.used, len(s.rec.Symbols.Methods))
	for _, e := range p {
		t := &s.threads[e.Thread]
		if t.events == 0 {
			t.first = e
		}
		t.last = e
		t.events++
		s.used[e.Method] = true
		s.actions[e.Action]++
	}
	return s.groups.WriteEvents(p)
}

// grow returns s with at least n elements.
func grow[T any](s []T, n int) []T {
	if len(s) < n {
		s = append(s, make([]T, n-len(s))...)
	}
	return s
}

// span returns the time of the first and of the last event on the trace's main
// clock.
func (s *summary) span() (first, last time.Duration) {
	begun := false
	clock := s.rec.Info.Clock
	for _, t := range s.threads {
		if t.events == 0 {
			continue
		}
		if at := t.first.Time(clock); !begun || at < first {
			first = at
		}
		last = max(last, t.last.Time(clock))
		begun = true
	}
	return first, last
}

// counts returns how many threads have events and how many methods are used.
func (s *summary) counts() (threads, methods int) {
	for _, t := range s.threads {
		if t.events > 0 {
			threads++
		}
	}
	for _, used := range s.used {
		if used {
			methods++
		}
	}
	return threads, methods
}

// report is what info prints with --json.
type report struct {
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
	Evidence      string `json:"evidence"`
	PeriodNS      int64  `json:"period_ns,omitempty"`
	PeriodThread  string `json:"period_thread,omitempty"`

	Dumps *dumpReport `json:"dumps,omitempty"` // of stack dumps only
}

// dumpReport is what info counts in stack dumps.
type dumpReport struct {
	Dumps        int64 `json:"dumps"`
	Processes    int   `json:"processes"`
	Stacks       int64 `json:"stacks"` // threads, summed over the dumps
	Frames       int64 `json:"frames"`
	NativeFrames int64 `json:"native_frames"`
	KernelFrames int64 `json:"kernel_frames"`
}

func (s *summary) report(name string) report {
	info := &s.rec.Info
	first, last := s.span()
	activeThreads, usedMethods := s.counts()
	technique, evidence := s.groups.Technique()
	if info.Technique == trace.Truth {
		technique, evidence = trace.Truth, "the source says so"
	}
	r := report{
		File: name, Format: "text", Clock: info.Clock.String(), VM: info.VM, PID: info.PID, Overflow: info.Overflow,
		StartNS: int64(info.Start), ElapsedNS: int64(info.Elapsed), FirstNS: int64(first), LastNS: int64(last),
		OverheadNS: int64(info.ClockOverhead),
		Threads:    len(s.rec.Symbols.Threads), ActiveThreads: activeThreads,
		Methods: len(s.rec.Symbols.Methods), UsedMethods: usedMethods,
		Events: s.groups.Events, Enters: s.actions[trace.Enter], Exits: s.actions[trace.Exit],
		Unwinds: s.actions[trace.Unwind], Orphans: s.groups.Orphans,
		Technique: technique.String(), Evidence: evidence,
	}
	r.Open = r.Enters - (r.Exits + r.Unwinds - s.groups.Orphans - s.groups.Mismatches)
	switch {
	case s.dumps != nil:
		c := s.dumps.Counts()
		r.Format, r.Technique, r.Evidence = string(c.Format), trace.Sampled.String(), "stack dumps"
		r.Dumps = &dumpReport{c.Dumps, c.Processes, c.Threads, c.Frames, c.NativeFrames, c.KernelFrames}
	case s.renamed != nil && s.renamed.Source != nil:
		r.Format = s.renamed.Source.Format
	case s.rec.Source != nil:
		r.Format = s.rec.Source.Format
	case isWorkload(name):
		r.Format = "workload"
	}
	if p, ok := s.groups.Period(); ok && technique == trace.Sampled {
		r.PeriodNS, r.PeriodThread = int64(p.Median), s.rec.Symbols.Thread(p.Thread).String()
	}
	return r
}

// properties lists the report's fields for people.
func (s *summary) properties(name string) *listing {
	r := s.report(name)
	l := &listing{columns: []string{"property", "value"}, json: r}
	add := func(property, format string, args ...any) {
		l.rows = append(l.rows, []string{property, fmt.Sprintf(format, args...)})
	}
	add("file", "%s", name)
	add("format", "%s", r.Format)
	if d := r.Dumps; d != nil {
		add("dumps", "%d, processes %d, stacks %d, frames %d (native %d, kernel %d more)", d.Dumps, d.Processes, d.Stacks, d.Frames, d.NativeFrames, d.KernelFrames)
	}
	add("clock", "%s", r.Clock)
	add("vm", "%s, pid %d", orUnknown(r.VM), r.PID)
	add("span", "%s to %s, elapsed %s", time.Duration(r.FirstNS), time.Duration(r.LastNS), time.Duration(r.ElapsedNS))
	add("clock overhead", "%s", time.Duration(r.OverheadNS))
	add("overflow", "%t", r.Overflow)
	add("threads", "%d, with events %d", r.Threads, r.ActiveThreads)
	add("methods", "%d, used %d", r.Methods, r.UsedMethods)
	add("events", "%d: %d enters, %d exits, %d unwinds", r.Events, r.Enters, r.Exits, r.Unwinds)
	add("frames", "%d open at the end, %d exits without entry", r.Open, r.Orphans)
	add("technique", "%s", r.Technique)
	add("evidence", "%s", r.Evidence)
	if r.PeriodNS != 0 {
		add("period", "%s (estimate, from thread %s)", time.Duration(r.PeriodNS), r.PeriodThread)
	}
	return l
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// threadList lists the threads.
func (s *summary) threadList() *listing {
	l := &listing{
		columns: []string{"tid", "name", "events", "first", "last", "cpu"},
		right:   []bool{true, false, true, true, true, true},
	}
	clock := s.rec.Info.Clock
	s.threads = grow(s.threads, len(s.rec.Symbols.Threads))
	for i, t := range s.threads {
		th := s.rec.Symbols.Threads[i]
		cells := []string{"-", "-", "-"}
		if t.events > 0 {
			cells[0], cells[1] = t.first.Time(clock).String(), t.last.Time(clock).String()
			if clock.HasCPU() {
				cells[2] = (t.last.CPU - t.first.CPU).String()
			}
		}
		l.rows = append(l.rows, append([]string{fmt.Sprint(th.TID), th.Name, fmt.Sprint(t.events)}, cells...))
	}
	return l
}
