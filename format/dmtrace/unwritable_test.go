package dmtrace_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/format/dmtrace"
	"artifice/internal/dmformat"
	"artifice/trace"
)

func TestIncompatibleSource(t *testing.T) {
	events := []trace.Event{{}}
	for _, test := range []struct {
		source trace.Source
		id     uint64
		want   string
	}{
		{trace.Source{Format: "art", RecordSize: 9}, 4, "the source's records have 9 bytes"},
		{trace.Source{Format: "art"}, 5, "method id 0x5 is not a multiple of 4"},
		{trace.Source{Format: "art"}, 1 << 32, "method id 0x100000000 is not a multiple"},
		{trace.Source{Format: "art-stream", Announced: []trace.Announcement{{Before: 2, Text: "x"}}}, 4, "come after the last event, 1"},
		{trace.Source{Format: "art-stream", Announced: []trace.Announcement{{Text: strings.Repeat("x", 65536)}}}, 4, "65536 bytes"},
	} {
		rec := &trace.Recording{Symbols: &trace.Symbols{Threads: []trace.Thread{{TID: 1}}, Methods: []trace.Method{{ID: test.id}}}, Source: &test.source}
		d, err := dmtrace.NewWriter(io.Discard, rec, dmtrace.Options{})
		if err == nil {
			if err = d.WriteEvents(events); err == nil {
				err = d.Close()
			}
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

// TestIDsOutOfRange checks that thread ids of more than 16 or 8 bits and method ids of more than 32
// bits are replaced, with a note. Threads and methods remain distinct.
func TestIDsOutOfRange(t *testing.T) {
	text := "info\tclock\twall\nthread\t70000\tbig\nthread\t4464\tlow\nthread\t300\tmid\nthread\t65536\tzero\n" + // 70000 is 4464 in 16 bits, 65536 is 0
		"method\t0x7f0012345678\ta.A\tf\t()V\t\t-1\nmethod\t0x10\ta.A\tg\t()V\t\t-1\nmethod\t0x10\ta.A\th\t()V\t\t-1\n" +
		"1000 - 70000 enter a.A.f()V\n2000 - 4464 enter a.A.g()V\n3000 - 300 enter a.A.h()V\n4000 - 65536 enter a.A.h()V\n"
	for _, format := range dmformat.Names() {
		var out bytes.Buffer
		rec := fromText(t, text)
		d, err := dmtrace.NewWriter(&out, rec, dmtrace.Options{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trace.Copy(d, rec.Events); err != nil {
			t.Fatal(err)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		f := read(t, out.Bytes())
		var got []string
		for e, err := range trace.All(f.Events) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, f.Symbols.Thread(e.Thread).Name+" "+f.Symbols.Method(e.Method).Name)
		}
		if want := []string{"big f", "low g", "mid h", "zero h"}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
		notes := strings.Join(d.Notes(), "; ")
		v, _ := dmformat.ByName(format)
		if !strings.Contains(notes, "method ids that do not fit or are in use are replaced") || strings.Contains(notes, "thread ids that do not fit or are in use are replaced") != (v.TIDBits < 32) {
			t.Errorf("%s: notes %q", format, notes)
		}
	}
}

func TestTooManyThreads(t *testing.T) {
	rec := &trace.Recording{Symbols: &trace.Symbols{Methods: []trace.Method{{ID: 4}}}}
	var events []trace.Event
	for i := range 300 {
		id, _ := rec.Symbols.AddThread(trace.Thread{TID: uint32(i + 1)})
		events = append(events, trace.Event{Thread: id})
	}
	d, err := dmtrace.NewWriter(io.Discard, rec, dmtrace.Options{Format: "dalvik1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.WriteEvents(events); err == nil || !strings.Contains(err.Error(), "more threads than the format can number (255)") {
		t.Errorf("error %v", err)
	}
	if d.Close() == nil {
		t.Error("Close after an error: no error")
	}
}

func TestBadEvents(t *testing.T) {
	for _, test := range []struct {
		event trace.Event
		want  string
	}{
		{trace.Event{Thread: 1}, "event 1 has thread index 1, but the trace has 1 threads"},
		{trace.Event{Method: 7}, "event 1 has method index 7, but the trace has 1 methods"},
		{trace.Event{Action: 4}, "event 1 has action 4"},
		{trace.Event{Wall: -1}, "before the start"},
		{trace.Event{CPU: -time.Hour}, "before the start"},
	} {
		for _, format := range []string{"art", "dalvik2"} {
			d, err := dmtrace.NewWriter(io.Discard, fromText(t, tinyText), dmtrace.Options{Format: format})
			if err != nil {
				t.Fatal(err)
			}
			err = d.WriteEvents([]trace.Event{{}, test.event})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: error %v, want %q", format, err, test.want)
			}
		}
	}
}
