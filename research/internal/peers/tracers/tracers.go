// Package tracers writes files as other people's tracers write them, of traces whose events
// are known, so that tests can tell what is in them. It shares no code with the packages that
// read such files: the layouts are those of the tools' own sources.
//
// It is for tests.
package tracers

import (
	"cmp"
	"slices"
	"time"

	"artifice/research/internal/peers/seen"
)

// Tracer is a way to write a trace.
type Tracer struct {
	Format string // that its files are taken for

	// Write returns the files that the tool leaves, the one to open first, and what these
	// hold of the trace: fewer threads, coarser times, or the stacks that were sampled.
	Write func(*seen.Trace) ([]File, *seen.Trace)
}

// File is a file with the name that the tool gives it.
type File struct {
	Name  string
	Bytes []byte
}

// All are the tracers.
var All = slices.Concat(ofCalls, ofSamples)

// ByFormat returns the tracer of a format, or nil.
func ByFormat(format string) *Tracer {
	for i := range All {
		if All[i].Format == format {
			return &All[i]
		}
	}
	return nil
}

// ofCalls are told of each call.
var ofCalls = []Tracer{
	{"rhea", rhea}, {"nanoscope", nanoscope}, {"btrace", btrace}, {"matrix", matrixReport},
	{"matrix-buffer", matrixBuffer}, {"perfetto", traced},
}

// ofSamples see stacks now and then.
var ofSamples = []Tracer{
	{"profilo", profilo}, {"btrace3", btrace3}, {"simpleperf", simpleperf}, {"perfetto-samples", linuxPerf},
	{"blockinfo", blockInfo},
	{"jvm-text", jvmText}, {"jvm-json", jvmJSON},
}

// call is a call of a method from begin to end.
type call struct {
	thread     int
	depth      int // 0 of the outermost
	method     string
	nth        int // event that begins it
	begin, end time.Duration
}

// balanced returns the events of a trace in the order of time, on the wall clock alone: without
// exits where no frame is open, and with an exit, at its thread's last event, of each frame
// that is open at the end.
func balanced(t *seen.Trace) *seen.Trace {
	out := &seen.Trace{Wall: true, Threads: t.Threads}
	open, last := make(map[int][]string), make(map[int]time.Duration)
	for _, e := range t.Events {
		e.CPU = 0
		last[e.Thread] = max(last[e.Thread], e.Wall)
		e.Wall = last[e.Thread]
		stack := open[e.Thread]
		switch {
		case e.Enter:
			open[e.Thread] = append(stack, e.Method)
		case len(stack) == 0:
			continue
		default:
			e.Method, open[e.Thread] = stack[len(stack)-1], stack[:len(stack)-1]
		}
		out.Events = append(out.Events, e)
	}
	for thread, stack := range open {
		for _, m := range slices.Backward(stack) {
			out.Events = append(out.Events, seen.Event{Thread: thread, Method: m, Wall: last[thread]})
		}
	}
	slices.SortStableFunc(out.Events, func(a, b seen.Event) int { return cmp.Compare(a.Wall, b.Wall) })
	return out
}

// mainAlone returns what a trace has of its main thread, which these tracers call so.
func mainAlone(t *seen.Trace) *seen.Trace {
	out := &seen.Trace{Wall: t.Wall, CPU: t.CPU, Threads: map[int]string{1: "main"}}
	for _, e := range t.Events {
		if t.Threads[e.Thread] == "main" {
			e.Thread = 1
			out.Events = append(out.Events, e)
		}
	}
	return out
}

// calls returns the calls of a balanced trace in the order of their ends.
func calls(t *seen.Trace) []call {
	var ended []call
	open := make(map[int][]call)
	for i, e := range t.Events {
		stack := open[e.Thread]
		if e.Enter {
			open[e.Thread] = append(stack, call{e.Thread, len(stack), e.Method, i, e.Wall, e.Wall})
			continue
		}
		c := stack[len(stack)-1]
		open[e.Thread] = stack[:len(stack)-1]
		c.end = e.Wall
		ended = append(ended, c)
	}
	return ended
}

// changed changes the events of a copy of a trace.
func changed(t *seen.Trace, change func(*seen.Event)) *seen.Trace {
	out := *t
	out.Events = slices.Clone(t.Events)
	for i := range out.Events {
		change(&out.Events[i])
	}
	return &out
}

// numbers gives each method of a trace a number from 1 on.
func numbers(t *seen.Trace) map[string]int {
	ids := make(map[string]int)
	for _, e := range t.Events {
		if ids[e.Method] == 0 {
			ids[e.Method] = len(ids) + 1
		}
	}
	return ids
}
