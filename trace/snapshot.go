package trace

import "time"

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
