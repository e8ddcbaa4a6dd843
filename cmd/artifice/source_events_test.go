package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"artifice/trace"
)

// shown opens a source of four events at 1 to 4 ms and reads it so many times, as
// score does; it returns what its bars show, "-" where they are hidden.
func shown(t *testing.T, o order, elapsed time.Duration, readings int) string {
	t.Helper()
	var events []trace.Event
	for i := range 4 {
		events = append(events, trace.Event{Wall: time.Duration(i+1) * time.Millisecond})
	}
	var text []string
	s := &source{name: "app.trace", order: o, std: stdio{err: io.Discard}}
	s.bars = bars{
		time:      func(done, total int64) { text = append(text, fmt.Sprintf("%d/%d", done, total)) },
		hideBytes: func() {}, hideTime: func() { text = append(text, "-") },
	}
	s.rewind = func() error {
		s.Recording = &trace.Recording{Symbols: &trace.Symbols{Threads: []trace.Thread{{End: 4 * time.Millisecond}}}, Events: trace.NewSliceReader(events)}
		s.Info.Elapsed = elapsed
		s.deliver(context.Background())
		return nil
	}
	s.rewind()
	for range readings {
		rec, err := s.fromStart()
		if err != nil {
			t.Fatal(err)
		}
		batch := make([]trace.Event, 2)
		for n := 1; n > 0; {
			n, _ = rec.Events.ReadEvents(batch)
		}
	}
	return strings.Join(text, " ")
}

// TestBars: a source in time order shows its time, hides it at the end, and when
// it is read again shows it if it is the truth.
func TestBars(t *testing.T) {
	for _, c := range []struct {
		order    order
		elapsed  time.Duration
		readings int
		want     string
	}{
		{asTruth, 5 * time.Millisecond, 1, "2000/5000 4000/5000 -"},
		{asTruth, 0, 2, "2000/4000 4000/4000 - 2000/4000 4000/4000 -"}, // no elapsed time: to the last event
		{byTime, 5 * time.Millisecond, 2, "2000/5000 4000/5000 - -"},
		{byFile, 5 * time.Millisecond, 1, "-"}, // its bytes are shown
	} {
		if got := shown(t, c.order, c.elapsed, c.readings); got != c.want {
			t.Errorf("order %d, %d readings: %s, want %s", c.order, c.readings, got, c.want)
		}
	}
}

// TestBarsOfAnInterruption: an interrupted source hides its bar, too.
func TestBarsOfAnInterruption(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	hidden := 0
	r := interruptible{ctx, trace.NewSliceReader(make([]trace.Event, 8)), func() { hidden++ }}
	batch := make([]trace.Event, 2)
	if n, err := r.ReadEvents(batch); n != 2 || err != nil || hidden != 0 {
		t.Errorf("%d events, error %v, hidden %d times", n, err, hidden)
	}
	cancel()
	if n, err := r.ReadEvents(batch); n != 0 || err != context.Canceled || hidden != 1 {
		t.Errorf("after the interruption: %d events, error %v, hidden %d times", n, err, hidden)
	}
}
