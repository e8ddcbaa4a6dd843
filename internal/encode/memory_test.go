package encode_test

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"testing"

	"artifice/format/dmtrace"

	"artifice/internal/testdata"
	"artifice/trace"
)

// repeatReader returns head once, then body repeatedly, n bytes in total.
type repeatReader struct {
	head, body []byte
	at         int
	n          int64
}

func (r *repeatReader) Read(p []byte) (int, error) {
	if r.n <= 0 {
		return 0, io.EOF
	}
	if r.at == len(r.head) {
		r.head, r.at = r.body, 0
	}
	k := copy(p[:min(int64(len(p)), r.n)], r.head[r.at:])
	r.at += k
	r.n -= int64(k)
	return k, nil
}

// TestMemoryOfLongTraces checks that memory does not grow with the trace: 64 MiB suffice for 2 GiB
// of records. ARTIFICE_BIG_TRACE=1 reads 2 GiB. Otherwise the test reads up to 192 MiB, several
// times the size of any buffer.
func TestMemoryOfLongTraces(t *testing.T) {
	size := int64(testdata.Times(64, 192)) << 20
	if testing.Short() {
		size = 64 << 20
	}
	if os.Getenv("ARTIFICE_BIG_TRACE") != "" {
		size = 2 << 30
	}
	data, err := os.ReadFile(testdata.Path(t, "traces", "instrumented-art-file.trace"))
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.Replace(data, []byte("num-method-calls="), []byte("x="), 1)
	at := bytes.Index(data, []byte("SLOW")) + 32
	size -= size % int64(len(data)-at)
	open := func() *dmtrace.File {
		f, err := dmtrace.New(&repeatReader{head: data[:at], body: data[at:], n: size + int64(at)}, "long", dmtrace.ReadOptions{TempDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for name, run := range map[string]func(*dmtrace.File) error{
		"convert": func(f *dmtrace.File) error {
			d, err := dmtrace.NewWriter(io.Discard, &f.Recording, dmtrace.Options{TempDir: t.TempDir()})
			if err != nil {
				return err
			}
			if _, err := trace.Copy(&watch{Writer: d, t: t}, f.Events); err != nil {
				return err
			}
			return d.Close()
		},
		"time order": func(f *dmtrace.File) error {
			if err := f.InTimeOrder(); err != nil {
				return err
			}
			n, err := trace.Copy(&watch{Writer: &trace.Checker{}, t: t, idle: true}, f.Events)
			if want := size / 14; n != want {
				t.Errorf("%d events, want %d", n, want)
			}
			return err
		},
	} {
		debug.FreeOSMemory() // garbage of other tests
		f := open()
		if err := run(f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		f.Close()
	}
}

// watch fails the test if the heap exceeds 64 MiB.
type watch struct {
	trace.Writer
	t    *testing.T
	n    int
	idle bool // only checks the heap
}

func (w *watch) WriteEvents(p []trace.Event) error {
	if w.n++; w.n%256 == 0 {
		var m runtime.MemStats
		if runtime.ReadMemStats(&m); m.HeapInuse > 64<<20 {
			w.t.Fatalf("%d MiB of heap in use after %d batches", m.HeapInuse>>20, w.n)
		}
	}
	if w.idle {
		return nil
	}
	return w.Writer.WriteEvents(p)
}
