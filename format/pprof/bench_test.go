package pprof_test

import (
	"io"
	"testing"

	"artifice/format/pprof"
	"artifice/internal/testdata"
	"artifice/trace"
)

// BenchmarkPprofDistinct writes a profile of stacks that never repeat: a random walk between 8 and
// 40 frames over 2000 methods.
func BenchmarkPprofDistinct(b *testing.B) {
	const n = 1 << 18
	walk, events := testdata.NewDistinct(), make([]trace.Event, n)
	walk.ReadEvents(events) // never ends or fails
	rec := &trace.Recording{Symbols: walk.Symbols}
	var stacks int64
	b.ReportAllocs()
	for b.Loop() {
		w, err := pprof.NewWriter(io.Discard, rec)
		if err != nil {
			b.Fatal(err)
		}
		w.WriteEvents(events)
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		stacks = w.Stats().Stacks
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/event")
	b.ReportMetric(float64(stacks)/n, "stacks/event")
}
