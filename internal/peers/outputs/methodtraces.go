package outputs

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"artifice/internal/peers/dmtracedump"
	"artifice/internal/peers/seen"
	"artifice/internal/peers/traceprocessor"
)

// MethodTraces returns the method trace that every reader accepts, with its readers.
func MethodTraces(t testing.TB) []Format {
	t.Helper()
	dmtracedump.Require(t)
	perfetto := traceprocessor.Install(t)
	return []Format{{Name: "art", Ending: ".trace", Args: []string{"--portable"}, Not: []string{"odd-cpu-back"}, Readers: []Reader{
		{Name: "trace_processor", Shows: slicesShown, Compare: perfettoSlices(perfetto, enclosed, exact)},
		{Name: "dmtracedump", Shows: []string{"calls", "durations", "totals"}, Compare: dmtracedumpRows},
	}}}
}

// enclosed are the calls of an input, with those that have an exit alone.
func enclosed(in Input) seen.Calls {
	calls, _ := in.Trace.Enclosed().Count(in.Trace.Time)
	return calls
}

// dmtracedumpRows compares the calls and the times of methods: the time in each alone, by
// the first clock of a record, and the total of all threads from their first events to
// their last.
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
		case w.Time > 0 && name != toplevel && w.N != g.N: // others need not have a row
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

// withoutSignature cuts what dmtracedump has behind a name: a blank and the signature.
func withoutSignature(name string) string {
	if i := strings.LastIndex(name, " ("); i > 0 {
		return name[:i]
	}
	return name
}
