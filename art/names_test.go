package art

import (
	"strings"
	"testing"
	"time"

	"artifice/trace"
)

// logOf returns the log of a thread with one event, and the error of writing the event.
func logOf(t *testing.T, runtime string, thread trace.Thread, cfg Config) (*Log, error) {
	t.Helper()
	var err error
	if cfg.Runtime, err = ByName(runtime); err != nil {
		t.Fatal(err)
	}
	truth := &trace.Recording{Symbols: &trace.Symbols{Threads: []trace.Thread{thread}, Methods: []trace.Method{{Class: "a", Name: "b"}}}}
	l, err := NewLog(truth, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.WriteEvents([]trace.Event{{}}); err != nil {
		return l, err
	}
	return l, l.Stop(time.Millisecond)
}

// TestLargeTIDs: a stream up to Android 13 aborts at a tid from kMaxThreadIdNumber on, 65536 on
// devices and 1048576 on PCs. A file, and later releases, write its low 16 bits.
func TestLargeTIDs(t *testing.T) {
	for _, test := range []struct {
		runtime      string
		tid          uint32
		stream, host bool
		aborts       bool
	}{
		{"art8", 65535, true, false, false}, {"art8", 65537, true, false, true},
		{"art13", 65537, true, false, true}, {"art13", 65537, false, false, false},
		{"art11", 65537, true, true, false}, {"art11", 1<<20 - 1, true, true, false}, {"art11", 1<<20 + 1, true, true, true},
		{"art14", 65537, true, false, false}, {"art15", 1<<20 + 1, true, false, false},
	} {
		_, err := logOf(t, test.runtime, trace.Thread{TID: test.tid, Name: "main"}, Config{Streaming: test.stream, HostBuild: test.host})
		if (err != nil) != test.aborts {
			t.Errorf("%+v: %v", test, err)
		}
		if err != nil && !strings.Contains(err.Error(), "aborts the app") {
			t.Errorf("%+v: error %v, want one with the reason", test, err)
		}
	}
}

// TestNamesOfThreads: tabs and line ends in a thread's name are replaced with a warning, in the
// table and in a stream's announcement, or kept.
func TestNamesOfThreads(t *testing.T) {
	const name = "a\tb\nc\rd"
	for _, exact := range []bool{false, true} {
		want := "a b c d"
		if exact {
			want = name
		}
		for _, stream := range []bool{false, true} {
			l, err := logOf(t, "art11", trace.Thread{TID: 7, Name: name}, Config{Streaming: stream, ExactNames: exact})
			if err != nil {
				t.Fatal(err)
			}
			rec := l.Recording()
			if got := rec.Source.Threads; len(got) != 1 || got[0] != "7\t"+want {
				t.Errorf("exact %t: table %q", exact, got)
			}
			if stream {
				last := rec.Source.Announced[len(rec.Source.Announced)-1]
				if last.Method || last.Text != want {
					t.Errorf("exact %t: announced %+v", exact, last)
				}
			}
			if warned := len(rec.Warnings) == 1; warned == exact {
				t.Errorf("exact %t: warnings %v", exact, rec.Warnings)
			}
		}
	}
}
