package eventlog

import (
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/trace"
)

// TestQueue: what is unpacked is what was packed, also the largest numbers and
// times that go back, and blocks are used again.
func TestQueue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var blocks Pool
	var made int
	for _, n := range []int{0, 1, 10, 20000} {
		events := make([]trace.Event, n)
		for i := range events {
			events[i] = trace.Event{
				Wall: time.Duration(rng.Int64N(1 << 40)), CPU: time.Duration(rng.Int64N(1 << 20)), Thread: 7,
				Method: trace.MethodID(rng.Int64N(1 << 20)), Action: trace.Action(rng.IntN(3)),
			}
		}
		if n > 5 {
			events[3] = trace.Event{Wall: math.MaxInt64, CPU: math.MaxInt64, Thread: 7, Method: math.MaxInt32, Action: trace.Unwind}
			events[4] = trace.Event{Wall: 0, CPU: 0, Thread: 7}
		}
		for range 2 {
			p := blocks.Queue()
			for i := range events {
				if err := p.Add(&events[i]); err != nil {
					t.Fatal(err)
				}
			}
			r := p.Cursor()
			for i := range events {
				if got := r.Next(); got != events[i] {
					t.Fatalf("event %d of %d: %+v, want %+v", i, n, got, events[i])
				}
			}
			made = max(made, len(p.blocks))
			if p.Drop(); p.Len() != 0 || len(blocks.free) != made {
				t.Fatalf("%d events left, %d blocks free of %d", p.Len(), len(blocks.free), made)
			}
		}
	}
}

// TestTake: events are taken in their order while others are added, what a reader
// shows is what is left, and a block goes back once its last event is taken.
func TestTake(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var blocks Pool
	p := blocks.Queue()
	var held []trace.Event
	taken := make([]trace.Event, 3)
	made := 0
	for i := range 50_000 {
		if len(held) > 0 && rng.IntN(1000) < 320 {
			n := p.Take(taken[:1+rng.IntN(len(taken))])
			if n == 0 || !slices.Equal(taken[:n], held[:n]) {
				t.Fatalf("step %d: took %+v, want %+v", i, taken[:n], held[:n])
			}
			held = held[n:]
		} else {
			e := trace.Event{Wall: time.Duration(rng.Int64N(1 << 40)), CPU: time.Duration(i), Thread: 2, Method: trace.MethodID(rng.Int32N(1 << 20)), Action: trace.Action(rng.IntN(3))}
			p.Add(&e)
			held = append(held, e)
		}
		made = max(made, len(p.blocks)+len(blocks.free))
		if p.Len() != len(held) {
			t.Fatalf("step %d: %d events, want %d", i, p.Len(), len(held))
		}
		if i%5000 > 0 {
			continue
		}
		r := p.Cursor()
		for k := range held {
			if got := r.Next(); got != held[k] {
				t.Fatalf("step %d, event %d: %+v, want %+v", i, k, got, held[k])
			}
		}
	}
	for range held {
		p.Take(taken[:1])
	}
	if n := p.Take(taken); n != 0 {
		t.Errorf("%d events more", n)
	}
	// The block being filled is the only one that is not free yet.
	if p.Len() != 0 || len(p.blocks) > 1 || len(p.blocks)+len(blocks.free) != made {
		t.Errorf("%d events and %d blocks left, %d free of %d", p.Len(), len(p.blocks), len(blocks.free), made)
	}
}

// TestQueueInFile: a queue delivers what was added, as often as it is read, from memory and
// from its file, whatever the events are: also times that go back and the largest
// numbers of everything.
func TestQueueInFile(t *testing.T) {
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
		s := NewQueue(t.TempDir())
		s.file.buffer.most = memory
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
	empty := NewQueue("")
	in, err := empty.Reader(io.ErrUnexpectedEOF)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := in.ReadEvents(make([]trace.Event, 1)); n != 0 || err != io.ErrUnexpectedEOF {
		t.Errorf("of an empty queue: %d, %v", n, err)
	}
}

// TestQueueBytes: what an event of a real trace has takes 12 bytes, and anything more 25.
func TestQueueBytes(t *testing.T) {
	const most, mostCPU = 1<<23 - 1, 1<<31 - 1 // 8 ms and 2 s
	for _, c := range []struct {
		name  string
		e     trace.Event
		bytes int64
	}{
		{"the largest", trace.Event{Wall: most, CPU: mostCPU, Method: 1<<21 - 1, Thread: 1<<16 - 1, Action: MaxAction}, 12},
		{"the farthest back", trace.Event{Wall: -most - 1, CPU: -mostCPU - 1}, 12},
		{"a later time", trace.Event{Wall: most + 1}, 25},
		{"an earlier time", trace.Event{Wall: -most - 2}, 25},
		{"a later CPU time", trace.Event{CPU: mostCPU + 1}, 25},
		{"a larger method", trace.Event{Method: 1 << 21}, 25},
		{"a site", trace.Event{Site: 1}, 25},
	} {
		s := NewQueue("")
		if err := s.Add(&c.e); err != nil {
			t.Fatal(err)
		}
		in, err := s.Reader(io.EOF)
		if err != nil {
			t.Fatal(err)
		}
		if size := s.file.buffer.Size(); size != c.bytes {
			t.Errorf("%s: %d bytes, want %d", c.name, size, c.bytes)
		}
		var got [2]trace.Event
		if n, err := in.ReadEvents(got[:]); n != 1 || err != nil || got[0] != c.e {
			t.Errorf("%s: %d events, %v, %+v", c.name, n, err, got[0])
		}
	}
}

// TestQueueCut: of a queue whose file somebody has cut within an event, what is whole is
// read, and then there is an error.
func TestQueueCut(t *testing.T) {
	for _, cut := range []int{1, briefBytes - 1, briefBytes} {
		s := NewQueue("")
		for i := range 10 {
			if err := s.Add(&trace.Event{Wall: time.Duration(i)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.flush(); err != nil {
			t.Fatal(err)
		}
		s.file.buffer.mem = s.file.buffer.mem[:len(s.file.buffer.mem)-cut]
		in, err := s.Reader(io.EOF)
		if err != nil {
			t.Fatal(err)
		}
		var got trace.Buffer
		_, err = trace.Copy(&got, in)
		want := io.ErrUnexpectedEOF
		if cut == briefBytes { // a whole event: nothing tells
			want = nil
		}
		if len(got.Events) != 9 || err != want {
			t.Errorf("%d bytes cut: %d events, %v; want 9, %v", cut, len(got.Events), err, want)
		}
	}
}
