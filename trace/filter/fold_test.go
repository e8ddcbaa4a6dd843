package filter_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"artifice/trace"
	"artifice/trace/filter"
)

// sampledStacks is a reader of snapshots and the corresponding events of one thread.
type sampledStacks struct {
	trace.Reader
	all []trace.Snapshot
	to  trace.SnapshotWriter
}

func (s *sampledStacks) SnapshotsTo(w trace.SnapshotWriter) { s.to = w }

func (s *sampledStacks) ReadEvents(p []trace.Event) (int, error) {
	for ; s.to != nil && len(s.all) > 0; s.all = s.all[1:] {
		if err := s.to.WriteSnapshot(&s.all[0]); err != nil {
			return 0, err
		}
	}
	return s.Reader.ReadEvents(p)
}

// kept keeps snapshots and events in memory.
type kept struct {
	trace.Buffer
	all []trace.Snapshot
}

func (k *kept) WriteSnapshot(s *trace.Snapshot) error {
	k.all = append(k.all, *s)
	return nil
}

// TestFold checks the removal of the kernel's frames. The samples "run; run, k.irq; run, k.call,
// work" become one snapshot of two samples of run, then work called by run. The events of k's
// methods are removed.
func TestFold(t *testing.T) {
	const ms = time.Millisecond
	rec := &trace.Recording{Symbols: &trace.Symbols{}}
	for _, name := range []string{"run", "k.irq", "k.call", "work"} {
		rec.Symbols.AddMethod(trace.Method{Name: name})
	}
	rec.Symbols.AddThread(trace.Thread{TID: 1})
	rec.Events = &sampledStacks{
		Reader: trace.NewSliceReader([]trace.Event{
			{}, {Method: 1, Wall: ms}, {Method: 1, Wall: 2 * ms, Action: trace.Exit}, {Method: 2, Wall: 2 * ms}, {Method: 3, Wall: 2 * ms},
		}),
		all: []trace.Snapshot{
			{Until: ms, Count: 1, Stack: []trace.MethodID{0}},
			{Wall: ms, Until: 2 * ms, Count: 1, Stack: []trace.MethodID{0, 1}},
			{Wall: 2 * ms, Until: 3 * ms, Count: 1, Stack: []trace.MethodID{0, 2, 3}},
		},
	}
	fold := filter.Fold{Folds: func(m *trace.Method) bool { return strings.HasPrefix(m.Name, "k.") }}
	var got kept
	folded := fold.Apply(rec).Events
	if _, err := trace.Copy(&got, folded); err != nil {
		t.Fatal(err)
	}
	// A read after the end delivers no snapshot again.
	if n, err := folded.ReadEvents(make([]trace.Event, 1)); n != 0 || !errors.Is(err, trace.ErrReadTwice) {
		t.Errorf("after the end: %d events, error %v", n, err)
	}
	if len(got.all) != 2 || got.all[0].Count != 2 || got.all[0].Until != 2*ms || !slices.Equal(got.all[0].Stack, []trace.MethodID{0}) || !slices.Equal(got.all[1].Stack, []trace.MethodID{0, 3}) {
		t.Errorf("snapshots %+v", got.all)
	}
	if len(got.Events) != 2 || got.Events[0].Method != 0 || got.Events[1].Method != 3 || got.Events[1].Wall != 2*ms {
		t.Errorf("events %+v", got.Events)
	}
	if !slices.Equal(fold.Folded, []trace.MethodID{1, 2}) {
		t.Errorf("folded %v", fold.Folded)
	}
}
