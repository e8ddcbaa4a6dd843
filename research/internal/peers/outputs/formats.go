package outputs

import (
	"strings"
	"testing"
	"time"

	"artifice/research/internal/peers/catapult"
	"artifice/research/internal/peers/firefoxprofiler"
	"artifice/research/internal/peers/flamegraph"
	"artifice/research/internal/peers/speedscope"
	"artifice/research/internal/peers/traceprocessor"
)

// Aspects that readers report of slices.
var slicesShown = []string{"calls", "threads", "durations", "depths", "totals"}

// Timelines returns the formats that contain calls in time order, with their readers.
func Timelines(t testing.TB) []Format {
	t.Helper()
	perfetto, chrome := traceprocessor.Install(t), catapult.Install(t)
	scope, firefox := speedscope.InstallImporter(t), firefoxprofiler.Install(t)
	marking := Reader{Name: "trace_processor", Shows: slicesShown, Compare: perfettoSlices(perfetto, marks, secondsRounding),
		Note: "it reads times as float64 of seconds"}
	return []Format{
		{Name: "perfetto", Ending: ".pftrace", Args: []string{"--perf-samples"}, Readers: []Reader{
			{Name: "trace_processor", Shows: append([]string{"samples"}, slicesShown...), Compare: perfettoSamples(perfetto)},
		}},
		{Name: "simpleperf-proto", Ending: ".simpleperf", Readers: []Reader{
			{Name: "trace_processor", Shows: []string{"samples"}, Compare: simpleperfSamples(perfetto)},
		}},
		{Name: "ftrace", Ending: ".ftrace", Readers: []Reader{marking}},
		{Name: "atrace", Ending: ".atrace", Readers: []Reader{marking}},
		{Name: "chrome", Ending: ".json", Readers: []Reader{
			{Name: "trace_processor", Shows: slicesShown, Compare: perfettoSlices(perfetto, apart, exact)},
			{Name: "Catapult", Shows: slicesShown, Compare: catapultCalls(chrome)},
			{Name: "speedscope", Shows: slicesShown, Compare: speedscopeCalls(scope, apart, rounding)},
			{Name: "Firefox Profiler", Shows: []string{"calls", "threads", "durations", "totals"}, Compare: firefoxMarkers(firefox), Refuses: noCalls},
		}},
		{Name: "speedscope", Ending: ".speedscope.json", Readers: []Reader{
			{Name: "speedscope", Shows: slicesShown, Compare: speedscopeCalls(scope, calls, 0)},
		}},
		{Name: "firefox", Ending: ".profile.json", Readers: []Reader{
			{Name: "Firefox Profiler", Shows: []string{"threads", "samples", "totals"}, Compare: firefoxStacks(firefox)},
		}},
	}
}

// marked returns a name as android.os.Trace puts it into a tracing mark: without "|", and
// not longer than 127 characters.
func marked(name string) string {
	name = strings.ReplaceAll(name, "|", " ")
	if r := []rune(name); len(r) > 127 {
		return string(r[:127])
	}
	return name
}

// sumsShown lists the aspects that readers report of profiles.
var sumsShown = []string{"samples", "totals"}

// Profiles returns the formats that contain sums, with their readers.
func Profiles(t testing.TB) []Format {
	t.Helper()
	flamegraph.Require(t)
	perfetto, scope, firefox := traceprocessor.Install(t), speedscope.InstallImporter(t), firefoxprofiler.Install(t)
	return []Format{
		{Name: "folded", Ending: ".folded", Readers: []Reader{
			{Name: "flamegraph.pl", Shows: sumsShown, Compare: flamegraphBoxes, Refuses: noStacks},
			{Name: "speedscope", Shows: sumsShown, Compare: speedscopeSums(scope, folded, time.Microsecond), Refuses: noStacks},
			{Name: "trace_processor", Shows: sumsShown, Compare: perfettoSums(perfetto, "samples", folded, time.Microsecond), Refuses: fewLines},
			{Name: "Firefox Profiler", Shows: sumsShown, Compare: firefoxSums(firefox), Refuses: noStacks, Tries: isShort,
				Note: "it makes a sample of each microsecond, and is tried with less than ten million of them"},
		}},
		{Name: "pprof", Ending: ".pb.gz", Readers: []Reader{
			{Name: "go tool pprof", Shows: append([]string{"calls", "threads"}, sumsShown...), Compare: goPprof},
			{Name: "speedscope", Shows: sumsShown, Compare: speedscopeSums(scope, merged, time.Nanosecond)},
			{Name: "trace_processor", Shows: sumsShown, Compare: perfettoPprof(perfetto)},
		}},
	}
}

// isShort reports whether the folded file of an input sums to less than 10 s.
func isShort(in Input) bool {
	sum := time.Duration(0)
	for _, s := range folded(in) {
		sum += s.Time
	}
	return sum < 10*time.Second
}

// noCalls returns why the Firefox Profiler does not open an input.
func noCalls(in Input) string {
	if len(calls(in)) == 0 {
		return "it makes threads of events alone, and opens no profile without a thread"
	}
	return ""
}
