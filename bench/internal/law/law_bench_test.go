package law

import (
	"math/rand/v2"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
	"artifice/trace/calltree"
)

// sweptGaps returns the 130 distinct gaps of a sweep over ten intervals and four devices, with four
// parts for each variable overshoot.
func sweptGaps() (list []time.Duration) {
	for _, interval := range []int{100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000} {
		for _, overshoot := range []int{0, 32, 61, 64, 68, 71, 75, 111, 149, 195, 199, 320, 484} {
			list = append(list, time.Duration(interval+overshoot)*us)
		}
	}
	return list
}

// benchmarked returns the truths of the benchmarks: a repeated real trace, and a loop with 20000
// calls within the longest gap.
func benchmarked(b *testing.B) map[string][]trace.Event {
	return map[string][]trace.Event{"real": repeatedTrace(b, 8), "loop": loop(rand.New(rand.NewPCG(1, 1)), 1<<17)}
}

// loop returns events that call method 0 times times; method 0 calls method 1 once.
func loop(rng *rand.Rand, times int) (list []trace.Event) {
	var now time.Duration
	for range times {
		for _, e := range []trace.Event{{Method: 0}, {Method: 1}, {Method: 1, Action: trace.Exit}, {Method: 0, Action: trace.Exit}} {
			now += time.Duration(1+rng.IntN(4)) * us
			e.Wall = now
			list = append(list, e)
		}
	}
	return list
}

// repeatedTrace returns a real trace, repeated times times.
func repeatedTrace(b *testing.B, times int) (all []trace.Event) {
	_, events := tracetest.RealEvents(b, "instrumented-art-file.trace")
	calls, span := testdata.Calls(events)
	for range times {
		all = append(all, calls...)
		testdata.Shift(calls, span)
	}
	return all
}

// BenchmarkCallCount measures the law with the gaps of a large sweep.
//
//	go test ./bench/internal/law -run '^$' -bench CallCount -benchtime 3x
func BenchmarkCallCount(b *testing.B) {
	for name, events := range benchmarked(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				law := newCallCount(sweptGaps()...)
				playActivations(&calltree.Contexts{}, events, law)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/event")
		})
	}
}

// BenchmarkPoissonCount measures the cost of the law for Poisson samplers, per event and interval,
// with ten intervals.
//
// go test ./bench/internal/law -run '^$' -bench PoissonCount -benchtime 3x
func BenchmarkPoissonCount(b *testing.B) {
	var intervals []time.Duration
	for _, t := range []int{100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000} {
		intervals = append(intervals, time.Duration(t)*us)
	}
	for name, events := range benchmarked(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				law := newPoissonCount(intervals...)
				playActivations(&calltree.Contexts{}, events, law)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events))/float64(len(intervals)), "ns/event/interval")
		})
	}
}
