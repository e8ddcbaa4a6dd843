package eventlog

import (
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/trace"
)

// TestAddByTime: events come back by time, and those of one time as they were added, also where most are in the file.
func TestAddByTime(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p := NewLog(t.TempDir(), Memory)
	defer p.Close()
	var want []trace.Event
	for i := range testdata.Times(1<<20, 1<<21) {
		e := trace.Event{Wall: time.Duration(i/3) * time.Microsecond, CPU: time.Duration(r.Int64()), Method: trace.MethodID(i)}
		if r.IntN(100) == 0 {
			e.Wall = time.Duration(r.IntN(1 << 19))
		}
		want = append(want, e)
		if err := p.AddByTime(&e); err != nil {
			t.Fatal(err)
		}
	}
	if _, disk := p.Size(); disk == 0 {
		t.Error("nothing is in the file")
	}
	slices.SortStableFunc(want, func(a, b trace.Event) int { return int(a.Wall - b.Wall) })
	events, err := p.Merge(io.EOF)
	if err != nil {
		t.Fatal(err)
	}
	batch := make([]trace.Event, 1000)
	for i := 0; ; {
		n, err := events.ReadEvents(batch)
		for _, e := range batch[:n] {
			if e.Thread = 0; e != want[i] {
				t.Fatalf("event %d is %+v, want %+v", i, e, want[i])
			}
			i++
		}
		if n == 0 {
			if i != len(want) {
				t.Errorf("%d events of %d, %v", i, len(want), err)
			}
			return
		}
	}
}
