package view

import (
	"bytes"
	"compress/gzip"
	"testing"
	"time"

	"artifice/trace"
)

// eventsOf decodes a recording from bytes. Each event has three: the action with thread and method,
// and the time since the thread's previous event, forward or back.
func eventsOf(data []byte, technique trace.Technique) *trace.Recording {
	rec := &trace.Recording{Symbols: &trace.Symbols{Threads: make([]trace.Thread, 3)}, Info: trace.Info{Technique: technique}}
	for i := range 5 {
		rec.Symbols.AddMethod(trace.Method{ID: uint64(4 * i), Class: "a", Name: string(rune('a' + i))})
	}
	var wall, cpu [3]time.Duration
	var events []trace.Event
	for ; len(data) >= 3; data = data[3:] {
		id := trace.ThreadID(data[0] >> 2 % 3)
		wall[id] = max(0, wall[id]+(time.Duration(data[1])-20)*7*time.Microsecond)
		cpu[id] = max(0, cpu[id]+(time.Duration(data[2])-20)*time.Microsecond)
		events = append(events, trace.Event{Thread: id, Action: trace.Action(data[0] & 3), Method: trace.MethodID(data[2] % 5), Wall: wall[id], CPU: cpu[id]})
	}
	rec.Events = trace.NewSliceReader(events)
	return rec
}

// FuzzPage checks that, for any events, the page decodes to the calls that were collected, with
// room for all calls and for few, and that two recordings can be compared.
func FuzzPage(f *testing.F) {
	f.Add([]byte("aaabbbcccdddeeefff"), []byte("abcabcabc"))
	f.Add([]byte("\x01ab\x00cd\x00ef\x01gh\x02ij"), []byte("\x00ab\x00cd"))
	f.Add(bytes.Repeat([]byte("\x00\x9c\x9c\x01\x9d\x9d"), 40), []byte{})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		for _, most := range []int{0, 3} {
			page := &Page{}
			for i, data := range [][]byte{a, b} {
				r, err := Read(eventsOf(data, trace.Instrumented+trace.Technique(i)), "x", Options{Contexts: true, most: most})
				if err != nil {
					t.Fatal(err)
				}
				page.Recordings = append(page.Recordings, r)
			}
			if most == 0 {
				page.Recordings[1].comparison = compare(page.Recordings[0], page.Recordings[1])
			}
			page.Difference = &Difference{Rows: []byte("[]")}
			var packed bytes.Buffer
			if err := page.writePacked(&packed, gzip.BestSpeed); err != nil {
				t.Fatal(err)
			}
			d := decode(t, packed.Bytes())
			for i, r := range page.Recordings {
				for j := range r.threads {
					same(t, r, r.threads[j], d.calls(&d.threads[i][j]))
				}
			}
		}
	})
}

// same compares a thread's data on the page with the thread, and checks that its calls nest.
func same(t *testing.T, r *Recording, th *thread, got []readCall) {
	t.Helper()
	if len(got) != th.len() {
		t.Fatalf("%d calls, want %d", len(got), th.len())
	}
	var open []readCall
	for i, c := range th.Calls() {
		want := readCall{r.Symbols.Method(c.Method).String(), int64(c.Depth), c.Start, c.Duration, c.CPUStart, c.CPU, 0}
		if got[i] != want {
			t.Fatalf("call %d is %+v, want %+v", i, got[i], want)
		}
		if int(want.Depth) > len(open) {
			t.Fatalf("call %d is at depth %d, with %d open", i, want.Depth, len(open))
		}
		open = open[:want.Depth]
		if n := len(open); n > 0 && (want.Start < open[n-1].Start || want.Start+want.Duration > open[n-1].Start+open[n-1].Duration) || want.Duration < 0 {
			t.Fatalf("call %d, %+v, is not within its caller %+v", i, want, open)
		}
		open = append(open, want)
	}
}
