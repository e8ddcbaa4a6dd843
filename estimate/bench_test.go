package estimate_test

import (
	"testing"
	"time"

	"artifice/estimate"
	"artifice/internal/testdata"
	"artifice/internal/truths"
	"artifice/reader"
	"artifice/trace"
)

// BenchmarkEstimate estimates real traces, repeated: a sampled one of 2 s and 3.6 ms
// over and over, up to a million events, and one of every call.
func BenchmarkEstimate(b *testing.B) {
	for _, name := range []string{"sampled-host-file.trace", "sampled-art-file.trace", "instrumented-art-file.trace"} {
		for _, contexts := range []bool{false, true} {
			b.Run(map[bool]string{false: "methods/", true: "contexts/"}[contexts]+name, func(b *testing.B) {
				rec, events := repeated(b, name)
				const rounds = 40
				var found int
				b.ReportAllocs()
				for b.Loop() {
					e := estimate.New(rec, estimate.Config{MethodsOnly: !contexts})
					for range rounds {
						e.WriteEvents(events)
						shift(events)
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

// repeated are a trace's events without those that lack their other half.
func repeated(b *testing.B, name string) (*trace.Recording, []trace.Event) {
	in, err := reader.Open(testdata.Path(b, "traces", name), reader.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	var all trace.Buffer
	if _, err := trace.Copy(&all, in.Events); err != nil {
		b.Fatal(err)
	}
	calls, _ := truths.Calls(all.Events)
	return &in.Recording, calls
}

// shift moves events behind themselves.
func shift(events []trace.Event) {
	var wall, cpu time.Duration
	for i := range events {
		wall, cpu = max(wall, events[i].Wall), max(cpu, events[i].CPU)
	}
	for i := range events {
		events[i].Wall += wall
		events[i].CPU += cpu
	}
}
