package format_test

import (
	"slices"
	"testing"
	"time"

	"artifice/format"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
	"artifice/workload"
)

// BenchmarkWrite writes events in every format except method traces, in memory. One source is a
// truth (96 threads, 10 open frames on average), the other a real trace repeated ten times, with
// open frames.
func BenchmarkWrite(b *testing.B) {
	b.Run("truth", func(b *testing.B) {
		rec, err := workload.Must(workload.ByName("network-client")).Truth(workload.Config{Seed: 1, Duration: 2 * time.Second})
		if err != nil {
			b.Fatal(err)
		}
		var all trace.Buffer
		if _, err := trace.Copy(&all, rec.Events); err != nil {
			b.Fatal(err)
		}
		benchmarkFormats(b, rec, all.Events)
	})
	b.Run("real", func(b *testing.B) {
		rec, all := tracetest.RealEvents(b, "instrumented-art-file.trace")
		benchmarkFormats(b, rec, testdata.Repeat(all, 10))
	})
}

func benchmarkFormats(b *testing.B, rec *trace.Recording, all []trace.Event) {
	for _, name := range []string{"perfetto", "chrome", "speedscope", "firefox", "ftrace", "atrace", "simpleperf-proto", "folded", "text"} {
		b.Run(name, func(b *testing.B) {
			var size lengthWriter
			for b.Loop() {
				size = 0
				w, err := format.ByName(name).Write(&size, rec)
				if err != nil {
					b.Fatal(err)
				}
				for batch := range slices.Chunk(all, trace.BatchSize) {
					if err := w.WriteEvents(batch); err != nil {
						b.Fatal(err)
					}
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
			}
			events := float64(len(all))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/events, "ns/event")
			b.ReportMetric(float64(size)/events, "B/event")
		})
	}
}

// lengthWriter counts the written bytes.
type lengthWriter int64

func (n *lengthWriter) Write(b []byte) (int, error) {
	*n += lengthWriter(len(b))
	return len(b), nil
}
