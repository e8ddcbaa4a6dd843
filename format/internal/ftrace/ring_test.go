package ftrace_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"artifice/format/formattest"
	"artifice/format/internal/ftrace"
	"artifice/format/internal/kind"
	"artifice/trace"
)

// TestRing works out by hand what the kernel's buffers keep (kernel/trace/ring_buffer.c). The marks
// B|7|a.B and E|7 are records of 16 bytes (print_entry), their 7 and 3 bytes of text, 2 for the
// line end and NUL, and 4 of the record's head, 32 and 28 with what aligns them to 4. A page of
// 4080 bytes has room for 136 of them, 68 calls of 60 bytes. 7 KiB are two pages, as 4 KiB are;
// 8 KiB are three.
//
// 1,000 calls fill 14 pages and 48 calls of a 15th. Where records are 134,217,728 ns apart or more,
// each but the first of a page is 8 bytes longer: 68 and 36 bytes for a call of 104 fit 39 times,
// and a begin of 32 bytes in place of 40, which leaves 32.
func TestRing(t *testing.T) {
	for _, c := range []struct {
		kilobytes int64
		circular  bool
		apart     time.Duration
		first, n  int // records
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
		rec := manyCalls(c.apart)
		w, err := ftrace.Format.Write(&b, rec, ftrace.Options{BufferKB: c.kilobytes, Circular: c.circular})
		if err != nil {
			t.Fatal(err)
		}
		formattest.Fill(t, w, rec.Events)
		var got []string
		for line := range strings.Lines(b.String()) {
			if _, mark, ok := strings.Cut(line, "] ...1 "); ok {
				got = append(got, strings.TrimSpace(mark))
			}
		}
		var want []string
		for i := c.first; i < c.first+c.n; i++ {
			at := time.Duration(i) * c.apart / time.Microsecond
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

// longPages is how many records of 40 and 36 bytes, the first of a page without 8 of them, pages
// have.
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

// manyCalls is a recording of 1,000 calls, with apart between two events.
func manyCalls(apart time.Duration) *trace.Recording {
	rec := &trace.Recording{Info: trace.Info{Clock: trace.Wall}, Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{TID: 7, Name: "main"})
	m := rec.Symbols.AddMethod(trace.Method{Class: "a", Name: "B"})
	var events []trace.Event
	for i := range 1000 {
		at := time.Duration(2*i) * apart
		events = append(events, trace.Event{Wall: at, Method: m}, trace.Event{Wall: at + apart, Method: m, Action: trace.Exit})
	}
	rec.Events = trace.NewSliceReader(events)
	return rec
}

// TestRingOfCores: two cores with buffers that begin at different times. The kernel marks the
// beginning of the second one (test_cpu_buff_start), and reading warns of it; or of the number of
// lost records, if the header states it.
func TestRingOfCores(t *testing.T) {
	const text = "# tracer: nop\n#\n" +
		"            main-7     (    7) [000] ...1 1.000001: tracing_mark_write: B|7|a.B\n" +
		"            main-7     (    7) [000] ...1 1.000002: tracing_mark_write: E|7\n" +
		"##### CPU 1 buffer started ####\n" +
		"               b-8     (    7) [001] ...1 1.000003: tracing_mark_write: B|7|a.C\n" +
		"               b-8     (    7) [001] ...1 1.000004: tracing_mark_write: E|7\n"
	o := formattest.MustOpen(t, []byte(text), kind.Config{})
	if n := len(formattest.Events(t, o.Recording)); n != 4 {
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
