package art11

import (
	"bytes"
	"encoding/binary"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/trace"
)

// open11 returns ART. If it is not installed, the test is skipped; in CI it fails.
func open11(t *testing.T) *ART {
	t.Helper()
	a, err := Open()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return a
}

// call returns a truth with one thread. It calls a from 1 to 4 ms, and a calls b, which is native,
// from 1.5 to 3 ms. The thread always runs, and has used 1 ms of CPU time before.
func call(t *testing.T) *Truth {
	t.Helper()
	const ms = time.Millisecond
	truth, err := NewTruth(&trace.Recording{
		Info: trace.Info{Technique: trace.Truth, Elapsed: 5 * ms},
		Symbols: &trace.Symbols{
			Threads: []trace.Thread{{TID: 7, Name: "main"}},
			Methods: []trace.Method{{Class: "x", Name: "a"}, {Class: "x", Name: "b", Flags: trace.Native}},
		},
		Events: trace.NewSliceReader([]trace.Event{
			{Wall: 1 * ms, CPU: 2 * ms}, {Wall: 3 * ms / 2, CPU: 5 * ms / 2, Method: 1},
			{Wall: 3 * ms, CPU: 4 * ms, Method: 1, Action: trace.Exit}, {Wall: 4 * ms, CPU: 5 * ms, Action: trace.Exit},
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

// record is a record of a file with both clocks: "version 3" in ART's runtime/trace.cc.
type record struct {
	TID       uint16
	Method    uint32
	CPU, Wall uint32 // us
}

// TestRecord: ART writes the events of the truth: in instrumented mode the calls at their times, in
// sampling mode the changes of the stack at each millisecond. The CPU time of a thread is relative
// to its first reading.
func TestRecord(t *testing.T) {
	a := open11(t)
	for _, c := range []struct {
		way     Way
		elapsed string
		want    []record
	}{
		{Way{}, "5000", []record{{7, 0, 0, 1000}, {7, 4, 500, 1500}, {7, 5, 2000, 3000}, {7, 1, 3000, 4000}}},
		{Way{Sampled: true, Interval: time.Millisecond}, "6000", []record{{7, 0, 0, 1000}, {7, 4, 1000, 2000}, {7, 5, 2000, 3000}, {7, 1, 3000, 4000}}},
	} {
		r, err := a.Record(call(t), c.way)
		if err != nil {
			t.Fatal(err)
		}
		text, data, _ := bytes.Cut(r.File, []byte("*end\n"))
		if !strings.Contains(string(text), "\nelapsed-time-usec="+c.elapsed+"\n") || !strings.Contains(string(text), "\n0x4\tv.N1$1\tm\t()V\tM.java\n") {
			t.Errorf("%s: the tables are\n%s", c.way, text)
		}
		got := make([]record, len(c.want))
		if err := binary.Read(bytes.NewReader(data[32:]), binary.LittleEndian, got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -truth +ART\n%s", c.way, diff)
		}
	}
}

// TestTimeLimit: a run that exceeds its time limit is ended, and the error names it.
func TestTimeLimit(t *testing.T) {
	a := open11(t)
	a.patience = time.Millisecond
	_, err := a.Record(call(t), Way{})
	if err == nil || !strings.Contains(err.Error(), "instrumented, clock dual: it hung") {
		t.Errorf("the error is %v", err)
	}
}

// TestRefused: unsupported truths and options return an error with the reason.
func TestRefused(t *testing.T) {
	main, exit := trace.Thread{TID: 7, Name: "main"}, trace.Event{Wall: 5, Action: trace.Exit}
	for want, c := range map[string]struct {
		threads []trace.Thread
		events  []trace.Event
	}{
		"is not there":       {[]trace.Thread{{TID: 7, Start: 1}}, nil},
		"is not in":          {[]trace.Thread{main}, []trace.Event{exit}},
		"comes after":        {[]trace.Thread{main}, []trace.Event{{Wall: 6}, exit}},
		"ahead of it":        {[]trace.Thread{main, {TID: 8, Start: 9}, {TID: 9, Start: 8}}, nil},
		"with 1 method":      {[]trace.Thread{main, {TID: 8, End: 9}}, []trace.Event{{Thread: 1, Wall: 6}}},
		"an event at 10ns a": {[]trace.Thread{main, {TID: 8, End: 9}}, []trace.Event{{Thread: 1, Wall: 6}, {Thread: 1, Wall: 10, Action: trace.Exit}}},
	} {
		_, err := NewTruth(&trace.Recording{
			Info: trace.Info{Technique: trace.Truth}, Events: trace.NewSliceReader(c.events),
			Symbols: &trace.Symbols{Threads: c.threads, Methods: []trace.Method{{Class: "x", Name: "a"}}},
		})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v", want, err)
		}
	}
}
