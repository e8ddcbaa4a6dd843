package trace

import (
	"errors"
	"io"
	"testing"
	"unsafe"
)

// TestEventSize checks that an Event has 24 bytes, without pointers.
func TestEventSize(t *testing.T) {
	if size := unsafe.Sizeof(Event{}); size != 24 {
		t.Errorf("an Event has %d bytes, want 24", size)
	}
}

// broken is a Reader that returns its events and then an error, repeatedly.
type broken struct {
	Reader
	err error
}

func (b *broken) ReadEvents(p []Event) (int, error) {
	n, err := b.Reader.ReadEvents(p)
	if err == io.EOF {
		err = b.err
	}
	return n, err
}

func TestCopy(t *testing.T) {
	events := make([]Event, 2*BatchSize+1)
	for i := range events {
		events[i].Wall = 3
	}
	var b Buffer
	n, err := Copy(&b, NewSliceReader(events))
	if n != int64(len(events)) || err != nil || len(b.Events) != len(events) {
		t.Errorf("copied %d, %v, kept %d; want %d", n, err, len(b.Events), len(events))
	}
	n, err = Copy(&b, &broken{NewSliceReader(events[:5]), io.ErrUnexpectedEOF})
	if n != 5 || err != io.ErrUnexpectedEOF {
		t.Errorf("copied %d, %v; want 5, %v", n, err, io.ErrUnexpectedEOF)
	}
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) WriteEvents([]Event) error { return errFull }

func TestCopyWriteError(t *testing.T) {
	if _, err := Copy(fullDisk{}, NewSliceReader(make([]Event, 3))); err != errFull {
		t.Errorf("error %v, want %v", err, errFull)
	}
}

func TestAll(t *testing.T) {
	var n int
	var last error
	for _, err := range All(&broken{NewSliceReader(make([]Event, BatchSize+3)), io.ErrUnexpectedEOF}) {
		if last = err; err == nil {
			n++
		}
	}
	if n != BatchSize+3 || last != io.ErrUnexpectedEOF {
		t.Errorf("ranged over %d events, then %v", n, last)
	}
	for range All(NewSliceReader(make([]Event, 3))) {
		break // the iteration must stop here
	}
}

func TestStacks(t *testing.T) {
	var s Stacks
	for i, step := range []struct {
		e    Event
		want Effect
		open int
	}{
		{Event{Thread: 2, Method: 1, Action: Exit}, Orphan, 0},
		{Event{Thread: 2, Method: 1}, Pushed, 1},
		{Event{Thread: 2, Method: 1}, Pushed, 2},
		{Event{Thread: 2, Method: 3, Action: Exit}, Mismatch, 1},
		{Event{Thread: 0, Method: 1, Action: Exit}, Orphan, 1},
		{Event{Thread: 2, Method: 1, Action: Unwind}, Popped, 0},
		{Event{Thread: 2, Method: 1, Action: Unwind}, Orphan, 0},
	} {
		if got := s.Apply(step.e); got != step.want || len(s.Of(2)) != step.open {
			t.Errorf("step %d: effect %d, %d open; want %d, %d", i, got, len(s.Of(2)), step.want, step.open)
		}
	}
	if s.Of(900) != nil || s.Threads() != 3 {
		t.Errorf("an unknown thread has frames %v; %d threads", s.Of(900), s.Threads())
	}
}

// stacks is a Reader without events that passes one snapshot when it is read.
type stacks struct {
	Reader
	to SnapshotWriter
}

func (s *stacks) SnapshotsTo(w SnapshotWriter) { s.to = w }

func (s *stacks) ReadEvents(p []Event) (int, error) {
	if s.to != nil {
		if err := s.to.WriteSnapshot(&Snapshot{Thread: 3, Count: 2}); err != nil {
			return 0, err
		}
	}
	return s.Reader.ReadEvents(p)
}

// counted counts samples.
type counted struct {
	Buffer
	samples int64
}

func (c *counted) WriteSnapshot(s *Snapshot) error {
	c.samples += s.Count
	return nil
}

// TestCopyConnectsSnapshots checks that Copy passes snapshots to a writer that accepts them, and
// otherwise copies only events.
func TestCopyConnectsSnapshots(t *testing.T) {
	var c counted
	if _, err := Copy(&c, &stacks{Reader: NewSliceReader(nil)}); err != nil || c.samples != 2 {
		t.Errorf("%d samples, %v, want 2", c.samples, err)
	}
	s := &stacks{Reader: NewSliceReader(nil)}
	if _, err := Copy(&Buffer{}, s); err != nil || s.to != nil {
		t.Errorf("a writer without snapshots is connected: %v, %v", s.to, err)
	}
}
