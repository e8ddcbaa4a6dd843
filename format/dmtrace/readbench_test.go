package dmtrace

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"

	"artifice/internal/testdata"
	"artifice/trace"
)

// BenchmarkRead reads a real file with its records repeated 30 times, and exits added for open
// frames. BenchmarkBytes measures the same without decoding.
func BenchmarkRead(b *testing.B) {
	data, events := repeated(b, "instrumented-art-file.trace")
	batch := make([]trace.Event, trace.BatchSize)
	b.ReportAllocs()
	for b.Loop() {
		f, err := New(bytes.NewReader(data), "bench", ReadOptions{})
		if err != nil {
			b.Fatal(err)
		}
		for err == nil {
			_, err = f.Events.ReadEvents(batch)
		}
		if err != io.EOF {
			b.Fatal(err)
		}
	}
	perEvent(b, events)
}

// BenchmarkReadCores reads the same records from a file, and files in format V2, on one core and on
// two.
func BenchmarkReadCores(b *testing.B) {
	data, events := repeated(b, "instrumented-art-file.trace")
	path := b.TempDir() + "/bench.trace"
	writeFile(b, path, data)
	onCores(b, "classic", func(b *testing.B) { readFile(b, path, events) })
	for _, g := range generations {
		path := benchmarkV2(b, g, 2)
		onCores(b, fmt.Sprint("V2 of ", g), func(b *testing.B) { readFile(b, path, benchmarkEvents) })
	}
}

// onCores runs a benchmark on one core and on two.
func onCores(b *testing.B, name string, run func(b *testing.B)) {
	for _, cores := range []int{1, 2} {
		b.Run(fmt.Sprintf("%s/cores=%d", name, cores), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			run(b)
		})
	}
}

// readFile reads a file and checks its number of events.
func readFile(b *testing.B, path string, events int) {
	batch := make([]trace.Event, trace.BatchSize)
	b.ReportAllocs()
	for b.Loop() {
		f, err := Open(path, ReadOptions{})
		if err != nil {
			b.Fatal(err)
		}
		for err == nil {
			_, err = f.Events.ReadEvents(batch)
		}
		if err != io.EOF {
			b.Fatal(err)
		}
		f.Close()
	}
	perEvent(b, events)
}

// BenchmarkBytes copies the same bytes without decoding them.
func BenchmarkBytes(b *testing.B) {
	data, events := repeated(b, "instrumented-art-file.trace")
	block := make([]byte, bufferSize)
	for b.Loop() {
		for r := bytes.NewReader(data); ; {
			if _, err := r.Read(block); err != nil {
				break
			}
		}
	}
	perEvent(b, events)
}

func perEvent(b *testing.B, events int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*events), "ns/event")
}

// repeated returns a file with its records repeated 30 times, and their number.
func repeated(b *testing.B, name string) ([]byte, int) {
	f, err := Open(testdata.Path(b, "traces", name), ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var closed bytes.Buffer
	w, err := NewWriter(&closed, &f.Recording, Options{Portable: true})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := trace.Copy(w, f.Events); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	data := closed.Bytes()
	const times = 30
	at := bytes.Index(data, []byte("SLOW")) + 32
	data = bytes.Replace(data, []byte("num-method-calls="), []byte("x="), 1) // it is no longer true
	at -= len("num-method-calls=") - len("x=")
	records := data[at:]
	return append(data[:at:at], bytes.Repeat(records, times)...), len(records) / 14 * times
}

// TestReadAllocatesNothing checks that reading events does not allocate memory once all symbols are
// defined.
func TestReadAllocatesNothing(t *testing.T) {
	key := append([]byte(madeKey(3, "clock=dual")), madeHeader(3, 14)...)
	for name, records := range map[string][]byte{
		"listed":   bytes.Repeat(madeRecords(2, dualRecords...), 60000),
		"unlisted": bytes.Repeat(madeRecords(2, rec{9, 0xfffffffc, []uint32{1, 2}}), 60000),
	} {
		f, err := New(bytes.NewReader(append(bytes.Clone(key), records...)), name, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		batch := make([]trace.Event, 500)
		f.Events.ReadEvents(batch)
		if allocs := testing.AllocsPerRun(100, func() { f.Events.ReadEvents(batch) }); allocs != 0 {
			t.Errorf("%s: %v allocations for 500 events", name, allocs)
		}
	}
}
