package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"artifice/format/dmtrace"
	"artifice/research/internal/art11"
	"artifice/trace"
)

// artTrace is ART's file with the program's log.
type artTrace struct {
	rec     *trace.Recording        // without events
	events  []trace.Event           // in order of time
	log     map[uint32][]art11.Mark // by low16 of the tid
	began   time.Duration           // when the app resumed after the trace's start, by the monotonic clock
	elapsed time.Duration           // from then to the end of the trace
}

// startReads is the number of clock readings of ART 5 to 14 before the first event
// (GetClockOverheadNanoSeconds).
const startReads = 32000

func readART(ran *art11.Ran) (*artTrace, error) {
	file, err := dmtrace.New(bytes.NewReader(ran.File), "ART's file", dmtrace.ReadOptions{})
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rec := &file.Recording
	var all trace.Buffer
	if _, err := trace.Copy(&all, rec.Events); err != nil {
		return nil, err
	}
	slices.SortStableFunc(all.Events, func(a, b trace.Event) int { return cmp.Compare(a.Wall, b.Wall) })
	before := startReads * rec.Info.ClockOverhead
	t := &artTrace{rec: rec, events: all.Events, log: map[uint32][]art11.Mark{}, began: rec.Info.Start + before, elapsed: rec.Info.Elapsed - before}
	for tid, marks := range ran.Log {
		t.log[low16(tid)] = marks
		if marks[0].At < rec.Info.Start {
			return nil, errors.New("a thread of the program began before the trace")
		}
		t.began = min(t.began, marks[0].At) // the overhead is a mean; nothing begins before it is measured
	}
	t.elapsed = rec.Info.Start + rec.Info.Elapsed - t.began
	return t, nil
}

// low16 returns the part of a tid in a record of ART's file: its lower 16 bits.
func low16(tid uint32) uint32 { return tid & 0xffff }

// pauses returns the times between sleeps, since the app resumed.
func (t *artTrace) pauses(sleeps []art11.Sleep) (all []span) {
	for i := range sleeps[1:] {
		s := span{sleeps[i].To - t.began, sleeps[i+1].From - t.began}
		if s.from > 0 && s.to < t.elapsed {
			all = append(all, s)
		}
	}
	return all
}

// truth returns the log without the cuts, except within naps: a stop does not interrupt a sleep.
func (t *artTrace) truth(cuts []span) *trace.Recording {
	rec := t.convertedLog(func(marks []art11.Mark) appTime { return appTime{cuts: outside(cuts, t.naps(marks))} })
	for i := range rec.Symbols.Methods {
		if m := &rec.Symbols.Methods[i]; naps(m.Name) {
			m.Wait = trace.Sleep
		}
	}
	rec.Info.Elapsed = t.elapsed
	return rec
}

// awake returns the log without the cuts, with threads assumed never to sleep: the loss of such a
// thread is the slowdown.
func (t *artTrace) awake(cuts []span) *trace.Recording {
	rec := t.convertedLog(func([]art11.Mark) appTime { return appTime{cuts: cuts} })
	app := appTime{cuts: cuts}
	rec.Info.Elapsed = app.at(t.elapsed)
	return rec
}

// naps reports whether a method of the program sleeps.
func naps(method string) bool { return method == "nap" || method == "finish" }

// naps returns when a thread slept, by its marks, since the app resumed.
func (t *artTrace) naps(marks []art11.Mark) (all []span) {
	for i, m := range marks {
		if !m.Enter || !naps(art11.ProgramMethods[m.Method]) {
			continue
		}
		to := t.elapsed
		if i+1 < len(marks) {
			to = marks[i+1].At - t.began
		}
		all = append(all, span{m.At - t.began, to})
	}
	return all
}

// outside returns the parts of cuts outside of naps. Both are in time order.
func outside(cuts, naps []span) (left []span) {
	for _, c := range cuts {
		for len(naps) > 0 && naps[0].to <= c.from {
			naps = naps[1:]
		}
		for _, n := range naps {
			if n.from >= c.to {
				break
			}
			if n.from > c.from {
				left = append(left, span{c.from, n.from})
			}
			c.from = n.to
		}
		if c.from < c.to {
			left = append(left, c)
		}
	}
	return left
}

// convertedLog returns the log with each thread's times converted by the result of timeOf.
func (t *artTrace) convertedLog(timeOf func([]art11.Mark) appTime) *trace.Recording {
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Clock: trace.Wall}, Symbols: &trace.Symbols{}}
	for i, name := range art11.ProgramMethods {
		rec.Symbols.AddMethod(trace.Method{ID: uint64(i+1) << 2, Class: art11.ProgramClass, Name: name})
	}
	var events []trace.Event
	for _, th := range t.rec.Symbols.Threads { // in ART's order
		marks := t.log[low16(th.TID)]                                            // none for the runtime's own threads, which are sampled as well
		id, _ := rec.Symbols.AddThread(trace.Thread{TID: th.TID, Name: th.Name}) // a few
		app := timeOf(marks)
		for _, m := range marks {
			at := m.At - t.began
			if at > t.elapsed {
				break
			}
			e := trace.Event{Wall: app.at(at), Thread: id, Method: trace.MethodID(m.Method), Action: trace.Exit}
			if m.Enter {
				e.Action = trace.Enter
			}
			events = append(events, e)
		}
	}
	slices.SortStableFunc(events, func(a, b trace.Event) int { return cmp.Compare(a.Wall, b.Wall) })
	rec.Events = trace.NewSliceReader(events)
	return rec
}

// logged returns the part of ART's file about the methods and threads in the log. Time in their
// callees, such as Thread.sleep, is attributed to them. Its time begins with the log's.
func (t *artTrace) logged(technique trace.Technique) *trace.Recording {
	rec := &trace.Recording{Info: t.rec.Info, Symbols: &trace.Symbols{}}
	rec.Info.Technique, rec.Info.ClockOverhead, rec.Info.Elapsed = technique, 0, t.elapsed
	methods, threads := map[trace.MethodID]trace.MethodID{}, map[trace.ThreadID]trace.ThreadID{}
	for i := range t.rec.Symbols.Methods {
		m := t.rec.Symbols.Methods[i]
		if m.Class == art11.ProgramClass && slices.Contains(art11.ProgramMethods[:], m.Name) {
			m.Signature = ""
			if naps(m.Name) { // ART's file shows it by the name of the callee
				m.Wait = trace.Sleep
			}
			methods[trace.MethodID(i)] = rec.Symbols.AddMethod(m)
		}
	}
	for i, th := range t.rec.Symbols.Threads {
		if t.log[low16(th.TID)] != nil {
			threads[trace.ThreadID(i)], _ = rec.Symbols.AddThread(trace.Thread{TID: th.TID, Name: th.Name})
		}
	}
	var events []trace.Event
	for _, e := range t.events {
		method, ok := methods[e.Method]
		thread, known := threads[e.Thread]
		if ok && known {
			e.Method, e.Thread = method, thread
			e.Wall -= t.began - rec.Info.Start
			events = append(events, e)
		}
	}
	rec.Info.Events = int64(len(events))
	rec.Events = trace.NewSliceReader(events)
	return rec
}

func writeTruthFile(name string, rec *trace.Recording) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(writeTruth(f, rec), f.Close())
}

// writeSleeps writes the begin and end of the sampling thread's sleeps, in nanoseconds since the
// app resumed, one sleep per line. "artifice calibrate" has to estimate them without this file.
func writeSleeps(name string, sleeps []art11.Sleep, began time.Duration) error {
	var text strings.Builder
	for _, s := range sleeps {
		fmt.Fprintf(&text, "%d %d\n", s.From-began, s.To-began)
	}
	return os.WriteFile(name, []byte(text.String()), 0o666)
}

// readSleeps reads a file of writeSleeps.
func readSleeps(name string) (all []span, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var s span
		if _, err := fmt.Sscan(lines.Text(), &s.from, &s.to); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, len(all)+1, err)
		}
		all = append(all, s)
	}
	return all, lines.Err()
}
