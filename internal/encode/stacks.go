package encode

import (
	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/trace/stats"
)

// StackBuilder collects the stacks of a profile: those of the snapshots if there are any,
// otherwise those of the events.
type StackBuilder struct {
	rec       *trace.Recording
	detector  stats.Detector
	events    *calltree.Builder
	async     *asyncWriter              // to events
	snapshots *calltree.SnapshotBuilder // nil before the first snapshot
	sums      bool                      // the snapshots are sums of samples
}

// NewStackBuilder returns a builder without a stack.
func NewStackBuilder(rec *trace.Recording) StackBuilder {
	events := calltree.NewBuilder()
	return StackBuilder{rec: rec, events: events, async: newAsyncWriter(events)}
}

// WriteEvents adds events. It never fails.
func (b *StackBuilder) WriteEvents(p []trace.Event) error {
	b.detector.Observe(&b.rec.Info, p)
	return b.async.WriteEvents(p)
}

// WriteSnapshot adds a sample. It never fails.
func (b *StackBuilder) WriteSnapshot(s *trace.Snapshot) error {
	if b.snapshots == nil {
		b.snapshots = calltree.NewSnapshotBuilder()
	}
	b.sums = s.Sum
	return b.snapshots.WriteSnapshot(s)
}

// HasSamples reports whether the stacks come from samples.
func (b *StackBuilder) HasSamples() bool { return b.snapshots != nil }

// Finish ends the trace and returns the tree of the profile and the statistics of the events.
func (b *StackBuilder) Finish(until calltree.EndPolicy) (tree *calltree.Tree, met ProfileStats) {
	b.async.wait()
	if b.snapshots != nil {
		met.Samples, met.Last = b.snapshots.Samples(), b.snapshots.Last()
		return b.snapshots.Tree(), met
	}
	tree, met.Stats = b.events.Finish(b.rec, b.detector.Technique(&b.rec.Info), until)
	return tree, met
}
