package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/cmd/internal/command"
	"artifice/internal/testdata"
	"artifice/report"
	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
)

// TestReportNotes checks the notes on causes that widen intervals, on subtracted overhead and on the
// ends of threads, at their limits.
func TestReportNotes(t *testing.T) {
	const ms = time.Millisecond
	sampled := func(change func(*estimate.Profile)) *estimate.Profile {
		p := &estimate.Profile{Technique: trace.Sampled, Period: 5 * ms, Clock: trace.Dual, Span: time.Second, Samples: 200}
		change(p)
		return p
	}
	const unseen = "An estimated 25 % of the time was in methods that no sample contains"
	const silence = "Samples are missing for 10 ms in total (1 gap, the longest 10 ms), usually because ART's sampler waits during garbage collections. Gaps between samples widen the confidence intervals."
	const overhead = "Subtracted sampling overhead: 3 ms; a cost."
	for _, c := range []struct {
		p    *estimate.Profile
		want []string
	}{
		{sampled(func(p *estimate.Profile) {}), nil},
		{sampled(func(p *estimate.Profile) { p.Unseen, p.Samples = 0.25, 16 }), []string{unseen + ", each with at most 15 ms."}},
		{sampled(func(p *estimate.Profile) { p.Unseen, p.Samples = 0.25, 15 }), nil},
		{sampled(func(p *estimate.Profile) { p.Unseen = 0.249 }), nil},
		{sampled(func(p *estimate.Profile) { p.Unseen, p.Period = 0.5, 0 }), nil},
		{sampled(func(p *estimate.Profile) { p.Unseen, p.Technique = 0.5, trace.Instrumented }), nil},
		{sampled(func(p *estimate.Profile) { p.Silence = estimate.Silence{Total: 10 * ms, Count: 1, Longest: 10 * ms} }), []string{silence}},
		{sampled(func(p *estimate.Profile) { p.Silence = estimate.Silence{Total: 10*ms - 1, Count: 1, Longest: 10 * ms} }), nil},
		{sampled(func(p *estimate.Profile) { p.Span = 0 }), nil},
		{sampled(func(p *estimate.Profile) { p.Late = estimate.Late{Samples: 12, Of: 200, Mean: 2 * ms, Longest: 9 * ms} }), []string{"6 % of samples were delayed by CPU contention or garbage collection (by 2 ms on average, 9 ms at most). Delayed samples widen the confidence intervals."}},
		{sampled(func(p *estimate.Profile) { p.Late = estimate.Late{Samples: 10, Of: 200, Mean: 2 * ms, Longest: 9 * ms} }), nil},
		{sampled(func(p *estimate.Profile) { p.Unsampled = 7 * ms }), []string{"The CPU clocks count 7 ms more CPU time than the samples show, usually because the sampler gets no core until a thread blocks. The trace does not record which methods ran in this CPU time, so the confidence intervals are wider."}},
		{sampled(func(p *estimate.Profile) { p.Overhead, p.OverheadText = 3*ms, "a cost" }), []string{overhead}},
		{sampled(func(p *estimate.Profile) { p.Overhead, p.OverheadText, p.Clock = 3*ms, "a cost", trace.Wall }), []string{overhead + " The trace has no CPU clock, so too much is subtracted from native code, which keeps running during samples."}},
		{&estimate.Profile{Technique: trace.Instrumented, Overhead: 3 * ms, OverheadText: "a cost"}, []string{"Subtracted tracing overhead: 3 ms; a cost."}},
		{&estimate.Profile{Technique: trace.Instrumented, Overhead: 3 * ms, OverheadText: "a cost", Remains: ms}, []string{"Subtracted tracing overhead: 3 ms; a cost. Another 1 ms cannot be subtracted, because some gaps between events are shorter than the cost of an event."}},
		{&estimate.Profile{Technique: trace.Instrumented, Remains: ms}, nil},
	} {
		var got []string
		add := func(format string, args ...any) { got = append(got, fmt.Sprintf(format, args...)) }
		table := &reportTable{p: c.p}
		table.addSampling(add)
		table.addOverhead(add)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for until, want := range map[calltree.EndPolicy]string{
		calltree.UntilStop: "Times include 5 ms after the last events of threads, up to the end of tracing. The threads may have ended earlier.",
		calltree.UntilEnd:  "Not counted: up to 5 ms between the last events of threads and the end of tracing, because these threads may have ended (--until stop counts this time).",
	} {
		if got := (&reportTable{until: until}).uncertainEnds(5 * ms); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestCallListTexts checks the error of a list without calls, and the notes below one.
func TestCallListTexts(t *testing.T) {
	const ms = time.Millisecond
	list := func(what, of string, sampled time.Duration, open, longer int) *callList {
		l := &callList{what: what, of: of, interval: sampled, info: &trace.Info{}}
		l.Open, l.Longer = open, longer
		return l
	}
	const frame, sampled = "x: no complete call of android.view.Choreographer.doFrame, which draws a display frame", ": sampling records only calls that are longer than its interval; --callers doFrame shows whether there is any"
	for _, c := range []struct {
		l    *callList
		want string
	}{
		{list("display frame", "", 0, 1, 0), frame}, {list("display frame", "", 5*ms, 0, 0), frame + sampled},
		{list("call", "of A.run", 5*ms, 0, 0), "x: no complete call of A.run"}, {list("call", "of A.run", 0, 1, 0), "x: no complete call of A.run; 1 call did not end"}, {list("call", "of A.run", 0, 2, 0), "x: no complete call of A.run; 2 calls did not end"},
	} {
		if got := c.l.none("x").Error(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	some := list("call", "of A.run", 0, 1, 4)
	some.longest = []report.Call{{Begin: 2 * ms, Took: 15 * ms}, {}}
	see := "To see the first row in context: artifice view x, from 2ms to 17.001ms."
	if got, want := some.notes("x"), []string{"2 more calls: --top 0 lists all.", "1 call had not ended when the trace ended.", see}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	some.Open, some.Longer, some.interval = 0, 2, 5*ms
	period := "The trace is sampled (period 5 ms): bounds are the shortest and the longest duration that the samples allow. Calls shorter than a period can be missing, and calls without a sample between them are merged."
	if got, want := some.notes("x"), []string{period, see}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	some.Longer, some.interval = 3, 0
	if got, want := some.notes("x"), []string{"1 more call: --top 0 lists all.", see}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestIntervalsOf: two methods are named, and further ones counted.
func TestIntervalsOf(t *testing.T) {
	for n, want := range []string{1: "that of a", 2: "those of a and b", 3: "those of a, b and 1 other method", 5: "those of a, b and 3 other methods"} {
		if want == "" {
			continue
		}
		if got := intervalsOf(strings.Split("abcde", "")[:n]); got != want {
			t.Errorf("%d methods: %s, want %s", n, got, want)
		}
	}
}

// TestHottestOfAllRows: the sentence about the hottest method does not depend on the selected rows or
// their order.
func TestHottestOfAllRows(t *testing.T) {
	file := testdata.Path(t, "traces", "sampled-art-file.trace")
	var want string
	for _, args := range [][]string{{"--top", "0"}, {"--top", "1"}, {"--top", "2"}, {"--sort", "calls"}, {"--sort", "name", "--top", "3"}} {
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), append([]string{"report", file}, args...), command.Stdio{In: strings.NewReader(""), Out: &stdout, Err: &stderr}); status != exitOK {
			t.Fatalf("%v: %s", args, &stderr)
		}
		i := strings.Index(stdout.String(), "It is uncertain whether GeckoThread.runUiThreadCallback is the hottest method: ")
		if i < 0 {
			t.Fatalf("%v: no sentence in\n%s", args, &stdout)
		}
		got, _, _ := strings.Cut(stdout.String()[i:], "\n")
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%v: %s\nwant %s", args, got, want)
		}
	}
}
