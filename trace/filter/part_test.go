package filter

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/format/text"
	"artifice/internal/testdata"
	"artifice/trace"
)

const source = "info\tclock\tdual\n" +
	"thread\t1\tmain\nthread\t2\tworker\nthread\t3\tidle\n" +
	"method\t0x0\tA\tmain\t()V\t\t-1\nmethod\t0x4\tA\twork\t()V\t\t-1\nmethod\t0x8\tB\trun\t()V\t\t-1\n" +
	"0 0 3 enter B.run()V\n" +
	"10 1 1 enter A.main()V\n" +
	"20 2 1 enter A.work()V\n" +
	"30 3 1 exit A.work()V\n" +
	"35 1 2 enter B.run()V\n" +
	"60 6 1 enter A.work()V\n" +
	"70 7 2 exit B.run()V\n" +
	"80 8 1 exit A.work()V\n" +
	"90 9 1 exit A.main()V\n"

func take(t *testing.T, part Part) (string, *trace.Recording) {
	t.Helper()
	rec, err := text.NewReader(strings.NewReader(source), "source")
	if err != nil {
		t.Fatal(err)
	}
	x, err := part.Apply(rec)
	if err != nil {
		t.Fatal(err)
	}
	var events trace.Buffer
	if _, err := trace.Copy(&events, x.Events); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := text.NewWriter(&out, x)
	w.WriteEvents(events.Events)
	w.Close()
	_, body, _ := strings.Cut(out.String(), "info\tclock\tdual\n")
	return body, x
}

// Both filters have the same Apply method.
var _ = []interface {
	Apply(*trace.Recording) (*trace.Recording, error)
}{Part{}, &Rename{}}

func TestWholeTrace(t *testing.T) {
	if got, _ := take(t, Part{}); strings.Count(got, "\n") != 3+3+9 {
		t.Errorf("not everything:\n%s", got)
	}
}

// TestThread checks that only thread 2 remains. It is the only user of B.run, so all other symbols
// are dropped.
func TestThread(t *testing.T) {
	const want = "thread\t2\tworker\n" +
		"method\t0x8\tB\trun\t()V\t\t-1\n" +
		"35 1 2 enter B.run()V\n" +
		"70 7 2 exit B.run()V\n"
	for _, name := range []string{"worker", "2"} {
		if got, _ := take(t, Part{Threads: []string{name}}); got != want {
			t.Errorf("%q:\n%s\nwant:\n%s", name, got, want)
		}
	}
	if got, x := take(t, Part{Threads: []string{"nobody"}}); got != "" || len(x.Symbols.Threads) != 0 {
		t.Errorf("an unknown thread: %d threads, want none:\n%s", len(x.Symbols.Threads), got)
	}
}

// TestWindow checks the window from 25 to 70. It cuts A.work and A.main at its begin, and A.main
// and the second A.work at its end. An event at the end is outside. Thread 3 has no event after the
// begin of the window, so its frame is entered and not left.
func TestWindow(t *testing.T) {
	got, _ := take(t, Part{From: 25, To: 70})
	const want = "thread\t1\tmain\nthread\t2\tworker\nthread\t3\tidle\n" +
		"method\t0x0\tA\tmain\t()V\t\t-1\nmethod\t0x4\tA\twork\t()V\t\t-1\nmethod\t0x8\tB\trun\t()V\t\t-1\n" +
		"25 2 1 enter A.main()V\n" +
		"25 2 1 enter A.work()V\n" +
		"30 3 1 exit A.work()V\n" +
		"35 1 2 enter B.run()V\n" +
		"60 6 1 enter A.work()V\n" +
		"70 1 2 exit B.run()V\n" +
		"70 6 1 exit A.work()V\n" +
		"70 6 1 exit A.main()V\n" +
		"25 0 3 enter B.run()V\n"
	if got != want {
		t.Errorf("%s\nwant:\n%s", got, want)
	}
}

// TestWindowsAreValid checks that the part of every window satisfies all invariants.
func TestWindowsAreValid(t *testing.T) {
	for from := time.Duration(0); from < 95; from += 5 {
		for to := from + 5; to < 100; to += 5 {
			rec, _ := text.NewReader(strings.NewReader(source), "source")
			x, err := Part{From: from, To: to}.Apply(rec)
			if err != nil {
				t.Fatal(err)
			}
			if err := testdata.CheckValid(x); err != nil {
				t.Errorf("from %d to %d: %v", from, to, err)
			}
		}
	}
}

func TestEmptyWindow(t *testing.T) {
	for _, part := range []Part{{From: 5, To: 5}, {From: 9, To: 3}, {From: -1}, {To: -1}} {
		if _, err := part.Apply(&trace.Recording{}); err == nil {
			t.Errorf("%+v: no error, want one", part)
		}
	}
}

// TestWindowAfterEnd checks a trace that stops at 10 us, 2 us after its last event at 8 us, so
// its open frame ends at 10 us. A window after that is empty, for any thread.
func TestWindowAfterEnd(t *testing.T) {
	for _, c := range []struct {
		from    time.Duration // us
		elapsed time.Duration
		events  int
	}{
		{9, 10, 1}, {10, 10, 1}, {11, 10, 0}, {8, 0, 1}, {9, 0, 0},
	} {
		rec := &trace.Recording{Symbols: &trace.Symbols{}, Info: trace.Info{Elapsed: c.elapsed * time.Microsecond}}
		rec.Symbols.AddThread(trace.Thread{Name: "main"})
		rec.Symbols.AddMethod(trace.Method{Name: "A"})
		rec.Events = trace.NewSliceReader([]trace.Event{{Wall: 8 * time.Microsecond}})
		part, err := Part{From: c.from * time.Microsecond}.Apply(rec)
		if err != nil {
			t.Fatal(err)
		}
		var got trace.Buffer
		if _, err := trace.Copy(&got, part.Events); err != nil || len(got.Events) != c.events || len(part.Symbols.Threads) != c.events {
			t.Errorf("from %d us, stopped at %d: %d events, error %v", c.from, c.elapsed, len(got.Events), err)
		}
	}
}

type failing struct{ err error }

func (f failing) ReadEvents([]trace.Event) (int, error) { return 0, f.err }

func TestSourceFails(t *testing.T) {
	broken := errors.New("broken")
	x, err := Part{}.Apply(&trace.Recording{Symbols: &trace.Symbols{}, Events: failing{broken}})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := x.Events.ReadEvents(make([]trace.Event, 1)); n != 0 || err != broken {
		t.Errorf("read %d, %v; want 0, %v", n, err, broken)
	}
}

// TestPartOfATruthListsThreads checks the threads of a part. main is in A from 10 on. Its first
// event in the window follows one of a thread that began in it, but main is listed first. A thread
// without events is listed, too. A thread that ended before the window and one that begins at its
// end are not listed.
func TestPartOfATruthListsThreads(t *testing.T) {
	symbols := &trace.Symbols{
		Threads: []trace.Thread{{Name: "main"}, {Name: "dead", End: 15}, {Name: "idle"}, {Name: "later", Start: 35}, {Name: "last", Start: 80}},
		Methods: []trace.Method{{Name: "A"}},
	}
	events := []trace.Event{
		{Wall: 10}, {Wall: 12, Thread: 1}, {Wall: 14, Thread: 1, Action: trace.Exit},
		{Wall: 40, Thread: 3}, {Wall: 45, Thread: 3, Action: trace.Exit}, {Wall: 50, Action: trace.Exit}, {Wall: 85, Thread: 4},
	}
	rec := &trace.Recording{Symbols: symbols, Events: trace.NewSliceReader(events)}
	rec.Info = trace.Info{Technique: trace.Truth, Elapsed: 90}
	x, err := Part{From: 20, To: 80}.Apply(rec)
	if err != nil {
		t.Fatal(err)
	}
	var got trace.Buffer
	if _, err := trace.Copy(&got, x.Events); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, th := range x.Symbols.Threads {
		names = append(names, th.Name)
	}
	if want := []string{"main", "idle", "later"}; !slices.Equal(names, want) {
		t.Errorf("threads %q, want %q", names, want)
	}
	for i, thread := range []string{"later", "later", "main", "main"} {
		if i >= len(got.Events) || x.Symbols.Thread(got.Events[i].Thread).Name != thread {
			t.Fatalf("events %v: that with number %d is not of %s", got.Events, i, thread)
		}
	}
}

// TestPartOfDisplayFrames checks that a part has the display frames that begin and end in the
// window. In the result of Window, their times are relative to its begin.
func TestPartOfDisplayFrames(t *testing.T) {
	rec := &trace.Recording{Symbols: &trace.Symbols{}, Events: trace.NewSliceReader(nil), DisplayFrames: []trace.DisplayFrame{
		{Token: 1, Begin: -1, End: 5}, {Token: 2, Begin: 10, End: 20, ExpectedBegin: 9, Deadline: 18, Expected: true}, {Token: 3, Begin: 12, End: 31}, {Token: 4, Begin: 31, End: 40},
	}}
	part, err := Part{From: 10, To: 30}.Apply(rec)
	if err != nil {
		t.Fatal(err)
	}
	window, err := Window(rec, 10, 0)
	if err != nil {
		t.Fatal(err)
	}
	if want := rec.DisplayFrames[1:2]; !slices.Equal(part.DisplayFrames, want) {
		t.Errorf("part: %+v, want %+v", part.DisplayFrames, want)
	}
	if want := []trace.DisplayFrame{
		{Token: 2, End: 10, ExpectedBegin: -1, Deadline: 8, Expected: true}, {Token: 3, Begin: 2, End: 21}, {Token: 4, Begin: 21, End: 30},
	}; !slices.Equal(window.DisplayFrames, want) {
		t.Errorf("window: %+v, want %+v", window.DisplayFrames, want)
	}
}
