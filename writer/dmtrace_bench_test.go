package writer_test

import (
	"io"
	"testing"

	"artifice/internal/testdata"
	"artifice/reader"
	"artifice/trace"
	"artifice/writer"
)

// BenchmarkDmtrace writes the events of a real file over and over. A streaming
// file is written as the events come; a classic one keeps them until its tables
// are known, beyond 8 MiB in a temporary file.
func BenchmarkDmtrace(b *testing.B) {
	rec, events := loadReal(b)
	for _, format := range []string{"art", "art-stream"} {
		b.Run(format, func(b *testing.B) {
			d, err := writer.NewDmtrace(io.Discard, rec, writer.DmtraceConfig{Format: format, TempDir: b.TempDir()})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				for i := 0; i < len(events); i += trace.BatchSize {
					if err := d.WriteEvents(events[i:min(len(events), i+trace.BatchSize)]); err != nil {
						b.Fatal(err)
					}
				}
			}
			if err := d.Close(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(events)), "ns/event")
		})
	}
}

// loadReal returns a real trace as one that no file lies behind.
func loadReal(t testing.TB) (*trace.Recording, []trace.Event) {
	t.Helper()
	f, err := reader.Open(testdata.Path(t, "traces", "instrumented-art-file.trace"), reader.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var events trace.Buffer
	if _, err := trace.Copy(&events, f.Events); err != nil {
		t.Fatal(err)
	}
	return &trace.Recording{Info: f.Info, Symbols: f.Symbols}, events.Events
}
