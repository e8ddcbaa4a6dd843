package eventlog

import (
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/trace"
)

// TestStream: a stream delivers what was added, as often as it is read, from memory and
// from its file, whatever the events are: also times that go back and the largest
// numbers of everything.
func TestStream(t *testing.T) {
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
	for _, memory := range []int{1, 200_000, bufferSize} {
		s := NewStream(t.TempDir())
		s.buffer.most = memory
		for i := range want {
			if err := s.Add(&want[i]); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			in, err := s.Reader(io.EOF)
			if err != nil {
				t.Fatal(err)
			}
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
	empty := NewStream("")
	in, err := empty.Reader(io.ErrUnexpectedEOF)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := in.ReadEvents(make([]trace.Event, 1)); n != 0 || err != io.ErrUnexpectedEOF {
		t.Errorf("of an empty stream: %d, %v", n, err)
	}
}

// TestStreamBytes: what an event of a real trace has takes 12 bytes, and anything more 25.
func TestStreamBytes(t *testing.T) {
	const most = 1<<26 - 1 // 67 ms
	for _, c := range []struct {
		name  string
		e     trace.Event
		bytes int64
	}{
		{"the largest", trace.Event{Wall: most, CPU: most, Method: 1<<22 - 1, Thread: 1<<16 - 1, Action: MaxAction}, 12},
		{"the farthest back", trace.Event{Wall: -most - 1, CPU: -most - 1}, 12},
		{"a later time", trace.Event{Wall: most + 1}, 25},
		{"an earlier time", trace.Event{Wall: -most - 2}, 25},
		{"a later CPU time", trace.Event{CPU: most + 1}, 25},
		{"a larger method", trace.Event{Method: 1 << 22}, 25},
		{"a site", trace.Event{Site: 1}, 25},
	} {
		s := NewStream("")
		if err := s.Add(&c.e); err != nil {
			t.Fatal(err)
		}
		in, err := s.Reader(io.EOF)
		if err != nil {
			t.Fatal(err)
		}
		if size := s.buffer.Size(); size != c.bytes {
			t.Errorf("%s: %d bytes, want %d", c.name, size, c.bytes)
		}
		var got [2]trace.Event
		if n, err := in.ReadEvents(got[:]); n != 1 || err != nil || got[0] != c.e {
			t.Errorf("%s: %d events, %v, %+v", c.name, n, err, got[0])
		}
	}
}

// TestStreamCut: of a stream whose file somebody has cut within an event, what is whole is
// read, and then there is an error.
func TestStreamCut(t *testing.T) {
	for _, cut := range []int{1, streamBrief - 1, streamBrief} {
		s := NewStream("")
		for i := range 10 {
			if err := s.Add(&trace.Event{Wall: time.Duration(i)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.flush(); err != nil {
			t.Fatal(err)
		}
		s.buffer.mem = s.buffer.mem[:len(s.buffer.mem)-cut]
		in, err := s.Reader(io.EOF)
		if err != nil {
			t.Fatal(err)
		}
		var got trace.Buffer
		_, err = trace.Copy(&got, in)
		want := io.ErrUnexpectedEOF
		if cut == streamBrief { // a whole event: nothing tells
			want = nil
		}
		if len(got.Events) != 9 || err != want {
			t.Errorf("%d bytes cut: %d events, %v; want 9, %v", cut, len(got.Events), err, want)
		}
	}
}
