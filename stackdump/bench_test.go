package stackdump

import (
	"bytes"
	"io"
	"os"
	"testing"

	"artifice/internal/decode"
	"artifice/internal/testdata"
	"artifice/trace"
)

// BenchmarkRead reads real dumps, repeated to about 16 MB, to the dumps and to
// the events. Time and allocations are per repeated file.
func BenchmarkRead(b *testing.B) {
	for _, bench := range []struct{ name, file string }{
		{"anr", "anr/wanandroid-traces.txt"},
		{"anr-native", "anr/sentry-thread_dump_native_only.txt"},
		{"jstack", "jstack/thread-pool-load/thread-pool-load-4.txt"},
		{"perf", "other/perf-java-stacks-01.txt"},
		{"folded", "other/profilo-stacks.folded"},
	} {
		one, err := os.ReadFile(testdata.Path(b, bench.file))
		if err != nil {
			b.Fatal(err)
		}
		text := repeat(one)
		b.Run(bench.name+"/dumps", func(b *testing.B) { benchmark(b, text, readDumps) })
		b.Run(bench.name+"/events", func(b *testing.B) { benchmark(b, text, readEvents) })
	}
}

// BenchmarkJSONLines does the same with our own form.
func BenchmarkJSONLines(b *testing.B) {
	file, err := os.Open("testdata/jvm/phases.jsonl.gz")
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	plain, err := decode.Text(file, 0)
	if err != nil {
		b.Fatal(err)
	}
	one, err := io.ReadAll(plain)
	if err != nil {
		b.Fatal(err)
	}
	benchmark(b, repeat(one), readEvents)
}

// repeat returns about 16 MB of a text.
func repeat(one []byte) []byte { return bytes.Repeat(one, 1+(16<<20)/len(one)) }

func benchmark(b *testing.B, text []byte, read func(io.Reader) error) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := read(bytes.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}

func readDumps(in io.Reader) error {
	r, err := NewReader(in, "bench", ReaderConfig{})
	for err == nil {
		_, err = r.Next()
	}
	if err == io.EOF {
		return nil
	}
	return err
}

func readEvents(in io.Reader) error {
	s, err := New(in, "bench", Config{})
	if err != nil {
		return err
	}
	_, err = trace.Copy(trace.Discard, s)
	return err
}
