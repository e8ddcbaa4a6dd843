package view

import (
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"testing"
	"time"

	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// BenchmarkOpen generates the data of a page of 5 million events, like the server. It reports the
// seconds until the browser can request the data, the bytes per event, and the heap, including 24
// bytes for each event itself.
func BenchmarkOpen(b *testing.B) {
	rec := tracetest.Workload(b, "cold-start", 40*time.Second)
	var all trace.Buffer
	if _, err := trace.Copy(&all, &microseconds{rec.Events}); err != nil {
		b.Fatal(err)
	}
	size := 0
	for b.Loop() {
		rec.Events = trace.NewSliceReader(all.Events)
		r, err := Read(rec, "cold-start", Options{})
		if err != nil {
			b.Fatal(err)
		}
		var packed bytes.Buffer
		if err := (&Page{Recordings: []*Recording{r}}).writePacked(&packed, gzip.BestSpeed); err != nil {
			b.Fatal(err)
		}
		size = packed.Len()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(size)/float64(len(all.Events)), "packed-bytes/event")
	b.ReportMetric(float64(len(all.Events)), "events")
	b.ReportMetric(float64(m.HeapSys)/1e6, "MB-heap")
}

// BenchmarkWriteHTML writes the page as a file.
func BenchmarkWriteHTML(b *testing.B) {
	rec := tracetest.Workload(b, "cold-start", 4*time.Second)
	r, err := Read(rec, "cold-start", Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := (&Page{Recordings: []*Recording{r}}).WriteHTML(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
