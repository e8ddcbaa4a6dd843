package outputs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"artifice/research/internal/peers/dmtracedump"
	"artifice/research/internal/peers/seen"
	"artifice/research/internal/peers/traceprocessor"
)

// MethodTraces returns the method trace that every reader accepts, and those of newer runtimes that
// have another reader. The V2 of ART 15 and 16 has none: trace_processor accepts only the V2 of
// 2026.
func MethodTraces(t testing.TB) []Format {
	t.Helper()
	dmtracedump.Require(t)
	perfetto := traceprocessor.Install(t)
	streamed := Reader{Name: "trace_processor", Shows: slicesShown, Compare: perfettoSlices(perfetto, unended, exact),
		Note: "a call that is open at the end has no length there"}
	wall := streamed
	wall.Refuses = noWall
	unnamed := []string{"sampled-art-file"} // has undefined methods: the reader has no name for them
	return []Format{
		{Name: "art", Ending: ".trace", Args: []string{"--portable"}, Not: []string{"odd-cpu-back"}, Readers: []Reader{
			{Name: "trace_processor", Shows: slicesShown, Compare: perfettoSlices(perfetto, enclosed, exact)},
			{Name: "dmtracedump", Shows: []string{"calls", "durations", "totals"}, Compare: dmtracedumpRows},
		}},
		{Name: "art-stream", Ending: ".stream.trace", Not: unnamed, Readers: []Reader{wall}},
		{Name: "art-v2-17", Ending: ".v2.trace", Not: unnamed, Readers: []Reader{streamed}},
	}
}

// noWall returns the reason why trace_processor cannot open a stream made from an input.
func noWall(in Input) string {
	if !in.Trace.Wall {
		return "it takes no trace of CPU time alone"
	}
	return ""
}

// unended returns the calls of an input. Calls open at the end have -1 ns, trace_processor's value
// for a slice without an end.
func unended(in Input) seen.Calls {
	calls := calls(in)
	open, last := make(map[int][]seen.Event), make(map[int]time.Duration)
	for _, e := range in.Trace.Events {
		e.Wall = max(in.Trace.Time(e), last[e.Thread])
		last[e.Thread] = e.Wall
		if frames := open[e.Thread]; e.Enter {
			open[e.Thread] = append(frames, e)
		} else if len(frames) > 0 {
			open[e.Thread] = frames[:len(frames)-1]
		}
	}
	for thread, frames := range open {
		for depth, e := range frames {
			calls.Add(seen.Call{Thread: thread, Depth: depth, Method: e.Method}, 0, -1-(last[thread]-e.Wall))
		}
	}
	return calls
}

// enclosed returns the calls of an input, including those with only an exit.
func enclosed(in Input) seen.Calls {
	calls, _ := in.Trace.Enclosed().Count(in.Trace.Time)
	return calls
}

// dmtracedumpRows compares calls and times of methods: the exclusive time of each, by the first
// clock of a record, and the total of all threads from their first events to their last.
func dmtracedumpRows(in Input, file string) (map[string]string, error) {
	report, _, err := dmtracedump.Run(file)
	if err != nil {
		return nil, err
	}
	first := func(e seen.Event) time.Duration { return e.CPU }
	if !in.Trace.CPU {
		first = func(e seen.Event) time.Duration { return e.Wall }
	}
	calls, stacks := in.Trace.Enclosed().Count(first)
	want := make(map[string]seen.Sum)
	total := time.Duration(0)
	for c, s := range calls {
		want[c.Method] = seen.Sum{N: want[c.Method].N + s.N, Time: want[c.Method].Time}
	}
	for s, sum := range stacks {
		total += sum.Time
		name := innermost(s.Frames)
		want[name] = seen.Sum{N: want[name].N, Time: want[name].Time + sum.Time}
	}
	differ := make(map[string]string)
	if report.Total != total {
		differ["totals"] = fmt.Sprintf("%v, want %v", report.Total, total)
	}
	got := make(map[string]seen.Sum)
	for _, m := range report.Methods {
		name := withoutSignature(m.Name)
		got[name] = seen.Sum{N: got[name].N + m.Calls + m.Recursive, Time: got[name].Time + m.Exclusive}
	}
	for name, w := range want {
		switch g := got[name]; {
		case w.Time != g.Time:
			differ["durations"] = fmt.Sprintf("%s: %v, want %v", name, g.Time, w.Time)
		case w.Time > 0 && name != toplevel && w.N != g.N: // others may lack a row
			differ["calls"] = fmt.Sprintf("%s: %d, want %d", name, g.N, w.N)
		}
	}
	return differ, nil
}

// innermost returns the last frame of a stack.
func innermost(frames string) string {
	names := strings.Split(strings.TrimSuffix(frames, "\n"), "\n")
	if frames == "" {
		return toplevel
	}
	return names[len(names)-1]
}

// withoutSignature removes dmtracedump's suffix of a name: a blank and the signature.
func withoutSignature(name string) string {
	if i := strings.LastIndex(name, " ("); i > 0 {
		return name[:i]
	}
	return name
}
