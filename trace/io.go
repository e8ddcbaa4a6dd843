package trace

import (
	"errors"
	"io"
	"iter"
	"time"
)

// Reader delivers events in batches.
//
// ReadEvents fills p with up to len(p) events and returns their number. The rules are those of
// io.Reader, with one stronger guarantee: n > 0 implies a nil error, so a caller needs to check err
// only if n is 0. io.EOF means that the source ended properly; a truncated source returns an error
// that wraps io.ErrUnexpectedEOF and states the position. After an error every further call returns
// (0, that error); after io.EOF, the readers of whole recordings return [ErrReadTwice].
type Reader interface {
	ReadEvents(p []Event) (n int, err error)
}

// ErrReadTwice is the error of reading the events of a recording again after their end.
var ErrReadTwice = errors.New("the events of this recording have already been read, and can be read only once: make or open the recording again")

// ReadOnce returns the final error of a reader, for a call after its last event: *kept, but
// [ErrReadTwice] from the second call on if *kept was io.EOF.
func ReadOnce(kept *error) error {
	err := *kept
	if err == io.EOF {
		*kept = ErrReadTwice
	}
	return err
}

// Locator is a Reader that provides the offsets of its events in the source, for warnings about an
// event.
type Locator interface {
	// Offset returns the byte offset of the record of an event, given its index in reading order,
	// from 0. The event must have been read. Offset returns -1 if the record has no offset of its
	// own.
	Offset(event int64) int64
}

// OffsetOf returns the offset of an event of r if r is a [Locator], else -1.
func OffsetOf(r Reader, event int64) int64 {
	if l, ok := r.(Locator); ok {
		return l.Offset(event)
	}
	return -1
}

// Writer accepts events in batches. WriteEvents does not retain p.
type Writer interface {
	WriteEvents(p []Event) error
}

// Discard is a [Writer] that ignores all events.
var Discard Writer = discard{}

type discard struct{}

func (discard) WriteEvents([]Event) error { return nil }

// WriteCloser is a Writer that completes its output when it is closed. Close does not close the
// underlying writer.
type WriteCloser interface {
	Writer
	Close() error
}

// BatchSize is the length of the batches that Copy and All use: 96 KiB of events, which fit in the
// L2 cache.
const BatchSize = 4096

// Copy copies events from src to dst until src ends, and returns their number. The error is nil at
// a proper end. Copy also copies snapshots and scheduler events of src if dst accepts them.
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

// Tee returns a writer that passes events on to each of several writers, in their order, as
// [io.MultiWriter] does with bytes, so that one reading of a recording fills several outputs.
// Snapshots and scheduler events go to those that accept them. It stops at the first error.
func Tee(writers ...Writer) Writer { return tee(writers) }

type tee []Writer

// WriteEvents implements [Writer].
func (t tee) WriteEvents(p []Event) error {
	for _, w := range t {
		if err := w.WriteEvents(p); err != nil {
			return err
		}
	}
	return nil
}

// WriteSnapshot implements [SnapshotWriter].
func (t tee) WriteSnapshot(s *Snapshot) error {
	for _, w := range t {
		if w, ok := w.(SnapshotWriter); ok {
			if err := w.WriteSnapshot(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteSched implements [SchedWriter].
func (t tee) WriteSched(events []SchedEvent) error {
	for _, w := range t {
		if w, ok := w.(SchedWriter); ok {
			if err := w.WriteSched(events); err != nil {
				return err
			}
		}
	}
	return nil
}

// TeeReader returns a reader of r's events that also passes them on to w, as [io.TeeReader] does
// with bytes. An error of w precedes an error of r.
func TeeReader(r Reader, w Writer) Reader { return &teeReader{r, w} }

type teeReader struct {
	Reader
	to Writer
}

// ReadEvents implements [Reader].
func (t *teeReader) ReadEvents(p []Event) (int, error) {
	n, err := t.Reader.ReadEvents(p)
	if failed := t.to.WriteEvents(p[:n]); failed != nil {
		err = failed
	}
	return n, err
}

// All returns an iterator over the events of r; performance-critical code reads batches instead. An
// error other than io.EOF is yielded with the last pair.
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

// NewSliceReader returns a Reader of events in memory. It does not copy them.
func NewSliceReader(events []Event) Reader { return &sliceReader{events, io.EOF} }

type sliceReader struct {
	events []Event
	err    error // after the events
}

// ReadEvents implements [Reader].
func (r *sliceReader) ReadEvents(p []Event) (int, error) {
	if len(r.events) == 0 {
		return 0, ReadOnce(&r.err)
	}
	n := copy(p, r.events)
	r.events = r.events[n:]
	return n, nil
}

// Buffer is a Writer that keeps all events in memory.
type Buffer struct{ Events []Event }

// WriteEvents implements [Writer].
func (b *Buffer) WriteEvents(p []Event) error {
	b.Events = append(b.Events, p...)
	return nil
}

// Snapshot is the stack of one thread in consecutive samples or, if Sum is set, in all samples with
// that stack. It is valid until the next Snapshot; copy Stack to retain it.
type Snapshot struct {
	Thread ThreadID
	Wall   time.Duration // wall time of the first of these samples
	CPU    time.Duration // thread CPU time at Wall
	Until  time.Duration // wall time of the first sample with another stack, or of the thread's last sample
	Count  int64         // number of samples with this stack; 0 with no stack at the end of a thread
	Stack  []MethodID    // outermost first
	Same   int           // number of outermost frames in common with the thread's previous snapshot, which saves comparisons of deep stacks; 0 if not counted
	Sum    bool          // the samples are a sum, as in a profile: their times and order are unknown
}

// IsEnd reports whether s marks the end of its thread and is not a sample.
func (s *Snapshot) IsEnd() bool { return s.Count == 0 }

// SnapshotWriter receives the stacks of a sampler's samples, in order per thread. Consecutive
// samples with the same stack are one Snapshot with a count.
type SnapshotWriter interface {
	WriteSnapshot(s *Snapshot) error
}

// SnapshotSource is a Reader that also delivers the stacks of its samples while its events are
// read. [Copy] connects it to a SnapshotWriter.
type SnapshotSource interface {
	// SnapshotsTo sets the receiver of the stacks. It is called before the first event is
	// read. The order between events and snapshots is undefined.
	SnapshotsTo(w SnapshotWriter)
}
