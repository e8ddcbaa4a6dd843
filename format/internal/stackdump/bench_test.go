package stackdump_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"testing"

	"artifice/format"
	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/decode"
	"artifice/internal/testdata"
	"artifice/trace"
)

// BenchmarkRead reads real dumps, repeated to about 16 MB, as dumps and as events. It includes
// samples of perf script in simpleperf's form, and artifice's own format. Time and allocations are
// per repeated file; a sample is the stack of a thread.
func BenchmarkRead(b *testing.B) {
	for _, bench := range []struct{ name, file string }{
		{"anr", "anr/wanandroid-traces.txt"},
		{"anr-native", "anr/sentry-thread_dump_native_only.txt"},
		{"jstack", "jstack/thread-pool-load/thread-pool-load-4.txt"},
		{"perf", "other/perf-java-stacks-01.txt"},
		{"folded", "other/profilo-stacks.folded"},
		{"simpleperf", ""},
		{"jsonl", ""},
	} {
		var one []byte
		switch bench.name {
		case "simpleperf":
			one = asSimpleperf(b, testdata.Path(b, "other/perf-java-stacks-01.txt"))
		case "jsonl":
			one = unpacked(b, "../jvm/testdata/phases.jsonl.gz")
		default:
			one = unpacked(b, testdata.Path(b, bench.file))
		}
		text := repeat(one)
		b.Run(bench.name+"/dumps", func(b *testing.B) { benchmark(b, text, readDumps) })
		b.Run(bench.name+"/events", func(b *testing.B) { benchmark(b, text, readEvents) })
	}
}

// unpacked returns the text of a file, decompressed.
func unpacked(b *testing.B, name string) []byte {
	file, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	plain, err := decode.Text(file, 0)
	if err != nil {
		b.Fatal(err)
	}
	all, err := io.ReadAll(plain)
	if err != nil {
		b.Fatal(err)
	}
	return all
}

// asSimpleperf converts the samples of perf script to the form of simpleperf report-sample.
func asSimpleperf(b *testing.B, name string) []byte {
	in, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	r, err := stackdump.NewReader(in, name, stackdump.ReaderConfig{Formats: format.Dumps()})
	if err != nil {
		b.Fatal(err)
	}
	full := func(f *stackdump.Frame) string {
		if f.Class == "" {
			return f.Method
		}
		return f.Class + "." + f.Method
	}
	var out []byte
	for {
		d, err := r.Next()
		if err != nil {
			return out
		}
		for _, t := range d.Threads {
			out = fmt.Appendf(out, "sample:\n  event_type: cpu-clock\n  time: %d\n  event_count: 1\n  thread_id: %d\n  thread_name: %s\n", d.Stamp.Uptime, t.ID.TID, t.Name)
			for i, id := range t.Stack {
				indent, caller := "  ", ""
				if i == 1 {
					caller = "  callchain:\n"
				}
				if i > 0 {
					indent = "    "
				}
				out = fmt.Appendf(out, "%s%svaddr_in_file: %x\n%sfile: /system/lib64/libart.so\n%ssymbol: %s\n", caller, indent, i, indent, indent, full(r.Frames().Frame(id)))
			}
		}
	}
}

// repeat repeats a text to about 16 MB.
func repeat(one []byte) []byte { return bytes.Repeat(one, 1+(16<<20)/len(one)) }

func benchmark(b *testing.B, text []byte, read func(io.Reader) (samples int64, err error)) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	all := int64(0)
	for b.Loop() {
		samples, err := read(bytes.NewReader(text))
		if err != nil {
			b.Fatal(err)
		}
		all += samples
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(all), "ns/sample")
}

func readDumps(in io.Reader) (samples int64, err error) {
	r, err := stackdump.NewReader(in, "bench", stackdump.ReaderConfig{Formats: format.Dumps()})
	for err == nil {
		var d *stackdump.Dump
		if d, err = r.Next(); err == nil {
			samples += int64(len(d.Threads))
		}
	}
	if err == io.EOF {
		err = nil
	}
	return samples, err
}

func readEvents(in io.Reader) (samples int64, err error) {
	s, err := formattest.New(in, "bench", stackdump.Config{})
	if err != nil {
		return 0, err
	}
	_, err = trace.Copy(trace.Discard, s)
	return s.Counts().Threads, err
}
