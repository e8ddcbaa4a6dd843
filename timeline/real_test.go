package timeline_test

import (
	"bytes"
	"os"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/reader"
	"artifice/timeline"
	"artifice/trace"
	"artifice/writer"
)

// TestRealAtrace: what atrace -z printed on a phone. The numbers are those of
//
//	tail -c +8 atrace-z.bin | zlib-flate -uncompress | grep -c 'tracing_mark_write: B|'
//
// and so on: 463 begins and as many ends, on 4 threads, with 35 names, from
// 683202.115809 to 683202.352760 seconds.
func TestRealAtrace(t *testing.T) {
	file, err := os.ReadFile(testdata.Path(t, "other", "atrace-z.bin"))
	if err != nil {
		t.Fatal(err)
	}
	rec, err := timeline.Read(bytes.NewReader(file), "atrace-z.bin", -1, format(t, file), timeline.Config{})
	if err != nil {
		t.Fatal(err)
	}
	events := eventsOf(t, &rec.Recording)
	enters := 0
	for _, e := range events {
		if e.Action == trace.Enter {
			enters++
		}
	}
	if enters != 463 || len(events) != 926 || len(rec.Symbols.Threads) != 4 || len(rec.Symbols.Methods) != 35 || len(rec.Warnings) > 0 {
		t.Errorf("%d events, %d of them enters, %d threads, %d methods, warnings %v", len(events), enters, len(rec.Symbols.Threads), len(rec.Symbols.Methods), rec.Warnings)
	}
	if last := events[len(events)-1].Wall; rec.Info.Start != 683202115809*time.Microsecond || last != 236951*time.Microsecond {
		t.Errorf("from %v on for %v", rec.Info.Start, last)
	}
}

// BenchmarkRead reads a real trace, ten times over in a row, in every format that
// package writer writes.
func BenchmarkRead(b *testing.B) {
	in, err := reader.Open(testdata.Path(b, "traces", "instrumented-art-file.trace"), reader.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	var all trace.Buffer
	if _, err := trace.Copy(&all, in.Events); err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"perfetto", "chrome", "ftrace"} {
		b.Run(name, func(b *testing.B) {
			var file bytes.Buffer
			w, err := writer.ByName(name).Open(&file, &in.Recording, writer.Options{})
			if err != nil {
				b.Fatal(err)
			}
			w.WriteEvents(testdata.Repeat(all.Events, 10))
			w.Close()
			f := format(b, file.Bytes())
			events := int64(0)
			for b.Loop() {
				rec, err := timeline.Read(bytes.NewReader(file.Bytes()), name, -1, f, timeline.Config{})
				if err != nil {
					b.Fatal(err)
				}
				n, err := trace.Copy(trace.Discard, rec.Events)
				rec.Close()
				if err != nil {
					b.Fatal(err)
				}
				events += n
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
		})
	}
}
