package dmtrace_test

import (
	"bytes"
	"strings"
	"testing"

	"artifice/format/dmtrace"
	"artifice/trace"
)

// namedRecording returns a recording with nested calls of the methods, in a thread without a name.
func namedRecording(methods ...trace.Method) (*trace.Recording, []trace.Event) {
	rec := &trace.Recording{Info: trace.Info{Clock: trace.Wall}}
	rec.Symbols = &trace.Symbols{Threads: []trace.Thread{{TID: 1}}, Methods: methods}
	return rec, []trace.Event{
		{Method: 0, Action: trace.Enter, Wall: 1000}, {Method: 1, Action: trace.Enter, Wall: 2000},
		{Method: 1, Action: trace.Exit, Wall: 3000}, {Method: 0, Action: trace.Exit, Wall: 4000},
	}
}

// written returns the file of a recording.
func written(t *testing.T, rec *trace.Recording, events []trace.Event, o dmtrace.Options) (file, notes string) {
	t.Helper()
	var b bytes.Buffer
	w, err := dmtrace.NewWriter(&b, rec, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteEvents(events); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), strings.Join(w.Notes(), "\n")
}

// TestComplete: missing parts of names are completed, with one note. Reading the file removes the
// completed parts, unless a method had them originally.
func TestComplete(t *testing.T) {
	const option = "artifice-completed="
	for _, c := range []struct {
		methods      []trace.Method
		lines, parts string
	}{
		{[]trace.Method{{ID: 4, Name: "main"}, {ID: 8, Class: "a.B", Name: "c"}}, "*methods\n0x4\tunknown\tmain\t()V\t\n0x8\ta.B\tc\t()V\t\n*end", "class,signature"},
		{[]trace.Method{{ID: 4, Class: "unknown", Name: "x"}, {ID: 8, Name: "c"}}, "*methods\n0x4\tunknown\tx\t()V\t\n0x8\tunknown\tc\t()V\t\n*end", "signature"},
		{[]trace.Method{{ID: 4, Name: "main", Signature: "()V"}, {ID: 8, Class: "a.B", Name: "c"}}, "*methods\n0x4\tunknown\tmain\t()V\t\n0x8\ta.B\tc\t()V\t\n*end", "class"},
	} {
		rec, events := namedRecording(c.methods...)
		file, notes := written(t, rec, events, dmtrace.Options{Complete: true})
		if !strings.Contains(file, c.lines) || !strings.Contains(file, option+c.parts+"\n*threads\n1\tthread-1\n") || strings.Count(notes, "completed") != 1 {
			t.Errorf("%v: %q, notes %q", c.methods, file, notes)
		}
		read, err := dmtrace.New(strings.NewReader(file), "made.trace", dmtrace.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range read.Symbols.Methods {
			want := c.methods[i]
			if !strings.Contains(c.parts, "signature") {
				want.Signature = "()V"
			}
			if !strings.Contains(c.parts, "class") && want.Class == "" {
				want.Class = "unknown"
			}
			if m != want {
				t.Errorf("read %+v, want %+v", m, want)
			}
		}
	}
}

// TestCompleteNamesAreUnchanged: complete names are not changed, and without the option no name is
// changed.
func TestCompleteNamesAreUnchanged(t *testing.T) {
	full := []trace.Method{{ID: 4, Class: "a.A", Name: "m", Signature: "(I)V"}, {ID: 8, Class: "a.B", Name: "n", Signature: "()V"}}
	for _, format := range []string{"art", "dalvik3"} { // streams and V2 keep names as they are
		rec, events := namedRecording(full...)
		rec.Symbols.Threads[0].Name = "main"
		with, notes := written(t, rec, events, dmtrace.Options{Format: format, Complete: true})
		if without, _ := written(t, rec, events, dmtrace.Options{Format: format}); with != without || strings.Contains(notes, "completed") {
			t.Errorf("%s: %q, without the option %q; notes %q", format, with, without, notes)
		}
		rec, events = namedRecording(trace.Method{ID: 4, Name: "m"}, trace.Method{ID: 8, Name: "n"})
		if without, _ := written(t, rec, events, dmtrace.Options{Format: format}); strings.Contains(without, "unknown") || strings.Contains(without, "()V") {
			t.Errorf("%s: %q", format, without)
		}
		if with, _ := written(t, rec, events, dmtrace.Options{Format: format, Complete: true}); !strings.Contains(with, "unknown\tm\t()V") || !strings.Contains(with, "thread-1") {
			t.Errorf("%s: %q", format, with)
		}
	}
}

// TestDeepForPerfetto: writing a thread with a depth of more than 512 returns a note.
func TestDeepForPerfetto(t *testing.T) {
	for _, depth := range []int{512, 513} {
		rec, _ := namedRecording(trace.Method{ID: 4, Class: "a.A", Name: "m", Signature: "()V"})
		_, notes := written(t, rec, make([]trace.Event, depth), dmtrace.Options{Complete: true})
		if got := strings.Contains(notes, "Perfetto keeps 512"); got != (depth > 512) {
			t.Errorf("depth %d: notes %q", depth, notes)
		}
	}
}
