package writer_test

import (
	"io"
	"testing"

	"artifice/internal/testdata"
	"artifice/writer"
)

// BenchmarkWrite writes a real trace, ten times over in a row, in every format that is
// no method trace.
func BenchmarkWrite(b *testing.B) {
	rec, events := loadReal(b)
	events = testdata.Repeat(events, 10)
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
