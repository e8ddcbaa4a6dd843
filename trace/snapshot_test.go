package trace

import "testing"

// stacks delivers no events, and one snapshot when it is read.
type stacks struct {
	SliceReader
	to SnapshotWriter
}

func (s *stacks) SnapshotsTo(w SnapshotWriter) { s.to = w }

func (s *stacks) ReadEvents(p []Event) (int, error) {
	if s.to != nil {
		if err := s.to.WriteSnapshot(&Snapshot{Thread: 3, Count: 2}); err != nil {
			return 0, err
		}
	}
	return s.SliceReader.ReadEvents(p)
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

// TestCopyConnectsSnapshots: a writer that takes snapshots gets those of a source
// that has them; others are copied without.
func TestCopyConnectsSnapshots(t *testing.T) {
	var c counted
	if _, err := Copy(&c, &stacks{}); err != nil || c.samples != 2 {
		t.Errorf("%d samples, %v, want 2", c.samples, err)
	}
	s := &stacks{}
	if _, err := Copy(&Buffer{}, s); err != nil || s.to != nil {
		t.Errorf("a writer without snapshots got them: %v, %v", s.to, err)
	}
}
