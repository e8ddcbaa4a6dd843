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

// Locator is a Reader that has the offsets of its events in their source, for
// warnings about an event.
type Locator interface {
	// Offset returns the byte offset of the record of the event with that
	// index in reading order, from 0, for events already read. It
	// returns -1 when the record has no offset of its own.
	Offset(event int64) int64
}

// OffsetOf returns the offset of an event of r if that is a [Locator], else -1.
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

// Discard is a [Writer] that ignores all events.
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
// error is nil at a proper end. Snapshots and scheduler events of src are copied too
// if dst accepts them.
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

// Snapshot is one thread's stack at one instant, with the number of consecutive
// samples with this stack or, in a sum, of all samples with it. It is valid until the
// next one; copy Stack to keep it.
type Snapshot struct {
	Thread ThreadID
	Wall   time.Duration // of the first of these samples
	CPU    time.Duration // thread CPU time then
	Until  time.Duration // wall time of the first sample with another stack, or of the thread's last sample
	Count  int64         // samples with this stack; 0 at the end of a thread, with no stack
	Stack  []MethodID    // outermost first
	Same   int           // of these, the outermost ones in common with the thread's previous snapshot, so that a deep stack need not be compared in full; 0: not counted
	Sum    bool          // as in a profile: the times and the order of its samples are unknown
}

// IsEnd reports whether s is the end of its thread, not a sample.
func (s *Snapshot) IsEnd() bool { return s.Count == 0 }

// SnapshotWriter receives the stacks of a sampler's samples, in order per thread.
// Consecutive samples with the same stack are one snapshot with their count.
type SnapshotWriter interface {
	WriteSnapshot(s *Snapshot) error
}

// SnapshotSource is a Reader that also delivers the stacks of its samples
// while its events are read. [Copy] connects it to a SnapshotWriter.
type SnapshotSource interface {
	// SnapshotsTo sets the receiver of the stacks. It is called before the first event is
	// read. The order between events and snapshots is undefined.
	SnapshotsTo(w SnapshotWriter)
}
