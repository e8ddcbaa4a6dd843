package calltree_test

import (
	"testing"

	"artifice/calltree"
	"artifice/trace"
)

// closed returns the events that have their other half, so that they can be
// repeated and leave no frame open.
func closed(events []trace.Event) []trace.Event {
	kept := make([]bool, len(events))
	open := make(map[trace.ThreadID][]int)
	for i, e := range events {
		stack := open[e.Thread]
		switch {
		case e.Action == trace.Enter:
			open[e.Thread] = append(stack, i)
		case len(stack) > 0:
			kept[i], kept[stack[len(stack)-1]] = true, true
			open[e.Thread] = stack[:len(stack)-1]
		}
	}
	var out []trace.Event
	for i, e := range events {
		if kept[i] {
			out = append(out, e)
		}
	}
	return out
}

// BenchmarkBuilder adds up a random program of three threads again and again.
func BenchmarkBuilder(b *testing.B) {
	events := closed(randomEvents(1, 1<<15))
	builder := calltree.NewBuilder(calltree.Config{})
	b.ReportAllocs()
	for b.Loop() {
		builder.WriteEvents(events)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/event")
	tree, _ := builder.Finish(0, calltree.UntilLastEvent)
	b.ReportMetric(float64(tree.Len()), "contexts")
}
