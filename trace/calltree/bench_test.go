package calltree_test

import (
	"testing"

	"artifice/internal/testdata"
	"artifice/trace"
	"artifice/trace/calltree"
)

// BenchmarkBuilder measures a Builder with a random program of three threads.
func BenchmarkBuilder(b *testing.B) {
	events, _ := testdata.Calls(randomEvents(1, 1<<15))
	builder := calltree.NewBuilder()
	b.ReportAllocs()
	for b.Loop() {
		builder.WriteEvents(events)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/event")
	tree, _ := builder.Finish(&trace.Recording{}, trace.UnknownTechnique, calltree.UntilLastEvent)
	b.ReportMetric(float64(tree.Len()), "contexts")
}
