package diff

import (
	"testing"
	"time"

	"artifice/trace"
)

// TestHeadline checks the lines above the answer.
func TestHeadline(t *testing.T) {
	two := make([]MethodChange, 2)
	quantity := trace.Quantity{Name: "space", Unit: "bytes"}
	const single = "1 trace of each build: differences may be noise between runs; record at least 5 of each.\n"
	for _, c := range []struct {
		d    Diff
		want string
	}{
		{Diff{Basis: Runs, Test: Welch, OldTraces: 5, NewTraces: 6, Methods: two, Tested: 1}, "5 traces before, 6 after; wall time, 1 of 2 methods tested (Welch's t, FDR 5 %)"},
		{Diff{Basis: Runs, Test: MannWhitney, OldTraces: 5, NewTraces: 6, Methods: two, Tested: 2, Threads: "thread main"}, "5 traces before, 6 after; thread main, wall time, 2 of 2 methods tested (Mann-Whitney U, FDR 5 %)\nIntervals are from Welch's test and q is from ranks, so they can disagree."},
		{Diff{Basis: Runs, Test: Welch, OldTraces: 5, NewTraces: 6, Methods: two, Tested: 1, Named: true}, "5 traces before, 6 after; wall time, 1 method tested (Welch's t, no correction)"},
		{Diff{Basis: Sampling, OldTraces: 1, NewTraces: 1, Methods: two, Tested: 1}, single + "1 trace before, 1 after; wall time, 1 of 2 methods tested (sampling error only, FDR 5 %)"},
		{Diff{Basis: Sampling, OldTraces: 1, NewTraces: 5, Methods: two, Tested: 1, Named: true}, "1 trace of one build: differences may be noise between runs; record at least 5 of each.\n1 trace before, 5 after; wall time, 1 method tested (sampling error only, no correction)"},
		{Diff{Basis: Nothing, OldTraces: 1, NewTraces: 1, Methods: two}, single + "1 trace before, 1 after; wall time, 2 methods (every call recorded: no sampling error)"},
		{Diff{Basis: Nothing, OldTraces: 1, NewTraces: 1, Methods: two, NoPeriod: true}, single + "1 trace before, 1 after; wall time, 2 methods (no test: the sampling period of a trace is unknown)"},
		{Diff{Basis: Nothing, OldTraces: 1, NewTraces: 1, Methods: two[:1], Quantity: quantity}, single + "1 trace before, 1 after; space in bytes, 1 method (no test: a profile of this value does not count samples; record several of each build)"},
	} {
		if got := (&Changes{Diff: &c.d, Clock: trace.Wall}).Headline(); got != c.want {
			t.Errorf("%+v:\n%s\nwant\n%s", c.d, got, c.want)
		}
	}
}

// TestUnlike checks the line on traces that tracing slowed differently.
func TestUnlike(t *testing.T) {
	const ms = time.Millisecond
	intervals := Diff{Unlike: Intervals, Shortest: 2 * ms, Longest: 5 * ms}
	shares := func(d Diff) Diff { d.Shares = true; return d }
	const calls, scaled = "\nSome traces are sampled, others contain every call, and recording every call lengthens short methods and their callers", ", scaled to the total of the old traces."
	const ofCPU = "\nSome traces are sampled by CPU time, which excludes waiting threads, others are not: shares of CPU time are compared"
	for _, c := range []struct {
		d     Diff
		clock trace.Clock
		want  string
	}{
		{Diff{}, trace.Wall, ""},
		{intervals, trace.Wall, "\nSampling periods differ (2–5 ms): the changes include the difference in tracing overhead."},
		{Diff{Unlike: CallsAndSamples}, trace.Wall, calls + ": the changes include the difference in tracing overhead."},
		{shares(intervals), trace.ThreadCPU, "\nSampling periods differ (2–5 ms). Methods are compared by their shares of CPU time" + scaled},
		{shares(Diff{Unlike: CallsAndSamples}), trace.Wall, calls + ". Methods are compared by their shares of running time (wall time of methods that do not wait)" + scaled + " Waiting methods are not tested."},
		{shares(Diff{Unlike: TimesOfCPU}), trace.Wall, ofCPU + " with shares of running time (wall time of methods that do not wait)" + scaled + " Running time includes waits for a core, CPU time does not."},
		{shares(Diff{Unlike: TimesOfCPU}), trace.ThreadCPU, ofCPU + scaled + " Waiting methods are not compared. CPU time of the other traces is omitted between two samples if the thread waited in between, because its method is unknown. --clock wall compares running time instead and tests more methods."},
	} {
		if got := (&Changes{Diff: &c.d, Clock: c.clock}).unlike(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.d, got, c.want)
		}
	}
}

// TestDetectablePercent: a detectable change has two digits, and at most the limit.
func TestDetectablePercent(t *testing.T) {
	for share, want := range map[float64]string{0.00123: "0.12 %", 0.099: "9.9 %", 0.1: "10 %", 0.125: "13 %", 9.999: "1,000 %"} {
		if got := detectablePercent(share); got != want {
			t.Errorf("%g: %s, want %s", share, got, want)
		}
	}
	if got := detectablePercent(maxDetectable); got != "above 10,000 %" {
		t.Errorf("the limit: %s", got)
	}
}
