package writer_test

import (
	"io"
	"testing"

	"artifice/writer"
)

// BenchmarkWrite writes a real trace in every format that is no method trace.
func BenchmarkWrite(b *testing.B) {
	rec, events := loadReal(b)
	for _, name := range []string{"perfetto", "chrome", "speedscope", "firefox", "ftrace", "atrace", "simpleperf-proto", "folded", "text"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				w, err := writer.ByName(name).Open(io.Discard, rec, writer.Options{})
				if err != nil {
					b.Fatal(err)
				}
				if err := w.WriteEvents(events); err != nil {
					b.Fatal(err)
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/event")
		})
	}
}
