package report_test

import (
	"slices"
	"testing"
	"time"

	"artifice/report"
	"artifice/sampler"
	"artifice/trace"
	"artifice/workload"
)

// TestBounds checks bounds of durations, by hand, with a sample every 10 ms. A call in the samples
// at 10, 20 and 30 ms, and not in those at 0 and 40 ms, took from 20 to 40 ms. If the thread has no
// event at 0, the sample at 0 is derived from the period. A call in a single sample took up to 20
// ms.
func TestBounds(t *testing.T) {
	const period = 10 * ms
	for _, c := range []struct {
		call      report.Call
		low, high time.Duration
	}{
		{report.Call{Begin: 10 * ms, Took: 30 * ms, Before: 0, Seen: 30 * ms}, 20 * ms, 40 * ms},
		{report.Call{Begin: 10 * ms, Took: 30 * ms, Before: report.Never, Seen: 10 * ms}, 20 * ms, 40 * ms},
		{report.Call{Begin: 10 * ms, Took: 10 * ms, Before: report.Never, Seen: 10 * ms}, 0, 20 * ms},
		{report.Call{Begin: 10 * ms, Took: 30 * ms, Before: 7 * ms, Seen: 36 * ms}, 26 * ms, 33 * ms}, // samples closer than the period
	} {
		if low, high := c.call.Bounds(period); low != c.low || high != c.high {
			t.Errorf("%+v: %s to %s, want %s to %s", c.call, low, high, c.low, c.high)
		}
	}
}

// TestBoundsHold checks, on truths, that the duration of every call that samples distinguish from
// others is within its bounds. If a garbage collection delays the sampler, samples are further
// apart than the period; then 2 % of the durations may be outside (a start often collects).
func TestBoundsHold(t *testing.T) {
	for _, c := range []struct {
		app, method string
		missed      float64 // share
	}{{"scroll-60hz", "doFrame", .002}, {"w2-frame-60hz", "draw", 0}, {"cold-start", "performTraversals", .02}} {
		within, missed := 0, 0
		for _, interval := range []time.Duration{500 * time.Microsecond, 2 * ms, 7 * ms} {
			truth := func() *trace.Recording {
				rec, err := workload.Must(workload.ByName(c.app)).Truth(workload.Config{Seed: 3})
				if err != nil {
					t.Fatal(err)
				}
				return rec
			}
			real := callsOf(t, truth(), c.method)
			seen, err := sampler.Record(truth(), sampler.Config{Interval: interval})
			if err != nil {
				t.Fatal(err)
			}
			last := time.Duration(0)
			for _, r := range real {
				last = max(last, r.Begin+r.Took)
			}
			for _, call := range callsOf(t, seen, c.method) {
				if call.Begin+call.Took > last {
					continue // a call that is open in the truth may be in it
				}
				var meant []report.Call
				for _, r := range real {
					if r.Thread == call.Thread && r.Begin <= call.Begin+call.Took && r.Begin+r.Took > call.Begin-interval {
						meant = append(meant, r)
					}
				}
				if len(meant) == 0 {
					t.Fatalf("%s every %s: no call of %s at %s", c.app, interval, c.method, call.Begin)
				}
				if len(meant) > 1 {
					continue // the reported call may be several true calls
				}
				if low, high := call.Bounds(interval); meant[0].Took < low || meant[0].Took > high {
					missed++
					t.Logf("%s every %s: %s at %s took %s, not %s to %s", c.app, interval, c.method, call.Begin, meant[0].Took, low, high)
				} else {
					within++
				}
			}
		}
		if within < 200 || float64(missed) > c.missed*float64(within) {
			t.Errorf("%s: %d calls are within their bounds, %d are not", c.app, within, missed)
		}
	}
}

func callsOf(t *testing.T, rec *trace.Recording, method string) []report.Call {
	t.Helper()
	var events []trace.Event
	for e, err := range trace.All(rec.Events) { // symbols are complete at the end
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	id := slices.IndexFunc(rec.Symbols.Methods, func(m trace.Method) bool { return m.Name == method })
	c := &report.CallCollector{Symbols: rec.Symbols, Over: -1, Method: trace.MethodID(id)}
	c.WriteEvents(events)
	return c.Longest()
}
