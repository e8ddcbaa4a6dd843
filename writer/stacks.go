package writer

import (
	"artifice/calltree"
	"artifice/trace"
)

// stackBuilder gathers the stacks that a profile shows: those of the snapshots
// where there are any, else those that the events tell.
type stackBuilder struct {
	events    *calltree.Builder
	aside     *aside                    // gives it the events
	snapshots *calltree.SnapshotBuilder // nil before the first snapshot
}

func newStackBuilder() stackBuilder {
	events := calltree.NewBuilder(calltree.Config{})
	return stackBuilder{events: events, aside: newAside(func(p []trace.Event) { events.WriteEvents(p) })}
}

// writeEvents adds events. It never fails.
func (b *stackBuilder) writeEvents(p []trace.Event) error { return b.aside.WriteEvents(p) }

func (b *stackBuilder) writeSnapshot(s *trace.Snapshot) error {
	if b.snapshots == nil {
		b.snapshots = calltree.NewSnapshotBuilder()
	}
	return b.snapshots.WriteSnapshot(s)
}

// finish ends the trace as info and until say, and returns the tree to show and
// what was met. Without a wall clock the ends of threads do not compare.
func (b *stackBuilder) finish(info *trace.Info, until calltree.EndPolicy) (tree *calltree.Tree, stats ProfileStats) {
	b.aside.wait()
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
