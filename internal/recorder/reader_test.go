package recorder

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"artifice/trace"
)

// TestRing checks that a ring of size 3 keeps the last three entries, and one of size 0 all
// entries.
func TestRing(t *testing.T) {
	for _, test := range []struct {
		size, added int
		want        string
	}{
		{3, 0, "[]"}, {3, 2, "[1 2]"}, {3, 3, "[1 2 3]"}, {3, 4, "[2 3 4]"}, {3, 6, "[4 5 6]"}, {3, 100, "[98 99 100]"},
		{1, 7, "[7]"}, {0, 4, "[1 2 3 4]"},
	} {
		r := NewRing[int](test.size)
		for i := range test.added {
			r.Add(i + 1)
		}
		if got := fmt.Sprint(r.Kept()); got != test.want {
			t.Errorf("%d entries in a ring of %d: %s, want %s", test.added, test.size, got, test.want)
		}
	}
}

// TestRingIsSmall checks that the memory of a ring does not grow with the number of added entries.
func TestRingIsSmall(t *testing.T) {
	r := NewRing[int](10)
	for i := range 100000 {
		r.Add(i)
	}
	if cap(r.last) > 64 {
		t.Errorf("capacity %d for a ring of 10, want at most 64", cap(r.last))
	}
}

// late is a tracer that records each event late: by 100 ns on the second thread, by 10 ns on
// others. It delivers events of method 7 immediately, and drops those of method 9.
type late struct{ r *Reader }

// Delay implements [Tracer].
func (l *late) Delay(trace.ThreadID) *Delay { return &Delay{} }

func (l *late) Take(e *trace.Event) error {
	delay := []time.Duration{10, 100}[e.Thread]
	made := *e
	made.Wall += delay
	if e.Method == 7 {
		l.r.Deliver(made, e.Wall, Pending)
		l.r.Deliver(made, e.Wall, Confirmed)
		return nil
	}
	l.r.Put(made, made.Wall, e.Wall)
	return nil
}

func (l *late) End() (time.Duration, error) { return 1000, nil }

func (l *late) Keeps(e *trace.Event) bool { return e.Method != 9 }

func (l *late) Cost() Cost { return Cost{Taken: []time.Duration{10, 100}} }

func lateRecord(src trace.Reader) *Reader {
	symbols := &trace.Symbols{Threads: make([]trace.Thread, 2), Methods: make([]trace.Method, 10)}
	l := &late{}
	l.r = NewReader(&trace.Recording{Symbols: symbols, Events: src}, trace.Info{Interval: 5}, l, "")
	return l.r
}

// TestReader checks that a recording is in the order of its own times, and a Source with the same
// events in the order of app times. Events that are delivered immediately come first.
func TestReader(t *testing.T) {
	truth := []trace.Event{{Wall: 1, Method: 1}, {Wall: 2, Method: 2, Thread: 1}, {Wall: 3, Method: 9}, {Wall: 4, Method: 3}, {Wall: 5, Method: 7, Thread: 1}, {Wall: 150, Method: 4}}
	r := lateRecord(trace.NewSliceReader(truth))
	var record []string
	for e, err := range trace.All(r.Record.Events) {
		if err != nil {
			t.Fatal(err)
		}
		record = append(record, fmt.Sprintf("%d@%d", e.Method, e.Wall))
	}
	if got, want := strings.Join(record, " "), "7@105 1@11 3@14 2@102 4@160"; got != want {
		t.Errorf("the record is %s, want %s", got, want)
	}
	if r.Recorded() != 5 || r.Record.Info.Events != 5 || r.Record.Info.Elapsed != 1000 || r.Record.Info.Interval != 5 {
		t.Errorf("%d recorded, info %+v", r.Recorded(), r.Record.Info)
	}

	r = lateRecord(trace.NewSliceReader(truth))
	var channel []string
	for p := make([]Event, 2); ; {
		n, err := r.ReadRecorded(p)
		if n == 0 {
			if err != io.EOF {
				t.Fatal(err)
			}
			break
		}
		for _, e := range p[:n] {
			channel = append(channel, strings.TrimSpace(fmt.Sprintf("%d@%d=%d %s", e.Method, e.App, e.Wall, []string{"", "held", "settled"}[e.Mark])))
		}
	}
	if got, want := strings.Join(channel, " "), "7@5=105 held 7@5=105 settled 1@1=11 2@2=102 3@4=14 4@150=160"; got != want {
		t.Errorf("the channel is %s, want %s", got, want)
	}
	if c := r.Cost(); c.Taken[1] != 100 {
		t.Errorf("cost %+v", c)
	}
}

// TestOverflow checks that a recording with lost entries has Overflow set and a warning.
func TestOverflow(t *testing.T) {
	for lost, want := range map[int64]string{0: "", 3: "3 of 10 samples were dropped because the buffer was full"} {
		r := lateRecord(trace.NewSliceReader(nil))
		r.Overflow(lost, 10, "samples")
		var text string
		for _, w := range r.Record.Warnings {
			text += w.String()
		}
		if r.Record.Info.Overflow != (lost > 0) || text != want {
			t.Errorf("%d lost: overflow %t, %q", lost, r.Record.Info.Overflow, text)
		}
	}
}

// failing is a truth that returns an error when read.
type failing struct{ err error }

func (f failing) ReadEvents([]trace.Event) (int, error) { return 0, f.err }

// TestReaderFails checks that the cause of an error is kept and returned again.
func TestReaderFails(t *testing.T) {
	cause := errors.New("disk full")
	r := lateRecord(failing{cause})
	for range 2 {
		if n, err := r.ReadEvents(make([]trace.Event, 3)); n != 0 || !errors.Is(err, cause) {
			t.Errorf("%d events, error %v", n, err)
		}
	}
}

// TestOrder checks that an event that goes back on its own thread is simultaneous with the previous
// one. An event earlier than one of another thread, above MaxTime or without a name is an error.
func TestOrder(t *testing.T) {
	truth := &trace.Recording{Symbols: &trace.Symbols{Threads: make([]trace.Thread, 2), Methods: make([]trace.Method, 1)}}
	truth.Info.Elapsed = 50
	truth.Symbols.Threads[0].End = 40
	o := NewOrder(truth)
	if at, err := o.At(&trace.Event{Wall: 7}, 9); at != 9 || err != nil || o.Read() != 9 {
		t.Errorf("at %s, %v, read up to %s", at, err, o.Read())
	}
	for want, e := range map[string]trace.Event{
		"event at 8ns after one at 9ns": {Wall: 8, Thread: 1}, "can be traced": {Wall: MaxTime + 1}, "CPU time": {Wall: 10, CPU: MaxTime + 1},
	} {
		if _, err := o.At(&e, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want one with %q", e, err, want)
		}
	}
	for _, e := range []trace.Event{{Thread: 2}, {Method: 1}} {
		if o.CheckNames(&e) == nil {
			t.Errorf("%+v has a name", e)
		}
	}
	if end, known := o.End(0); end != 50 || known {
		t.Errorf("a thread of a recorded trace ends at %s, %t", end, known)
	}
	truth.Info.Technique = trace.Truth
	if end, known := o.End(0); end != 40 || !known {
		t.Errorf("a thread that ends at 40 ns ends at %s, %t", end, known)
	}
	if end, known := o.End(1); end != 50 || known {
		t.Errorf("a thread that does not end ends at %s, %t", end, known)
	}
	o.At(&trace.Event{Wall: 70}, 0)
	if o.Length() != 70 {
		t.Errorf("a truth with an event at 70 ns is %s long", o.Length())
	}
}
