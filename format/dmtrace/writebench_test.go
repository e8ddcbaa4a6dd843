package dmtrace_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"artifice/format/dmtrace"
	"artifice/internal/cli"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// BenchmarkWrite writes the events of a real file 60 times, like the program but without waiting
// for the disk. A streaming file is written sequentially. A classic file is written in place, and
// its key section has the expected length or another one. For a pipe, records beyond 8 MiB are in a
// temporary file until the key section is written. bytes measures the share of the system: it
// writes the same number of bytes without computing them. Each file is new, because truncating and
// rewriting a file waits for the disk (ext4's auto_da_alloc).
func BenchmarkWrite(b *testing.B) {
	const times = 60
	rec, events := tracetest.RealEvents(b, "instrumented-art-file.trace")
	b.Run("bytes", func(b *testing.B) {
		block, n := bytes.Repeat([]byte{1}, 1<<18), times*len(events)
		for b.Loop() {
			writeAndRemove(b, func(file *cli.File) {
				for left := n * 14; left > 0; left -= len(block) {
					if _, err := file.Write(block[:min(len(block), left)]); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/event")
	})
	for _, bm := range []struct {
		name, format string
		file         bool
		events       int // number of events that the recording states in advance; 0: none
	}{
		{"art", "art", true, times * len(events)}, {"art-moved", "art", true, 0},
		{"art-pipe", "art", false, 0}, {"art-stream", "art-stream", true, 0}, {"art-stream-nowhere", "art-stream", false, 0},
	} {
		b.Run(bm.name, func(b *testing.B) {
			rec.Info.Events = int64(bm.events)
			b.ReportAllocs()
			for b.Loop() {
				if !bm.file {
					writeTimes(b, io.Discard, bm.format, rec, events, times)
					continue
				}
				writeAndRemove(b, func(file *cli.File) { writeTimes(b, file, bm.format, rec, events, times) })
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*times*len(events)), "ns/event")
		})
	}
}

// writeAndRemove measures write with a new file that receives all output.
func writeAndRemove(b *testing.B, write func(*cli.File)) {
	b.StopTimer()
	file, err := cli.Create(filepath.Join(b.TempDir(), "out.trace"), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.StartTimer()
	write(file)
	if _, err := file.ReadAt(nil, 0); err != nil { // waits for all pending writes
		b.Fatal(err)
	}
	b.StopTimer()
	file.Abort()
	b.StartTimer()
}

// writeTimes writes events repeatedly.
func writeTimes(b *testing.B, w io.Writer, format string, rec *trace.Recording, events []trace.Event, times int) {
	d, err := dmtrace.NewWriter(w, rec, dmtrace.Options{Format: format, TempDir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	for range times {
		for i := 0; i < len(events); i += trace.BatchSize {
			if err := d.WriteEvents(events[i:min(len(events), i+trace.BatchSize)]); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := d.Close(); err != nil {
		b.Fatal(err)
	}
}

// outputFile is an [eventlog.Output].
type outputFile struct{ *os.File }

func (outputFile) Rewritable() bool { return true }

func create(t testing.TB, name string) outputFile {
	t.Helper()
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	return outputFile{file}
}
