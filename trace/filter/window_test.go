package filter

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	tracetext "artifice/format/text"
	"artifice/trace"
)

// window returns the window of source, after change, as text, and the recording with its threads.
func window(t *testing.T, from, to time.Duration, change ...func(*trace.Recording)) (string, *trace.Recording) {
	t.Helper()
	rec, err := tracetext.NewReader(strings.NewReader(source), "source")
	if err != nil {
		t.Fatal(err)
	}
	rec.Info.Elapsed = 95
	rec.Symbols.Threads[1].Start, rec.Symbols.Threads[1].End = 35, 70
	for _, f := range change {
		f(rec)
	}
	x, err := Window(rec, from, to)
	if err != nil {
		t.Fatal(err)
	}
	var events trace.Buffer
	if _, err := trace.Copy(&events, x.Events); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := tracetext.NewWriter(&out, x)
	w.WriteEvents(events.Events)
	w.Close()
	text := out.String()
	return text[strings.LastIndex(text, "method")+len("method"):], x
}

// TestWindowFromZero checks the window from 25 to 62, whose times are relative to 25. Threads 1 and
// 3 have 2 and 1 frames open then, which are entered together. All frames open at 62 are left
// together, in the order of threads.
func TestWindowFromZero(t *testing.T) {
	got, x := window(t, 25, 62)
	_, got, _ = strings.Cut(got, "\n")
	const want = "0 2 1 enter A.main()V\n0 2 1 enter A.work()V\n0 0 3 enter B.run()V\n" +
		"5 3 1 exit A.work()V\n10 1 2 enter B.run()V\n35 6 1 enter A.work()V\n" +
		"37 6 1 exit A.work()V\n37 6 1 exit A.main()V\n37 1 2 exit B.run()V\n37 0 3 exit B.run()V\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	threads := x.Symbols.Threads
	if len(threads) != 3 || threads[0].Open != 2 || threads[2].Open != 1 || threads[1].Start != 10 || threads[1].End != 37 || x.Info.Elapsed != 37 {
		t.Errorf("threads %+v, elapsed %v", threads, x.Info.Elapsed)
	}
}

// TestShortestWindow checks the shortest window, which ends after 1 ns, like the frame that is
// open then.
func TestShortestWindow(t *testing.T) {
	got, x := window(t, 0, 1)
	_, got, _ = strings.Cut(got, "\n")
	if want := "0 0 3 enter B.run()V\n1 0 3 exit B.run()V\n"; got != want || x.Info.Elapsed != 1 {
		t.Errorf("got\n%selapsed %v, want\n%selapsed 1ns", got, x.Info.Elapsed, want)
	}
}

// TestWindowWithoutEnd checks a window without an end, in which frames stay open. Thread 2 ends at
// 70.
func TestWindowWithoutEnd(t *testing.T) {
	got, x := window(t, 75, 0)
	_, got, _ = strings.Cut(got, "\n")
	const want = "0 6 1 enter A.main()V\n0 6 1 enter A.work()V\n0 0 3 enter B.run()V\n5 8 1 exit A.work()V\n15 9 1 exit A.main()V\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if x.Info.Elapsed != 20 || x.Symbols.Threads[1].End != 1 {
		t.Errorf("elapsed %v, threads %+v", x.Info.Elapsed, x.Symbols.Threads)
	}
}

// TestWindowAfterThreadEnd checks thread 3, which never leaves its frame but ends at 75. A window
// that begins at 75 does not contain it.
func TestWindowAfterThreadEnd(t *testing.T) {
	got, _ := window(t, 75, 85, func(rec *trace.Recording) { rec.Symbols.Threads[2].End = 75 })
	_, got, _ = strings.Cut(got, "\n")
	const want = "0 6 1 enter A.main()V\n0 6 1 enter A.work()V\n5 8 1 exit A.work()V\n10 8 1 exit A.main()V\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestWindowAfterLastEvent checks that a window after the last event is empty.
func TestWindowAfterLastEvent(t *testing.T) {
	if got, _ := window(t, 92, 0); strings.Contains(got, "enter") {
		t.Errorf("got\n%s", got)
	}
}

// TestWindowOfATruth checks CPU times at the edges of a window: a running method has used CPU time
// up to the edge, a waiting one has not. The thread runs in A from 10 on and waits in B from 30 on.
func TestWindowOfATruth(t *testing.T) {
	symbols := &trace.Symbols{Threads: []trace.Thread{{Name: "main"}}, Methods: []trace.Method{{Name: "A"}, {Name: "B", Wait: trace.IO}}}
	events := []trace.Event{{Wall: 10}, {Wall: 30, CPU: 20, Method: 1}, {Wall: 50, CPU: 20, Method: 1, Action: trace.Exit}, {Wall: 60, CPU: 30, Action: trace.Exit}}
	for _, c := range []struct {
		from, to time.Duration
		want     []time.Duration // CPU times
	}{{20, 40, []time.Duration{10, 20, 20, 20}}, {40, 55, []time.Duration{20, 20, 20, 25}}} {
		rec := &trace.Recording{Symbols: symbols, Events: trace.NewSliceReader(events)}
		rec.Info = trace.Info{Clock: trace.Dual, Technique: trace.Truth, Elapsed: 60}
		x, err := Window(rec, c.from, c.to)
		if err != nil {
			t.Fatal(err)
		}
		var got trace.Buffer
		if _, err := trace.Copy(&got, x.Events); err != nil {
			t.Fatal(err)
		}
		var cpu []time.Duration
		for _, e := range got.Events {
			cpu = append(cpu, e.CPU)
		}
		if !slices.Equal(cpu, c.want) {
			t.Errorf("%v to %v: CPU times %v, want %v", c.from, c.to, cpu, c.want)
		}
	}
}
