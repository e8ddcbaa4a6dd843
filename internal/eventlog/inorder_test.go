package eventlog

import (
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/trace"
)

// TestInOrder checks that a log returns the events in the order of adding, any number of times,
// from memory and from its file. Some times go back, and some numbers are maximum values.
func TestInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var want []trace.Event
	for i := range 60_000 {
		e := trace.Event{Wall: time.Duration(i) * 700, CPU: time.Duration(r.Uint64() >> r.IntN(64) >> 1), Method: trace.MethodID(r.Uint32() >> r.IntN(32)), Thread: trace.ThreadID(r.IntN(1 << r.IntN(17))), Action: trace.Action(r.IntN(MaxAction + 1)), Site: trace.Site(r.IntN(2))}
		if i%100 == 0 {
			e.Wall = time.Duration(r.Int64()) >> r.IntN(63)
		}
		if i > 40_000 { // as in a real trace
			e.CPU, e.Method, e.Thread, e.Site = e.Wall/2, e.Method>>16, e.Thread>>8, 0
		}
		want = append(want, e)
	}
	for _, memory := range []int{1, 200_000, Memory} {
		s := NewLog(t.TempDir(), memory)
		for rest := want; len(rest) > 0; {
			n := min(r.IntN(100), len(rest))
			if err := s.AddInOrder(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		for range 2 {
			in := s.InOrder(io.EOF)
			var got trace.Buffer
			if _, err := trace.Copy(&got, in); err != nil {
				t.Fatal(err)
			}
			if len(got.Events) != len(want) {
				t.Fatalf("%d bytes of memory: %d events, want %d", memory, len(got.Events), len(want))
			}
			for i := range want {
				if got.Events[i] != want[i] {
					t.Fatalf("%d bytes of memory, event %d: %+v, want %+v", memory, i, got.Events[i], want[i])
				}
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	empty := NewLog("", Memory)
	in := empty.InOrder(io.ErrUnexpectedEOF)
	if n, err := in.ReadEvents(make([]trace.Event, 1)); n != 0 || err != io.ErrUnexpectedEOF {
		t.Errorf("empty queue: %d events, %v", n, err)
	}
}

// TestPackedBytes checks that an event within the usual limits takes 12 bytes, and any other 25.
func TestPackedBytes(t *testing.T) {
	const most, maxCPU = 1<<23 - 1, 1<<31 - 1 // 8 ms and 2 s
	for _, c := range []struct {
		name  string
		e     trace.Event
		bytes int
	}{
		{"the largest", trace.Event{Wall: most, CPU: maxCPU, Method: 1<<21 - 1, Thread: 1<<16 - 1, Action: MaxAction}, 12},
		{"the farthest back", trace.Event{Wall: -most - 1, CPU: -maxCPU - 1}, 12},
		{"a later time", trace.Event{Wall: most + 1}, 25},
		{"an earlier time", trace.Event{Wall: -most - 2}, 25},
		{"a later CPU time", trace.Event{CPU: maxCPU + 1}, 25},
		{"a larger method", trace.Event{Method: 1 << 21}, 25},
		{"a site", trace.Event{Site: 1}, 25},
	} {
		s := NewLog("", Memory)
		if err := s.AddInOrder([]trace.Event{c.e}); err != nil {
			t.Fatal(err)
		}
		in := s.InOrder(io.EOF)
		if size := len(s.lists[0].blocks[0]); size != c.bytes {
			t.Errorf("%s: %d bytes, want %d", c.name, size, c.bytes)
		}
		var got [2]trace.Event
		if n, err := in.ReadEvents(got[:]); n != 1 || err != nil || got[0] != c.e {
			t.Errorf("%s: %d events, %v, %+v", c.name, n, err, got[0])
		}
	}
}

// TestInOrderCut checks that a truncated file returns the events before the cut, then an error.
func TestInOrderCut(t *testing.T) {
	for _, rest := range []int64{0, 20, 50_000} {
		l := NewLog(t.TempDir(), 4096)
		defer l.Close()
		const n = 20_000
		for i := range time.Duration(n) {
			if err := l.AddInOrder([]trace.Event{{Wall: i, CPU: -i}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.file.Truncate(rest); err != nil {
			t.Fatal(err)
		}
		var got trace.Buffer
		if _, err := trace.Copy(&got, l.InOrder(io.EOF)); err != io.ErrUnexpectedEOF || len(got.Events) == n {
			t.Errorf("file of %d bytes: %d events, error %v", rest, len(got.Events), err)
		}
		for i, e := range got.Events {
			if e != (trace.Event{Wall: time.Duration(i), CPU: -time.Duration(i)}) {
				t.Fatalf("file of %d bytes: event %d is %+v", rest, i, e)
			}
		}
	}
}
