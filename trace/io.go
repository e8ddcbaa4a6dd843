package trace

import (
	"io"
	"iter"
	"time"
)

// Reader delivers events in batches.
//
// ReadEvents fills p with up to len(p) events and returns how many. The rules
// are those of io.Reader, with one more promise: n > 0 comes with a nil error,
// so a caller may look at err only when n is 0. io.EOF means that the source
// ended where a source may end; one cut short is io.ErrUnexpectedEOF, wrapped
// with its place. After an error every further call returns (0, that error).
type Reader interface {
	ReadEvents(p []Event) (n int, err error)
}

// Locator is a Reader that knows where in its source an event stands, so that
// a warning about the event can say where.
type Locator interface {
	// Offset returns the byte offset of the record of the event with that
	// index in reading order, from 0; it need only know events already read. It
	// returns -1 when the record has no offset of its own.
	Offset(event int64) int64
}

// OffsetOf returns what r says of an event's offset, when it is a [Locator]; else -1.
func OffsetOf(r Reader, event int64) int64 {
	if l, ok := r.(Locator); ok {
		return l.Offset(event)
	}
	return -1
}

// Writer takes events in batches. WriteEvents keeps no reference to p.
type Writer interface {
	WriteEvents(p []Event) error
}

// Discard is a [Writer] that takes every event and does nothing with it.
var Discard Writer = discard{}

type discard struct{}

func (discard) WriteEvents([]Event) error { return nil }

// WriteCloser is a Writer with something left to do after the last event.
// Close completes the output (it does not close what lies below).
type WriteCloser interface {
	Writer
	Close() error
}

// BatchSize is the length of the batches that Copy and All use: 96 KiB of
// events, which stay in the second-level cache.
const BatchSize = 4096

// Copy moves events from src to dst until src ends, and returns how many. The
// error is nil at a proper end. When src has snapshots, or what cores did, and dst
// takes them it gets them too.
func Copy(dst Writer, src Reader) (n int64, err error) {
	if source, ok := src.(SnapshotSource); ok {
		if w, ok := dst.(SnapshotWriter); ok {
			source.SnapshotsTo(w)
		}
	}
	if source, ok := src.(SchedSource); ok {
		if w, ok := dst.(SchedWriter); ok {
			source.SchedTo(w)
		}
	}
	batch := make([]Event, BatchSize)
	for {
		k, err := src.ReadEvents(batch)
		if k == 0 {
			if err == io.EOF {
				err = nil
			}
			return n, err
		}
		if err := dst.WriteEvents(batch[:k]); err != nil {
			return n, err
		}
		n += int64(k)
	}
}

// All ranges over the events of r one by one; hot paths read batches. An error other than
// io.EOF is the last pair's.
func All(r Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		batch := make([]Event, BatchSize)
		for {
			k, err := r.ReadEvents(batch)
			if k == 0 {
				if err != io.EOF {
					yield(Event{}, err)
				}
				return
			}
			for _, e := range batch[:k] {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

// NewSliceReader returns a reader of events from memory, which it does not copy.
func NewSliceReader(events []Event) Reader { return &sliceReader{events} }

type sliceReader struct{ events []Event }

// ReadEvents implements [Reader].
func (r *sliceReader) ReadEvents(p []Event) (int, error) {
	if len(r.events) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.events)
	r.events = r.events[n:]
	return n, nil
}

// Buffer is a Writer that keeps every event in memory.
type Buffer struct{ Events []Event }

// WriteEvents implements [Writer].
func (b *Buffer) WriteEvents(p []Event) error {
	b.Events = append(b.Events, p...)
	return nil
}

// Snapshot is one thread's stack at one instant, with the number of samples in a
// row that saw it or, in a sum, of all samples that did. It is valid until the
// next one; copy Stack to keep it.
type Snapshot struct {
	Thread ThreadID
	Wall   time.Duration // when it was first seen so
	CPU    time.Duration // thread CPU time then
	Until  time.Duration // wall time of the first sample that saw something else, or of the thread's last sample
	Count  int64         // samples that saw this stack; 0 where a thread ends, with no stack
	Stack  []MethodID    // outermost first
	Same   int           // of these, the outermost ones that the thread's snapshot before has too, so that a deep stack need not be compared whole; 0: not counted
	Sum    bool          // as in a profile: the times and the order of its samples are unknown
}

// IsEnd reports whether no sample saw s: it tells where its thread ends.
func (s *Snapshot) IsEnd() bool { return s.Count == 0 }

// SnapshotWriter takes the stacks that a sampler saw, in order per thread. A
// stack that several samples in a row saw comes once, with their count.
type SnapshotWriter interface {
	WriteSnapshot(s *Snapshot) error
}

// SnapshotSource is a Reader that can hand on the stacks that its samples saw
// while its events are read. [Copy] connects it to a writer that takes them.
type SnapshotSource interface {
	// SnapshotsTo makes w get the stacks. It is called before the first event is
	// read. No order is promised between events and snapshots.
	SnapshotsTo(w SnapshotWriter)
}
