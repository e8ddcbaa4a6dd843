package calltree

import (
	"time"

	"artifice/trace"
)

// SnapshotBuilder adds sampled stacks up by calling context: the Count of a
// context is then in samples. It is a [trace.SnapshotWriter].
type SnapshotBuilder struct {
	tree    Tree
	threads []sampledThread
	samples int64
	last    time.Duration
}

// sampledThread is what was seen last of one thread.
type sampledThread struct {
	at    Node // NoNode before the first snapshot
	until time.Duration
	cpu   time.Duration
}

// NewSnapshotBuilder returns a builder with an empty tree.
func NewSnapshotBuilder() *SnapshotBuilder { return &SnapshotBuilder{} }

// WriteSnapshot adds a stack for the time from its first sample to the first
// that saw another one, with the thread's CPU time from this snapshot to the
// next. Wall time between two snapshots that neither of them covers, and stacks
// without a frame, belong to the thread's root, whose count stays 0. It never
// fails.
func (b *SnapshotBuilder) WriteSnapshot(s *trace.Snapshot) error {
	for int(s.Thread) >= len(b.threads) {
		b.threads = append(b.threads, sampledThread{at: NoNode})
	}
	t := &b.threads[s.Thread]
	root := b.tree.AddRoot(s.Thread)
	if t.at != NoNode {
		b.tree.At(t.at).Self.CPU += s.CPU - t.cpu
		b.tree.At(root).Self.Wall += s.Wall - t.until
	}
	at := root
	if t.at != NoNode {
		at = t.at
	}
	at = b.tree.Reach(at, s.Same, s.Stack)
	entry := b.tree.At(at)
	entry.Self.Wall += s.Until - s.Wall
	if at != root {
		entry.Count += s.Count
	}
	b.samples += s.Count
	b.last = max(b.last, s.Until)
	*t = sampledThread{at: at, until: s.Until, cpu: s.CPU}
	return nil
}

// Samples returns how many samples the snapshots stand for.
func (b *SnapshotBuilder) Samples() int64 { return b.samples }

// Last returns the wall time of the latest sample.
func (b *SnapshotBuilder) Last() time.Duration { return b.last }

// Tree returns the tree of what was added so far.
func (b *SnapshotBuilder) Tree() *Tree { return &b.tree }
