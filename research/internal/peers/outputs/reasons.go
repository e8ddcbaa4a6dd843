package outputs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"artifice/research/internal/peers/seen"
	"artifice/trace"
)

// Reason is why a file of a format does not have the totals of its source. It describes the
// format's effect on the totals, so that a cell is either exact or a fault.
type Reason struct {
	Text    string
	Formats []string // formats with this property

	held   func(*Held)               // its effect on the events
	both   func(want, got *Totals)   // totals that are not compared
	refuse func(*Held) (said string) // part of convert's error; "" if the format is written
}

var (
	timelines = []string{"perfetto", "chrome", "speedscope", "ftrace", "atrace"}
	sums      = []string{"pprof", "otlp", "otlp-json", "folded"}
	samples   = []string{"firefox", "simpleperf-proto"}
	longRuns  = []string{"art-longrun-2025-02", "art-longrun-16"}
	classic   = []string{"art", "art-stream", "dalvik1", "dalvik2", "dalvik3"}
	ofEvents  = slices.Concat(classic, longRuns, []string{"art-v2-15", "art-v2-16", "art-v2-17", "chrome", "ftrace", "atrace"})
	ofDalvik  = []string{"dalvik1", "dalvik2"} // of one clock
)

// Reasons is the complete list of reasons; they are applied in this order.
var Reasons = []Reason{
	{Text: "a sample of CPU time lasts for its weight, even if the thread's next sample is slightly late", Formats: []string{"firefox"}, held: strictly},
	{Text: "requires wall time", Formats: longRuns,
		refuse: func(h *Held) string { return map[bool]string{false: "needs wall times"}[h.Wall] }},
	{Text: "supports at most 255 threads", Formats: []string{"dalvik1"},
		refuse: func(h *Held) string {
			return map[bool]string{true: "more threads than the format can number"}[len(h.Threads) > 255]
		}},
	{Text: "if no thread has a duration, each sample counts as 10 ms", Formats: []string{"folded", "speedscope"}, held: lasting},
	{Text: "the last stack of a dumped thread counts as 1 ns if it has no duration", Formats: []string{"simpleperf-proto"}, held: lastStacks},
	{Text: "times in whole microseconds", Formats: slices.Concat(classic, []string{"art-v2-15", "ftrace", "atrace"}), held: whole(time.Microsecond)},
	{Text: "times in even ticks of a counter of 24.576 MHz", Formats: []string{"art-longrun-2025-02"}, held: ticks},
	{Text: "exits have no method, so exits without an enter are of an unknown method", Formats: slices.Concat(longRuns, []string{"art-v2-17"}), held: unnamedExits},
	{Text: "no exits without an enter", Formats: slices.Concat(timelines, samples), held: withoutOrphans},
	{Text: "no signatures: overloads are one method", Formats: slices.Concat(timelines, sums, samples), held: unsigned},
	{Text: "functions of native code are read without their arguments", Formats: []string{"simpleperf-proto"}, held: withoutArguments},
	{Text: "method names of at most 127 characters", Formats: []string{"ftrace", "atrace"}, held: shortNames},
	{Text: "does not state that samples are of CPU time: a call ends when its thread stops running", Formats: ofEvents, held: endsInPauses},
	{Text: "one clock: CPU time for samples of CPU time, otherwise wall time", Formats: []string{"speedscope"}, held: weightsAlone},
	{Text: "timestamps of a thread differ by at least 1 ns", Formats: []string{"chrome"}, held: stampsApart},
	{Text: "only wall time; if the source has only CPU time, it is shown as wall time", Formats: []string{"speedscope", "ftrace", "atrace"}, held: wallAlone},
	{Text: "if the source has only CPU time, it is shown as wall time", Formats: []string{"perfetto", "chrome", "firefox"}, held: cpuAsWall},
	{Text: "one clock: CPU time if the source has no wall time, otherwise wall time", Formats: []string{"folded"}, held: oneTime},
	{Text: "if the source consists of samples of CPU time, wall times are derived from them", Formats: slices.Concat(ofEvents, []string{"speedscope", "firefox"}), held: derivedWall},
	{Text: "without CPU time, wall time is read as running time", Formats: []string{"simpleperf-proto"}, held: running},
	{Text: "no second clock: CPU time of a source with wall time is lost", Formats: slices.Concat(longRuns, ofDalvik), held: withoutCPU},
	{Text: "no wall time", Formats: []string{"simpleperf-proto"}, both: func(want, got *Totals) {
		want.withoutWall()
		got.withoutWall()
	}},
	{Text: "no thread names", Formats: []string{"art-longrun-16"}, held: unnamedThreads},
	{Text: "thread names truncated as by the kernel", Formats: []string{"ftrace", "atrace"}, held: kernelNames},
	{Text: "whole microseconds for each stack, summed over all threads", Formats: []string{"folded"}, held: roundedStacks,
		both: func(want, got *Totals) {
			for _, t := range []*Totals{want, got} {
				one := make(map[string]Total)
				for _, total := range t.Threads {
					add(one, "all", total)
				}
				t.Threads = one
			}
		}},
	{Text: "no separate calls", Formats: slices.Concat(sums, samples), both: func(want, got *Totals) {
		for _, t := range []*Totals{want, got} {
			t.each(func(t *Total) { t.Calls = 0 })
		}
	}},
}

// change changes the events of a copy.
func (h *Held) change(f func(*seen.Event)) {
	h.Events = slices.Clone(h.Events)
	for i := range h.Events {
		f(&h.Events[i])
	}
}

// lasting extends each stack to 10 ms if no time passes in any thread.
func lasting(h *Held) {
	first := make(map[int]seen.Event)
	for _, e := range h.Events {
		if f, begun := first[e.Thread]; !begun {
			first[e.Thread] = e
		} else if e.Wall != f.Wall || e.CPU != f.CPU {
			return
		}
	}
	h.prolong(10*time.Millisecond, 0)
}

// lastStacks extends the stack that a thread of dumps had open at its last instant to 1 ns, if it
// began then.
func lastStacks(h *Held) {
	switch {
	case h.Dumps && h.CPU:
		h.prolong(0, 1)
	case h.Dumps:
		h.prolong(1, 0)
	}
}

// prolong extends the last stack of each thread by the given times, if it began at the thread's
// last instant.
func (h *Held) prolong(wall, cpu time.Duration) {
	came, last := make(map[int]int), make(map[int]int) // by thread: the indexes of the event that made the last stack, and of the last event
	for i, e := range h.Events {
		last[e.Thread] = i
		if e.Enter || !e.Closing && h.known {
			came[e.Thread] = i
		}
	}
	var events []seen.Event
	behind := make(map[int]bool)
	for i, e := range h.Events {
		in, entered := came[e.Thread]
		short := entered && in != last[e.Thread] && h.Events[in].Wall == h.Events[last[e.Thread]].Wall
		if behind[e.Thread] && short {
			continue // an exit; the one below it ends all
		}
		events = append(events, e)
		if i == in && short {
			behind[e.Thread] = true
			e.Enter, e.Wall, e.CPU = false, e.Wall+wall, e.CPU+cpu
			events = append(events, e)
		}
	}
	h.Events = events
}

// whole truncates times to whole units of the device's clock.
func whole(unit time.Duration) func(*Held) {
	return func(h *Held) {
		h.change(func(e *seen.Event) {
			e.Wall = (h.Start + e.Wall).Truncate(unit)
			e.CPU = e.CPU.Truncate(unit)
		})
	}
}

// ticks rounds a time up to a tick, and clears the lowest bit, which stores the kind of event.
// 24.576 MHz are 3072 ticks in 125 µs.
func ticks(h *Held) {
	const ticks, ns = 3072, 125_000
	h.change(func(e *seen.Event) {
		at := int64(h.Start + e.Wall)
		n := at/ns*ticks + (at%ns*ticks+ns-1)/ns
		n &^= 1
		e.Wall = time.Duration(n/ticks*ns + n%ticks*ns/ticks)
	})
}

// orphans calls f for each exit with no frame open.
func (h *Held) orphans(f func(i int)) {
	open := make(map[int]int)
	for i, e := range h.Events {
		switch {
		case e.Enter:
			open[e.Thread]++
		case open[e.Thread] > 0:
			open[e.Thread]--
		default:
			f(i)
		}
	}
}

func unnamedExits(h *Held) {
	h.Events = slices.Clone(h.Events)
	h.orphans(func(i int) { h.Events[i].Method = "unknown.method_0x0" })
}

// withoutOrphans drops such exits. A thread's time then begins at its first remaining event.
func withoutOrphans(h *Held) {
	alone := make(map[int]bool)
	h.orphans(func(i int) { alone[i] = true })
	var events []seen.Event
	for i, e := range h.Events {
		if !alone[i] {
			events = append(events, e)
		}
	}
	h.Events = events
}

func unsigned(h *Held) {
	h.change(func(e *seen.Event) { e.Method = plain(e.Method) })
}

// withoutArguments shortens C++ names such as a::b(int*).
func withoutArguments(h *Held) {
	h.change(func(e *seen.Event) {
		if name, arguments, found := strings.Cut(e.Method, "("); found && name != "" && strings.HasSuffix(arguments, ")") {
			e.Method = name
		}
	})
}

func shortNames(h *Held) {
	h.change(func(e *seen.Event) {
		if r := []rune(e.Method); len(r) > 127 {
			e.Method = string(r[:127])
		}
	})
}

func strictly(h *Held) {
	if h.strict != nil {
		h.Events = h.strict
	}
}

func endsInPauses(h *Held) {
	h.change(func(e *seen.Event) { e.Inherited = false })
}

func weightsAlone(h *Held) {
	if h.OfCPU {
		h.change(func(e *seen.Event) { e.Wall = e.CPU })
	}
}

func stampsApart(h *Held) {
	drawn := h.Time
	last := make(map[int]time.Duration)
	open := make(map[int][]string)
	var events []seen.Event
	put := func(e seen.Event) {
		at := drawn(e)
		if before, seen := last[e.Thread]; seen {
			at = max(at, before+1)
		}
		last[e.Thread] = at
		if h.Wall {
			e.Wall = at
		} else {
			e.CPU = at
		}
		events = append(events, e)
	}
	cpu := make(map[int]time.Duration)
	for _, e := range h.Events {
		cpu[e.Thread] = e.CPU
		if e.Enter {
			open[e.Thread] = append(open[e.Thread], e.Method)
		} else if n := len(open[e.Thread]); n > 0 {
			open[e.Thread] = open[e.Thread][:n-1]
		}
		put(e)
	}
	for thread, methods := range open {
		for _, m := range slices.Backward(methods) {
			put(seen.Event{Thread: thread, Method: m, CPU: cpu[thread]})
		}
	}
	h.Events = events
}

func withoutCPU(h *Held) {
	if h.Wall {
		h.change(func(e *seen.Event) { e.CPU = 0 })
	}
}

func cpuAsWall(h *Held) {
	if !h.Wall {
		h.change(func(e *seen.Event) { e.Wall, e.CPU = e.CPU, 0 })
	}
}

func wallAlone(h *Held) {
	cpuAsWall(h)
	h.change(func(e *seen.Event) { e.CPU = 0 })
}

// derivedWall counts the times of samples as wall time.
func derivedWall(h *Held) { h.derived = true }

func running(h *Held) {
	if !h.CPU {
		h.change(func(e *seen.Event) { e.CPU = e.Wall })
	}
}

func oneTime(h *Held) {
	if h.OfCPU || !h.Wall {
		h.change(func(e *seen.Event) { e.Wall = 0 })
	} else {
		h.change(func(e *seen.Event) { e.CPU = 0 })
	}
}

func unnamedThreads(h *Held) {
	h.Threads = make(map[int]string)
	for i, tid := range h.TIDs {
		h.Threads[i] = fmt.Sprintf("thread-%d", tid)
	}
}

func kernelNames(h *Held) {
	h.Threads = maps.Clone(h.Threads)
	for i, name := range h.Threads {
		if name == fmt.Sprintf("thread-%d", h.TIDs[i]) {
			continue // it has no name
		}
		h.Threads[i] = strings.TrimSpace(strings.ReplaceAll(trace.Thread{Name: name}.KernelName(), "-", "_"))
	}
}

// roundedStacks rounds the time of each stack, merged over threads.
func roundedStacks(h *Held) { h.merged, h.unit = true, time.Microsecond }
