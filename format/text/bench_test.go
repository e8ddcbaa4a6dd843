package text_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"artifice/format/text"
	"artifice/internal/testdata"
	"artifice/trace"
)

func BenchmarkTextWriter(b *testing.B) {
	file, err := os.Open(filepath.Join(testdata.Root(), "testdata", "scroll.txt"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	rec, err := text.NewReader(file, "scroll.txt")
	if err != nil {
		b.Fatal(err)
	}
	var buffer trace.Buffer
	if _, err := trace.Copy(&buffer, rec.Events); err != nil {
		b.Fatal(err)
	}
	w := text.NewWriter(io.Discard, rec)
	b.ReportAllocs()
	for b.Loop() {
		w.WriteEvents(buffer.Events)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(buffer.Events)), "ns/event")
}
