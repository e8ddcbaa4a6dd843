package estimate_test

import (
	"testing"

	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/report/estimate"
)

// BenchmarkEstimate estimates repeated real traces: sampled ones, repeated up to a million events,
// and one of every call.
func BenchmarkEstimate(b *testing.B) {
	for _, name := range []string{"sampled-host-file.trace", "sampled-art-file.trace", "instrumented-art-file.trace"} {
		for _, contexts := range []bool{false, true} {
			b.Run(map[bool]string{false: "methods/", true: "contexts/"}[contexts]+name, func(b *testing.B) {
				rec, all := tracetest.RealEvents(b, name)
				events, span := testdata.Calls(all)
				const rounds = 40
				var found int
				b.ReportAllocs()
				for b.Loop() {
					e := estimate.New(rec, estimate.Config{MethodsOnly: !contexts})
					for range rounds {
						e.WriteEvents(events)
						testdata.Shift(events, span)
					}
					found = e.Finish().Tree.Len()
				}
				n := float64(rounds * len(events))
				total := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
				b.ReportMetric(total/n, "ns/event")
				b.ReportMetric(total/(60*n+20000*float64(found)), "of-allowed")
				b.ReportMetric(float64(found), "contexts")
			})
		}
	}
}
