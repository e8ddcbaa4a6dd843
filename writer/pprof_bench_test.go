package writer_test

import (
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/trace"
	"artifice/writer"
)

// BenchmarkPprofDistinct makes a profile of a trace whose stacks never repeat: a
// random walk between 8 and 40 frames over 2000 methods.
func BenchmarkPprofDistinct(b *testing.B) {
	const n, methods = 1 << 18, 2000
	rec := &trace.Recording{Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	for i := range methods {
		rec.Symbols.AddMethod(trace.Method{ID: uint64(4 * i), Class: "C", Name: "m" + string(rune('a'+i%26)), Signature: "()V"})
	}
	rng := rand.New(rand.NewPCG(1, 2))
	events := make([]trace.Event, n)
	var open []trace.MethodID
	for i := range events {
		at := time.Duration(i) * time.Microsecond
		e := trace.Event{Wall: at, CPU: at, Action: trace.Exit}
		if depth := len(open); depth < 8 || depth < 40 && rng.IntN(2) == 0 {
			e.Method, e.Action = trace.MethodID(rng.IntN(methods)), trace.Enter
			open = append(open, e.Method)
		} else {
			e.Method, open = open[depth-1], open[:depth-1]
		}
		events[i] = e
	}
	var stacks int64
	b.ReportAllocs()
	for b.Loop() {
		w, err := writer.NewPprof(io.Discard, rec, writer.PprofConfig{})
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
