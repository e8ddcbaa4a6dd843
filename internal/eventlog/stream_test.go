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
		want = append(want, e)
	}
	for _, memory := range []int{1, 200_000, spoolSize} {
		s := NewStream(t.TempDir())
		s.spool.most = memory
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
