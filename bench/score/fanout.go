// Package pass reads a truth once for many: a [Fanout] hands its events to several workers at
// the same time, and a [Deadline] says where they stop when the pass is interrupted. It does
// not know what the workers do with the events.
package score

import (
	"context"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"artifice/trace"
)

// Fanout hands one truth in batches to several workers, each of which reads it at
// its own pace but none far ahead of the slowest. Every worker has symbols of its
// own, since those of a source grow while it is read.
type Fanout struct {
	src     *trace.Recording
	Workers []*worker // each is to be stopped when it reads no more
	free    sync.Pool
	Cut     bool  // the context ended before the source
	Events  int64 // read so far
}

// batch is a piece of the truth on its way to all workers.
type batch struct {
	events  []trace.Event
	threads []trace.Thread // nil: as before
	methods []trace.Method // nil: as before
	info    trace.Info
	err     error // ends the reading
	users   atomic.Int32
}

const (
	batchEvents   = 4096
	batchesQueued = 8 // for each worker
)

// worker is the reading of one worker.
type worker struct {
	trace.Recording
	source  *Fanout
	queue   chan *batch
	stopped chan struct{} // closed when the worker reads no more
	now     *batch
	next    int // first event of now not yet delivered
	err     error
}

// NewFanout returns a pass of src with so many workers.
func NewFanout(src *trace.Recording, workers int) *Fanout {
	f := &Fanout{src: src}
	f.free.New = func() any { return &batch{events: make([]trace.Event, batchEvents)} }
	for range workers {
		c := &worker{source: f, queue: make(chan *batch, batchesQueued), stopped: make(chan struct{})}
		c.Recording = trace.Recording{Info: src.Info, Symbols: &trace.Symbols{
			Threads: slices.Clone(src.Symbols.Threads), Methods: slices.Clip(src.Symbols.Methods),
		}}
		c.Events = c
		f.Workers = append(f.Workers, c)
	}
	return f
}

// Run reads the source to its end, or until ctx is done: then the truth ends
// there. It returns when every batch is handed out.
func (f *Fanout) Run(ctx context.Context) error {
	threads := slices.Clone(f.src.Symbols.Threads)
	methods := len(f.src.Symbols.Methods)
	var last time.Duration
	for {
		k := f.free.Get().(*batch)
		k.threads, k.methods, k.err = nil, nil, nil
		n := 0
		if ctx.Err() != nil {
			f.Cut, k.err = true, io.EOF
		} else {
			n, k.err = f.src.Events.ReadEvents(k.events[:batchEvents])
			if k.err != nil && ctx.Err() != nil {
				f.Cut, k.err = true, io.EOF
			}
		}
		k.events = k.events[:n]
		f.Events += int64(n)
		if s := f.src.Symbols; !slices.Equal(threads, s.Threads) {
			threads = slices.Clone(s.Threads)
			k.threads = threads
		}
		if s := f.src.Symbols; len(s.Methods) > methods {
			methods = len(s.Methods)
			k.methods = slices.Clip(s.Methods)
		}
		k.info = f.src.Info
		if n > 0 {
			last = k.events[n-1].Wall
		}
		if f.Cut {
			k.info.Elapsed = last
			k.threads = EndedBy(last, threads)
		}
		err := k.err
		if n > 0 {
			k.err, err = nil, nil
		}
		f.send(k)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// EndedBy returns threads of which none lives longer than until a time.
func EndedBy(last time.Duration, threads []trace.Thread) []trace.Thread {
	threads = slices.Clone(threads)
	for i := range threads {
		threads[i].End = min(threads[i].End, last)
	}
	return threads
}

func (f *Fanout) send(k *batch) {
	k.users.Store(int32(len(f.Workers)))
	for _, c := range f.Workers {
		select {
		case c.queue <- k:
		case <-c.stopped:
			f.release(k)
		}
	}
}

func (f *Fanout) release(k *batch) {
	if k.users.Add(-1) == 0 {
		f.free.Put(k)
	}
}

// ReadEvents implements [trace.Reader].
func (c *worker) ReadEvents(p []trace.Event) (int, error) {
	for c.err == nil && (c.now == nil || c.next == len(c.now.events)) {
		if c.now != nil {
			c.source.release(c.now)
		}
		c.take(<-c.queue)
	}
	if c.err != nil {
		return 0, c.err
	}
	n := copy(p, c.now.events[c.next:])
	c.next += n
	return n, nil
}

// take makes k the current batch.
func (c *worker) take(k *batch) {
	c.now, c.next, c.err = k, 0, k.err
	c.Info = k.info
	if k.threads != nil {
		// In place: readers of the truth keep a pointer to these symbols.
		c.Symbols.Threads = append(c.Symbols.Threads[:0], k.threads...)
	}
	if k.methods != nil {
		c.Symbols.Methods = k.methods
	}
}

// Stop tells the source that the worker reads no more.
func (c *worker) Stop() { close(c.stopped) }
