package view

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/internal/testdata/tracetest"
	"artifice/trace"
	"artifice/trace/calltree"
)

// folded returns the calls of a thread, with equal times on both clocks, after calls shorter than 5
// us were merged before the end of the trace. An event is its time in us, then its method; exits
// have a negative method.
func folded(events ...[2]int) []call {
	c := collector{clock: trace.Dual}
	for _, e := range events {
		at := time.Duration(e[0]) * time.Microsecond
		event := trace.Event{Wall: at, CPU: at, Method: trace.MethodID(max(e[1], -e[1]))}
		if e[1] < 0 {
			event.Action = trace.Exit
		}
		c.add(&event)
	}
	c.threads[0].fold(5 * time.Microsecond)
	c.finish(func(*thread) time.Duration { return 0 })
	return c.threads[0].Calls()
}

func oneCall(m trace.MethodID, depth int32, from, to time.Duration) call {
	const us = time.Microsecond
	return call{Start: from * us, Duration: (to - from) * us, CPUStart: from * us, CPU: (to - from) * us, Method: m, Depth: depth}
}

// TestFold checks that, with room for few calls, short neighbors are merged together with all their
// callees. Longer calls and open calls remain.
func TestFold(t *testing.T) {
	got := folded(
		[2]int{0, 1}, [2]int{1, 2}, [2]int{2, -2}, [2]int{3, -1}, // a short call before the orphan, with a callee
		[2]int{5, -9},                                                                               // the orphan
		[2]int{10, 3},                                                                               // open
		[2]int{11, 1}, [2]int{12, 2}, [2]int{13, -2}, [2]int{14, -1}, [2]int{15, 1}, [2]int{18, -1}, // neighbours
		[2]int{20, 4}, [2]int{25, 1}, [2]int{26, -1}, [2]int{90, -4}, // long
		[2]int{91, 1}, [2]int{92, -1}, [2]int{150, 1}, [2]int{151, -1}) // far from each other
	const short = shortCalls
	want := []call{
		oneCall(9, 0, 0, 5), oneCall(short, 1, 0, 3),
		oneCall(3, 0, 10, 151), oneCall(short, 1, 11, 18), oneCall(4, 1, 20, 90), oneCall(short, 2, 25, 26), oneCall(short, 1, 91, 92), oneCall(short, 1, 150, 151),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-by hand +got)\n%s", diff)
	}
}

// TestFoldJoins checks that three consecutive short calls become one, although the second has
// callees. A call after a long call is not merged with them.
func TestFoldJoins(t *testing.T) {
	got := folded([2]int{0, 1}, [2]int{1, -1},
		[2]int{2, 2}, [2]int{3, 3}, [2]int{3, -3}, [2]int{4, 3}, [2]int{5, -3}, [2]int{6, -2},
		[2]int{7, 1}, [2]int{8, -1}, [2]int{9, 4}, [2]int{20, -4}, [2]int{20, 1}, [2]int{21, -1})
	want := []call{oneCall(shortCalls, 0, 0, 8), oneCall(4, 0, 9, 20), oneCall(shortCalls, 0, 20, 21)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-by hand +got)\n%s", diff)
	}
}

// TestFoldAroundOrphans checks that short calls on both sides of an orphan exit are not merged.
// Such an exit keeps its position, also after the last call.
func TestFoldAroundOrphans(t *testing.T) {
	got := folded([2]int{0, 1}, [2]int{3, -1}, [2]int{3, -9}, [2]int{4, 1}, [2]int{6, -1}, [2]int{7, 1}, [2]int{8, -1}, [2]int{8, -8})
	want := []call{oneCall(8, 0, 0, 8), oneCall(9, 1, 0, 3), oneCall(shortCalls, 2, 0, 3), oneCall(shortCalls, 1, 4, 8)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-by hand +got)\n%s", diff)
	}
}

// TestCoveredShare checks the darkness of a box, up to 255, which is the share of its time in
// calls. A call without duration has the maximum.
func TestCoveredShare(t *testing.T) {
	for b, want := range map[box]uint64{{duration: 4, covered: 1}: 63, {duration: 4, covered: 4}: 255, {}: 255} {
		if got := b.filled(); got != want {
			t.Errorf("%+v: %d, want %d", b, got, want)
		}
	}
}

// TestLongTrace checks a trace with more calls than fit on a page. The remaining calls are calls of
// the whole trace, no thread is busy at another time, and the table of methods includes all calls.
func TestLongTrace(t *testing.T) {
	whole, err := Read(tracetest.Workload(t, "cold-start", time.Second), "x", Options{})
	if err != nil {
		t.Fatal(err)
	}
	const most = 20000 // up to 2300 calls are open at once
	r, err := Read(tracetest.Workload(t, "cold-start", time.Second), "x", Options{most: most})
	if err != nil {
		t.Fatal(err)
	}
	calls, kept := 0, 0
	for i := range r.threads {
		all := map[call]int{}
		first, last := whole.threads[i].Calls(), r.threads[i].Calls()
		for _, c := range first {
			all[c]++
		}
		calls += len(last)
		for _, c := range last {
			if strings.HasPrefix(r.Symbols.Method(c.Method).Name, "(calls shorter than ") {
				continue
			}
			if kept++; all[c] == 0 || c.Duration < r.Short {
				t.Fatalf("the trace has no call %+v, or the call is short", c)
			}
		}
		if first[0].Start != last[0].Start || endOf(first) != endOf(last) {
			t.Errorf("thread %d: from %v to %v, want %v to %v as in the whole trace", i, last[0].Start, endOf(last), first[0].Start, endOf(first))
		}
	}
	if calls > most || kept < 500 || r.Short == 0 {
		t.Errorf("%d calls, %d of them single, short ones below %v", calls, kept, r.Short)
	}
	d, n := pageOf(t, r), int64(0)
	for _, calls := range d.numbers(d.Recordings[0].Estimates.Calls) {
		n += calls
	}
	if in := whole.callsIn(); n != in || d.Recordings[0].ShortCalls != int64(r.Short) {
		t.Errorf("the table has %d calls, want %d as in the trace", n, in)
	}
	if _, err := ReadCompared(opener("a", manyCalls), opener("a", manyCalls), nil, Options{most: 3}); err == nil || !strings.Contains(err.Error(), "a: the trace has too many calls to be compared") {
		t.Errorf("compared: error %v", err)
	}
}

// manyCalls is a trace of eight calls.
var manyCalls = textTrace("instrumented", strings.Split(strings.Repeat("1 enter work,2 exit work,", 8)+"3 enter run", ",")...)

func endOf(calls []call) (end time.Duration) {
	for i := range calls {
		end = max(end, calls[i].Start+calls[i].Duration)
	}
	return end
}

func (r *Recording) callsIn() (n int64) {
	for i := range r.threads {
		n += int64(r.threads[i].len())
	}
	return n
}

// TestNamesAreEscaped checks that names that would end the script, or are not text, are unchanged
// on the page, and only in its data.
func TestNamesAreEscaped(t *testing.T) {
	long := strings.Repeat("x", 1<<16)
	names := []string{"</script><script>alert(1)</script>", "\"'&<!--", "\xff\xfe", long, ""}
	rec := &trace.Recording{Symbols: &trace.Symbols{Threads: []trace.Thread{{TID: 1, Name: names[0]}}}, Info: trace.Info{Clock: trace.Wall}}
	var events []trace.Event
	for i, name := range names {
		m := rec.Symbols.AddMethod(trace.Method{ID: uint64(i), Class: "a", Name: name, Signature: "()V"})
		events = append(events, trace.Event{Method: m, Wall: time.Duration(i) * time.Microsecond})
	}
	rec.Events = trace.NewSliceReader(events)
	r, err := Read(rec, names[0], Options{Until: calltree.UntilStop})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := (&Page{Title: names[0], Recordings: []*Recording{r}}).WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(b.Bytes(), []byte("alert")) && bytes.Contains(b.Bytes(), []byte("<script>alert")) || bytes.Count(b.Bytes(), []byte("<script")) != 2 {
		t.Errorf("the page has a script from a name")
	}
	got := decodePage(t, b.Bytes()).strings(decodePage(t, b.Bytes()).Methods)
	for i, name := range names[:4] {
		if want := "a." + name + "()V"; got[i] != want {
			t.Errorf("method %d is %.100q, want %.100q", i, got[i], want)
		}
	}
}
