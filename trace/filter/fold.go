package filter

import (
	"slices"

	"artifice/trace"
)

// Fold removes the frames of some methods from a recording and attributes their time to the caller.
// It folds frames that a ground truth does not contain, such as those of the kernel or a runtime,
// into the methods that called them.
type Fold struct {
	Folds func(m *trace.Method) bool // called once for each method

	Folded []trace.MethodID // folded methods in the recording's order; complete after the recording is read
}

// Apply returns rec without these frames, in events and in snapshots. Info, threads and methods are
// shared with rec. A sample that contains only folded frames has an empty stack.
func (f *Fold) Apply(rec *trace.Recording) *trace.Recording {
	f.Folded = nil
	folded := *rec
	folded.Events = &foldReader{fold: f, source: rec}
	return &folded
}

// foldReader delivers the source's events except those of folded methods.
type foldReader struct {
	fold    *Fold
	source  *trace.Recording
	folds   []bool // by method
	to      trace.SnapshotWriter
	threads []foldedThread
	err     error // from to
}

// foldedThread is the latest snapshot of a thread, kept until the stack changes.
type foldedThread struct {
	last trace.Snapshot
	any  bool
}

// ReadEvents implements [trace.Reader].
func (r *foldReader) ReadEvents(p []trace.Event) (int, error) {
	for {
		n, err := r.source.Events.ReadEvents(p)
		if n == 0 {
			if err := r.flush(); err != nil {
				return 0, err
			}
			return 0, err
		}
		kept := 0
		for i := range p[:n] {
			if !r.folded(p[i].Method) {
				p[kept] = p[i]
				kept++
			}
		}
		if kept > 0 || err != nil {
			return kept, err
		}
	}
}

// folded reports whether a method is folded.
func (r *foldReader) folded(id trace.MethodID) bool {
	for i := len(r.folds); i <= int(id); i++ {
		folds := r.fold.Folds(r.source.Symbols.Method(trace.MethodID(i)))
		r.folds = append(r.folds, folds)
		if folds {
			r.fold.Folded = append(r.fold.Folded, trace.MethodID(i))
		}
	}
	return r.folds[id]
}

// SnapshotsTo implements [trace.SnapshotSource] if the source does.
func (r *foldReader) SnapshotsTo(w trace.SnapshotWriter) {
	if s, ok := r.source.Events.(trace.SnapshotSource); ok {
		r.to = w
		s.SnapshotsTo(r)
	}
}

// WriteSnapshot accepts a snapshot of the source. It merges consecutive snapshots of a thread with
// equal folded stacks.
func (r *foldReader) WriteSnapshot(s *trace.Snapshot) error {
	for int(s.Thread) >= len(r.threads) {
		r.threads = append(r.threads, foldedThread{})
	}
	th := &r.threads[s.Thread]
	next := *s
	next.Same, next.Stack = 0, slices.DeleteFunc(slices.Clone(s.Stack), r.folded)
	if th.any && !s.Sum && s.Count > 0 && th.last.Count > 0 && th.last.Until == s.Wall && slices.Equal(th.last.Stack, next.Stack) {
		th.last.Until, th.last.Count = s.Until, th.last.Count+s.Count
		return nil
	}
	err := r.write(th)
	th.last, th.any = next, true
	return err
}

// write delivers the latest snapshot of a thread.
func (r *foldReader) write(th *foldedThread) error {
	if !th.any || r.err != nil {
		return r.err
	}
	th.any = false
	r.err = r.to.WriteSnapshot(&th.last)
	return r.err
}

// flush delivers the latest snapshots of all threads.
func (r *foldReader) flush() error {
	for i := range r.threads {
		if err := r.write(&r.threads[i]); err != nil {
			return err
		}
	}
	return nil
}
