package tracers_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"artifice/format"
	"artifice/format/dmtrace"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/research/internal/peers/seen"
	"artifice/research/internal/peers/tracers"
	"artifice/trace"
)

// BenchmarkRead reads a real trace, repeated ten times, in every format with calls nested in time:
// written by this module's writers or, for formats without one, by package tracers.
func BenchmarkRead(b *testing.B) {
	in, err := dmtrace.Open(testdata.Path(b, "traces", "instrumented-art-file.trace"), dmtrace.ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	var all trace.Buffer
	if _, err := trace.Copy(&all, in.Events); err != nil {
		b.Fatal(err)
	}
	events := tracetest.Closed(testdata.Repeat(all.Events, 10))
	for _, name := range []string{"perfetto", "chrome", "ftrace", "atrace", "speedscope"} {
		b.Run(name, func(b *testing.B) { benchmarkRead(b, written(b, name, &in.Recording, events)) })
	}
	known := seenAs(b, &in.Recording, events)
	for _, name := range []string{"rhea", "nanoscope", "btrace", "matrix", "matrix-buffer"} {
		b.Run(name, func(b *testing.B) {
			files, _ := tracers.ByFormat(name).Write(known)
			benchmarkRead(b, files[0].Bytes)
		})
	}
}

// benchmarkRead reads a file to its events.
func benchmarkRead(b *testing.B, file []byte) {
	events := int64(0)
	for b.Loop() {
		o, err := format.New(bytes.NewReader(file), "file", format.Config{})
		if err != nil {
			b.Fatal(err)
		}
		n, err := trace.Copy(trace.Discard, o.Recording.Events)
		o.Close()
		if err != nil {
			b.Fatal(err)
		}
		events += n
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
}

// written returns the file of a writer for events.
func written(t testing.TB, name string, rec *trace.Recording, events []trace.Event) []byte {
	var file bytes.Buffer
	w, err := format.ByName(name).Write(&file, rec)
	if err == nil {
		err = errors.Join(w.WriteEvents(events), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// seenAs converts events for package tracers.
func seenAs(t testing.TB, rec *trace.Recording, events []trace.Event) *seen.Trace {
	path := filepath.Join(t.TempDir(), "known.trace")
	if err := os.WriteFile(path, written(t, "art", rec, events), 0o666); err != nil {
		t.Fatal(err)
	}
	known, err := seen.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return known
}
