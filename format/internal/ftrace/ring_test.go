package ftrace_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"artifice/format/internal/formattest"
	"artifice/format/internal/ftrace"
	"artifice/format/internal/kind"
	"artifice/internal/testdata/tracetest"
	"artifice/trace"
)

// TestRing checks which records the kernel's buffers keep (kernel/trace/ring_buffer.c), computed by
// hand. The records of the marks B|7|a.B and E|7 have 16 bytes (print_entry), their text of 7 and 3
// bytes, 2 bytes for the line end and NUL, and a head of 4 bytes. Aligned to 4, they have 32 and 28
// bytes. A page of 4080 bytes has room for 136 records: 68 calls of 60 bytes. 7 KiB are two pages,
// like 4 KiB; 8 KiB are three.
//
// 1,000 calls fill 14 pages, and 48 calls are in a 15th. If records are 134,217,728 ns apart or
// more, each record except the first of a page is 8 bytes longer. A call then has 68 + 36 = 104
// bytes. A page has room for 39 calls and one more begin: its first begin has 32 instead of 40
// bytes, which leaves 32.
func TestRing(t *testing.T) {
	for _, c := range []struct {
		kilobytes int64
		circular  bool
		interval  time.Duration
		first, n  int // index of the first record, and their number
	}{
		{0, false, time.Microsecond, 0, 2000},
		{7, false, time.Microsecond, 0, 2 * 136},
		{7, true, time.Microsecond, 2000 - 96 - 136, 96 + 136},
		{4, true, time.Microsecond, 2000 - 96 - 136, 96 + 136},
		{8, true, time.Microsecond, 2000 - 96 - 2*136, 96 + 2*136},
		{7, false, 1 << 27, 0, longPages(2)},
		{7, false, 1<<27 - 1, 0, 2 * 136},
	} {
		var b strings.Builder
		rec := manyCalls(c.interval)
		w, err := ftrace.Format.Write(&b, rec, ftrace.Options{BufferKB: c.kilobytes, Circular: c.circular})
		if err != nil {
			t.Fatal(err)
		}
		tracetest.Fill(t, w, rec.Events)
		var got []string
		for line := range strings.Lines(b.String()) {
			if _, mark, ok := strings.Cut(line, "] ...1 "); ok {
				got = append(got, strings.TrimSpace(mark))
			}
		}
		var want []string
		for i := c.first; i < c.first+c.n; i++ {
			at := time.Duration(i) * c.interval / time.Microsecond
			want = append(want, fmt.Sprintf("%d.%06d: tracing_mark_write: %s", at/1e6, at%1e6, []string{"B|7|a.B", "E|7"}[i%2]))
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%+v: %d records from %q on, want %d from %q on", c, len(got), got[0], len(want), want[0])
		}
		if head := fmt.Sprintf("# entries-in-buffer/entries-written: %d/2000   #P:1\n", c.n); strings.Contains(b.String(), head) != (c.kilobytes > 0) {
			t.Errorf("%+v: no %q", c, head)
		}
		if lost := len(w.Notes()) > 0; lost != (c.n < 2000) {
			t.Errorf("%+v: notes %q", c, w.Notes())
		}
	}
}

// longPages returns how many records of 40 and 36 bytes fit into pages; the first record of a page
// is 8 bytes shorter.
func longPages(pages int) (records int) {
	for range pages {
		for room := 4080; ; records++ {
			size := 40 - 4*(records%2)
			if room == 4080 {
				size -= 8
			}
			if room -= size; room < 0 {
				break
			}
		}
	}
	return records
}

// manyCalls returns a recording of 1,000 calls, whose consecutive events differ by interval.
func manyCalls(interval time.Duration) *trace.Recording {
	rec := &trace.Recording{Info: trace.Info{Clock: trace.Wall}, Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{TID: 7, Name: "main"})
	m := rec.Symbols.AddMethod(trace.Method{Class: "a", Name: "B"})
	var events []trace.Event
	for i := range 1000 {
		at := time.Duration(2*i) * interval
		events = append(events, trace.Event{Wall: at, Method: m}, trace.Event{Wall: at + interval, Method: m, Action: trace.Exit})
	}
	rec.Events = trace.NewSliceReader(events)
	return rec
}

// TestRingOfCores checks the buffers of two cores that begin at different times. The kernel marks
// the beginning of the second buffer (test_cpu_buff_start), and the reader warns of it. If the
// header states the number of lost records, the reader warns of that instead.
func TestRingOfCores(t *testing.T) {
	const text = "# tracer: nop\n#\n" +
		"            main-7     (    7) [000] ...1 1.000001: tracing_mark_write: B|7|a.B\n" +
		"            main-7     (    7) [000] ...1 1.000002: tracing_mark_write: E|7\n" +
		"##### CPU 1 buffer started ####\n" +
		"               b-8     (    7) [001] ...1 1.000003: tracing_mark_write: B|7|a.C\n" +
		"               b-8     (    7) [001] ...1 1.000004: tracing_mark_write: E|7\n"
	o := formattest.MustOpen(t, []byte(text), kind.Config{})
	if n := len(tracetest.Events(t, o.Recording.Events)); n != 4 {
		t.Errorf("%d events", n)
	}
	if w := o.Recording.Warnings; len(w) != 1 || !strings.Contains(w[0].String(), "in:5: the buffer of a CPU core starts here") {
		t.Errorf("warnings %v", w)
	}
	for head, want := range map[string]string{"7/9 ": "2 of 9 records are lost", "9/9 ": "", "9": ""} {
		whole := strings.Replace(text, "#\n", "# entries-in-buffer/entries-written: "+head+"  #P:2\n", 1)
		o := formattest.MustOpen(t, []byte(strings.Replace(whole, "##### CPU 1 buffer started ####\n", "", 1)), kind.Config{})
		if w := o.Recording.Warnings; len(w) != 1 && want != "" || len(w) > 0 && (want == "" || !strings.Contains(w[0].String(), want)) {
			t.Errorf("%s: warnings %v", head, w)
		}
	}
}
