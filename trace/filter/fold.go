package filter

import (
	"slices"

	"artifice/trace"
)

// Fold leaves the frames of some methods out of a recording: their time is then that of the frame below.
// So the frames of a profile that a truth knows nothing of, such as those of the kernel or of a
// runtime, fold into the methods that called them.
type Fold struct {
	Folds func(m *trace.Method) bool // asked once for each method

	Folded []trace.MethodID // methods that have been, in the recording's order; complete when it is read
}

// Apply returns rec without these frames, in events and in snapshots. Info, threads and methods are rec's. A
// sample whose frames are all folded shows a stack without a frame.
func (f *Fold) Apply(rec *trace.Recording) *trace.Recording {
	f.Folded = nil
	folded := *rec
	folded.Events = &foldReader{fold: f, source: rec}
	return &folded
}

// foldReader reads the source's events but those of the methods that are folded.
type foldReader struct {
	fold    *Fold
	source  *trace.Recording
	folds   []bool // by method
	to      trace.SnapshotWriter
	threads []foldedThread
	err     error // of to
}

// foldedThread is the latest snapshot of a thread, until another one follows it.
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

// SnapshotsTo implements [trace.SnapshotSource], where the source does.
func (r *foldReader) SnapshotsTo(w trace.SnapshotWriter) {
	if s, ok := r.source.Events.(trace.SnapshotSource); ok {
		r.to = w
		s.SnapshotsTo(r)
	}
}

// WriteSnapshot takes a snapshot of the source. Those of a thread that follow each other and show one stack now
// are one.
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

// write hands on the latest snapshot of a thread.
func (r *foldReader) write(th *foldedThread) error {
	if !th.any || r.err != nil {
		return r.err
	}
	th.any = false
	r.err = r.to.WriteSnapshot(&th.last)
	return r.err
}

// flush hands on the latest snapshots of all threads.
func (r *foldReader) flush() error {
	for i := range r.threads {
		if err := r.write(&r.threads[i]); err != nil {
			return err
		}
	}
	return nil
}
