package bench

import (
	"context"
	"math"
	"testing"
	"time"

	"artifice/diffstack"
	"artifice/sampler"
	"artifice/trace"
)

// reportedCalls counts the calls that a sampler reports.
type reportedCalls struct{ n int64 }

func (r *reportedCalls) Sample(l *sampler.Sample) { r.n += int64(len(l.Stack) - l.Same) }
func (r *reportedCalls) Gone(*sampler.Sample)     {}

// sited gives every call of a truth one of three sites of its caller, and makes
// every fifth method one of ART's own.
func sited(rec *trace.Recording, events []trace.Event) {
	for i := range events {
		if events[i].Action == trace.Enter {
			events[i].Site = trace.Site(1 + i*7/10%3)
		}
	}
	for i := range rec.Symbols.Methods {
		if i%5 == 0 {
			rec.Symbols.Methods[i].Flags |= trace.RuntimeInternal
		}
	}
}

// TestSiteLaw holds samplers by method and call site against the exact law, on a
// real trace with made-up sites: the calls reported, summed over the phases
// j + ½ µs, are the law's L − Λ(T) in microseconds, as integers.
func TestSiteLaw(t *testing.T) {
	const interval = 400 * us
	rec, events := realEvents(t, "instrumented-art-file.trace")
	sited(rec, events)
	mode := ByLineSampling
	config := cellConfig{device: devices(t, "ideal")[0], interval: interval, of: 1}
	law := newLawJob([][]*cell{{{mode: mode, config: config}}})
	truth := *rec
	truth.Events = trace.NewSliceReader(events)
	if err := law.run(&truth); err != nil {
		t.Fatal(err)
	}
	truth.Events = trace.NewSliceReader(events)
	var samplers []*sampler.Sampler
	counts := map[diffstack.Identity]*reportedCalls{}
	for _, identity := range []diffstack.Identity{diffstack.ByMethod, diffstack.BySite, diffstack.ByCall} {
		counts[identity] = &reportedCalls{}
		for phase := us / 2; phase < interval; phase += us {
			s, err := sampler.New(&truth, sampler.Config{Interval: interval, Phase: phase, Identity: identity}, trace.Discard)
			if err != nil {
				t.Fatal(err)
			}
			s.SetObserver(counts[identity])
			samplers = append(samplers, s)
		}
	}
	if err := sampler.Run(&truth, samplers...); err != nil {
		t.Fatal(err)
	}
	const phases = float64(interval / us)
	calls := float64(law.stays.Calls())
	want := law.expected(0, &mode, config)[CallRatio] * calls * phases
	if got := float64(counts[diffstack.BySite].n); math.Abs(got-want) > 1e-9*want {
		t.Errorf("%v calls reported by method and site in all phases, the law says %v", got, want)
	}
	if m, s, c := counts[diffstack.ByMethod].n, counts[diffstack.BySite].n, counts[diffstack.ByCall].n; m >= s || s >= c {
		t.Errorf("%d, %d and %d calls reported by method, site and call: the truth tells none apart", m, s, c)
	}
}

// TestTwoLines: the closed forms of w10-two-lines, to 3 %: 4 standard errors of
// a mean over 20000 exponential times. By method all calls are one.
func TestTwoLines(t *testing.T) {
	curve := func(x float64) float64 { return (1 - math.Exp(-x)) / x }
	intervals := []time.Duration{500 * us, 2000 * us}
	result, err := Run(context.Background(), truthOf(t, "w10-two-lines", 20*time.Second), Config{
		Intervals: intervals, Devices: devices(t, "ideal"), Phases: 8, Modes: []Mode{ARTSampling, ByLineSampling, ByCallSampling},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range result.Rows {
		y := row.Interval.Seconds() / 1e-3
		want := map[string]float64{"sample": 0, "by-line": curve(2 * y), "by-call": curve(y)}[row.Mode]
		if got := row.Mean[CallRatio]; math.Abs(got-want) > max(0.03*want, 1e-3) {
			t.Errorf("%s at %v: %.4f of the calls reported, want %.4f", row.Mode, row.Interval, got, want)
		}
		if got := row.Mean[CallRecall]; math.Abs(got-curve(y)) > 0.03*curve(y) {
			t.Errorf("%s at %v: %.4f of the calls seen, want %.4f", row.Mode, row.Interval, got, curve(y))
		}
		if z, ok := row.Z(CallRatio); row.Mode == "by-line" && (!ok || math.Abs(z) > 4) {
			t.Errorf("by-line at %v: z %v, %t", row.Interval, z, ok)
		}
	}
	if len(result.Rows) != 3*len(intervals) {
		t.Errorf("%d rows", len(result.Rows))
	}
}

// TestByLineOfRecordedTruth: a recorded trace has no lines, so it is sampled as by
// method, and the law says the same.
func TestByLineOfRecordedTruth(t *testing.T) {
	rec, events := realEvents(t, "instrumented-art-file.trace")
	rec.Events = trace.NewSliceReader(events)
	result, err := Run(context.Background(), rec, Config{
		Intervals: []time.Duration{2000 * us}, Devices: devices(t, "A"), Phases: 3, Modes: []Mode{ARTSampling, ByLineSampling},
	})
	if err != nil {
		t.Fatal(err)
	}
	sample, byLine := result.Rows[0], result.Rows[1]
	if sample.Mode == byLine.Mode || !equal(sample.Mean, byLine.Mean) || !equal(sample.Law, byLine.Law) {
		t.Errorf("%s and %s: means %v and %v, laws %v and %v", sample.Mode, byLine.Mode, sample.Mean, byLine.Mean, sample.Law, byLine.Law)
	}
	if math.IsNaN(byLine.Law[CallRatio]) {
		t.Error("no law for by-line")
	}
}
