package encode

import (
	"artifice/trace"
	"artifice/trace/calltree"
)

// StackBuilder gathers the stacks that a profile shows: those of the snapshots
// where there are any, else those that the events tell.
type StackBuilder struct {
	events    *calltree.Builder
	async     *asyncWriter              // to events
	snapshots *calltree.SnapshotBuilder // nil before the first snapshot
}

// NewStackBuilder returns a builder without a stack.
func NewStackBuilder() StackBuilder {
	events := calltree.NewBuilder()
	return StackBuilder{events: events, async: newAsyncWriter(events)}
}

// WriteEvents adds events. It never fails.
func (b *StackBuilder) WriteEvents(p []trace.Event) error { return b.async.WriteEvents(p) }

// WriteSnapshot adds a sample. It never fails.
func (b *StackBuilder) WriteSnapshot(s *trace.Snapshot) error {
	if b.snapshots == nil {
		b.snapshots = calltree.NewSnapshotBuilder()
	}
	return b.snapshots.WriteSnapshot(s)
}

// HasSamples reports whether the stacks are those of samples.
func (b *StackBuilder) HasSamples() bool { return b.snapshots != nil }

// Finish ends the trace as info and until say, and returns the tree to show and
// what was met. Without a wall clock the ends of threads do not compare.
func (b *StackBuilder) Finish(info *trace.Info, until calltree.EndPolicy) (tree *calltree.Tree, stats ProfileStats) {
	b.async.wait()
	switch {
	case b.snapshots != nil:
		stats.Samples, stats.Last = b.snapshots.Samples(), b.snapshots.Last()
		tree = b.snapshots.Tree()
	case info.Clock.HasWall():
		tree, stats.Stats = b.events.Finish(info.Elapsed, until)
	default:
		tree, stats.Stats = b.events.Finish(0, calltree.UntilLastEvent)
	}
	return tree, stats
}
