package reader

import (
	"errors"
	"io"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// fileEvents is a File's Events: what decodes them, or what merges them.
type fileEvents struct {
	next    trace.Reader
	stop    func() error // nil: never
	started bool
}

// merged is what InTimeOrder leaves for Rewind. The zero value is nothing.
type merged struct {
	events *fileEvents // what delivers the events
	runs   *runs       // where they are kept
	end    error       // what ends them
}

// ReadEvents implements [trace.Reader].
func (e *fileEvents) ReadEvents(p []trace.Event) (int, error) {
	e.started = true
	if e.stop != nil {
		if err := e.stop(); err != nil {
			return 0, err
		}
	}
	return e.next.ReadEvents(p)
}

// InTimeOrder makes f.Events deliver the events of all threads merged by wall
// time; events with equal times stay in file order, and so do those of one
// thread in any case: an event that lies before its predecessor follows it at
// once. A trace without a wall clock keeps file order, because thread CPU times
// of different threads do not compare.
//
// It must be called before the first read. It reads the whole file, keeping its
// events by thread in 8 MiB of memory and beyond that in a temporary file, so
// that Info, Symbols and Warnings are complete when it returns. Where the file
// is damaged the events before that are merged, and the last read returns what
// is wrong. Each thread's End is set to its last event, unless the trace is a
// truth, which tells its own. Of a streaming file, of format V2 and of a
// long-running-methods profile, which have more than events in one sequence,
// Source is marked as reordered.
func (f *File) InTimeOrder() error {
	e, ok := f.Events.(*fileEvents)
	if !ok || e.started {
		return errors.New("InTimeOrder after events were read: " + f.name)
	}
	if f.Info.Clock.HasWall() {
		r := newRuns(f.cfg.TempDir)
		f.closers = append(f.closers, r)
		end, err := r.collect(e)
		if err != nil {
			return err
		}
		f.merged = merged{e, r, end}
		if f.Info.Technique != trace.Truth {
			for i := range r.threads {
				f.Symbols.Threads[i].End = r.threads[i].end
			}
		}
		if e.next, err = r.merge(end); err != nil {
			return err
		}
		f.dropLayout()
	}
	return nil
}

// Rewind makes f.Events, and whoever reads from it, deliver the events from the
// first one on again. InTimeOrder must have merged them: what it keeps is read,
// and not the file, so it works for a pipe, too.
func (f *File) Rewind() (err error) {
	m := &f.merged
	if m.events == nil {
		return errors.New("Rewind of a trace that is not in time order: " + f.name)
	}
	m.events.next, err = m.runs.merge(m.end)
	return err
}

// dropLayout takes from Source what holds in file order only.
func (f *File) dropLayout() {
	if f.Source == nil {
		return
	}
	if v, err := dmformat.ByName(f.Source.Format); err != nil || v.Streaming || v.V2 != 0 {
		f.Source.Announced, f.Source.Blocks, f.Source.Reordered = nil, nil, true
	}
}

// collect takes in all events of src, and returns the error that ended them.
func (r *runs) collect(src trace.Reader) (end, err error) {
	batch := make([]trace.Event, trace.BatchSize)
	for {
		n, end := src.ReadEvents(batch)
		if n == 0 {
			return end, nil
		}
		for i := range batch[:n] {
			if err := r.add(&batch[i]); err != nil {
				return nil, err
			}
		}
	}
}

// merge returns a reader of the events collected that ends with the error end.
func (r *runs) merge(end error) (trace.Reader, error) {
	if r.file != nil {
		for i := range r.threads {
			if err := r.flush(&r.threads[i]); err != nil {
				return nil, err
			}
		}
		r.slabs = nil
	}
	m := &merger{end: end}
	for i := range r.threads {
		if !r.threads[i].empty() {
			m.heap = append(m.heap, r.cursor(trace.ThreadID(i)))
		}
	}
	for _, c := range m.heap {
		if err := c.advance(); err != nil {
			return nil, err
		}
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.down(i)
	}
	return m, nil
}

// merger merges the events of threads, each in its own order.
type merger struct {
	heap []*cursor // the next event of each thread; the earliest first
	end  error
}

// ReadEvents implements [trace.Reader].
func (m *merger) ReadEvents(p []trace.Event) (int, error) {
	for n := range p {
		if len(m.heap) == 0 {
			if n > 0 {
				return n, nil
			}
			return 0, m.end
		}
		top := m.heap[0]
		p[n] = top.event
		switch err := top.advance(); err {
		case nil:
		case io.EOF:
			last := len(m.heap) - 1
			m.heap[0] = m.heap[last]
			m.heap = m.heap[:last]
		default:
			m.heap, m.end = nil, err
			return n + 1, nil
		}
		m.down(0)
	}
	return len(p), nil
}

// down restores the heap's order below i.
func (m *merger) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(m.heap) {
			return
		}
		if right := child + 1; right < len(m.heap) && m.heap[right].before(m.heap[child]) {
			child = right
		}
		if !m.heap[child].before(m.heap[i]) {
			return
		}
		m.heap[i], m.heap[child] = m.heap[child], m.heap[i]
		i = child
	}
}
