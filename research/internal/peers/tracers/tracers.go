// Package tracers writes files in the formats of third-party tracers from traces with known events,
// so that tests can check the contents. It shares no code with the packages that read such files:
// the layouts are taken from the tools' own sources.
//
// It is for tests.
package tracers

import (
	"cmp"
	"slices"
	"time"

	"artifice/research/internal/peers/seen"
)

// Tracer is a writer of a tool's format.
type Tracer struct {
	Format string // format as which its files are recognized

	// Write returns the files of the tool, the one to open first, and the part of the trace that
	// they contain: fewer threads, coarser times, or the sampled stacks.
	Write func(*seen.Trace) ([]File, *seen.Trace)
}

// File is a file with the tool's name for it.
type File struct {
	Name  string
	Bytes []byte
}

// All lists the tracers.
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

// ofCalls lists the tracers that record each call.
var ofCalls = []Tracer{
	{"rhea", rhea}, {"nanoscope", nanoscope}, {"btrace", btrace}, {"matrix", matrixReport},
	{"matrix-buffer", matrixBuffer}, {"perfetto", traced},
}

// ofSamples lists the tracers that sample stacks.
var ofSamples = []Tracer{
	{"profilo", profilo}, {"btrace3", btrace3}, {"simpleperf", simpleperf}, {"perfetto-samples", linuxPerf},
	{"blockinfo", blockInfo},
	{"jvm-text", jvmText}, {"jvm-json", jvmJSON}, {"javacore", javacores}, {"tombstone", tombstones},
}

// call is a call of a method from begin to end.
type call struct {
	thread     int
	depth      int // 0 of the outermost
	method     string
	nth        int // index of the event that begins it
	begin, end time.Duration
}

// balanced returns the events of a trace in time order, with only the wall clock: without exits
// that have no open frame, and with an exit, at its thread's last event, for each frame open at the
// end.
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

// mainAlone returns the main thread's part of a trace, with these tracers' name for it.
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

// calls returns the calls of a balanced trace, ordered by end.
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

// changed returns a copy of a trace with changed events.
func changed(t *seen.Trace, change func(*seen.Event)) *seen.Trace {
	out := *t
	out.Events = slices.Clone(t.Events)
	for i := range out.Events {
		change(&out.Events[i])
	}
	return &out
}

// numbers numbers the methods of a trace from 1.
func numbers(t *seen.Trace) map[string]int {
	ids := make(map[string]int)
	for _, e := range t.Events {
		if ids[e.Method] == 0 {
			ids[e.Method] = len(ids) + 1
		}
	}
	return ids
}
