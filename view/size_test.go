package view

import (
	"bytes"
	"compress/gzip"
	"testing"
	"time"

	"artifice/format/dmtrace"
	"artifice/internal/testdata"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// maxBytes is the maximum number of bytes per event in the data of a page, unpacked and without
// the names.
const maxBytes = 6

// TestSize logs the bytes per event of the data of a page: for calls and levels, for names, and for
// all data after packing.
func TestSize(t *testing.T) {
	testdata.Seldom(t, 4)
	measure := func(name string, rec *trace.Recording) {
		r, err := Read(rec, name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := &Page{Recordings: []*Recording{r}}
		head, columns, err := p.encode()
		if err != nil {
			t.Fatal(err)
		}
		defer columns.Close()
		var packed bytes.Buffer
		if err := p.writePacked(&packed, gzip.DefaultCompression); err != nil {
			t.Fatal(err)
		}
		d := decode(t, packed.Bytes())
		names, estimates := d.Methods.Bytes, int64(0)
		if e := d.Recordings[0].Estimates; e != nil { // columns between the names and the first thread's calls
			estimates = d.threads[0][0].Calls.Method.At - e.Exclusive.Samples.At
		}
		per := func(n int64) float64 { return float64(n) / float64(r.events) }
		threads := d.Recordings[0].Threads.Bytes
		rest := columns.size() - names - estimates - threads
		t.Logf("%s: %d events, bytes for each: calls and levels %.2f, names and estimates %.2f, header %.2f; packed, all %.2f",
			name, r.events, per(rest), per(names+estimates), per(int64(len(head))+threads), per(int64(packed.Len())))
		if per(rest) > maxBytes {
			t.Errorf("%s: %.2f bytes for each event", name, per(rest))
		}
	}
	for _, name := range []string{"instrumented-art-file.trace", "sampled-art-file.trace", "sampled-streaming.trace"} {
		t.Run(name, func(t *testing.T) {
			in, err := dmtrace.Open(testdata.Path(t, "traces", name), dmtrace.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			measure(name, &in.Recording)
		})
	}
	rec := tracetest.Workload(t, "cold-start", 4*time.Second)
	rec.Events = &microseconds{rec.Events}
	measure("cold-start, 4 s, in us", rec)
}

// microseconds truncates times to us, as in method traces.
type microseconds struct{ trace.Reader }

func (m *microseconds) ReadEvents(p []trace.Event) (int, error) {
	n, err := m.Reader.ReadEvents(p)
	for i := range p[:n] {
		p[i].Wall, p[i].CPU = p[i].Wall.Truncate(time.Microsecond), p[i].CPU.Truncate(time.Microsecond)
	}
	return n, err
}
