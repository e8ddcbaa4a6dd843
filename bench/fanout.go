package bench

import (
	"context"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"artifice/trace"
)

// fanout distributes one truth in batches to several workers. Each worker reads at its own pace,
// but not far ahead of the slowest. Every worker has its own copy of the symbols, because the
// symbols of a source grow while it is read.
type fanout struct {
	src     *trace.Recording
	workers []*worker // each must be stopped when it reads no more events
	free    sync.Pool
	cut     bool  // the context ended before the source
	events  int64 // number of events read so far
}

// batch is a part of the truth that is passed to all workers.
type batch struct {
	events  []trace.Event
	threads []trace.Thread // nil: unchanged since the previous batch
	methods []trace.Method // nil: unchanged since the previous batch
	info    trace.Info
	err     error // the error after the batch
	users   atomic.Int32
}

const (
	batchEvents   = 4096
	batchesQueued = 8 // maximum number of waiting batches of a worker
)

// worker is the reader of one worker.
type worker struct {
	trace.Recording
	source  *fanout
	queue   chan *batch
	stopped chan struct{} // closed when the worker reads no more events
	now     *batch
	next    int // index in now of the next event to deliver
	err     error
}

// newFanout returns a pass over src for this number of workers.
func newFanout(src *trace.Recording, workers int) *fanout {
	f := &fanout{src: src}
	f.free.New = func() any { return &batch{events: make([]trace.Event, batchEvents)} }
	for range workers {
		c := &worker{source: f, queue: make(chan *batch, batchesQueued), stopped: make(chan struct{})}
		c.Recording = trace.Recording{Info: src.Info, Symbols: &trace.Symbols{
			Threads: slices.Clone(src.Symbols.Threads), Methods: slices.Clip(src.Symbols.Methods),
		}}
		c.Events = c
		f.workers = append(f.workers, c)
	}
	return f
}

// run reads the source to its end. If ctx is done earlier, the truth ends there. run returns when
// every batch has been passed to all workers.
func (f *fanout) run(ctx context.Context) error {
	threads := slices.Clone(f.src.Symbols.Threads)
	methods := len(f.src.Symbols.Methods)
	var last time.Duration
	for {
		k := f.free.Get().(*batch)
		k.threads, k.methods, k.err = nil, nil, nil
		n := 0
		if ctx.Err() != nil {
			f.cut, k.err = true, io.EOF
		} else {
			n, k.err = f.src.Events.ReadEvents(k.events[:batchEvents])
			if k.err != nil && ctx.Err() != nil {
				f.cut, k.err = true, io.EOF
			}
		}
		k.events = k.events[:n]
		f.events += int64(n)
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
		if f.cut {
			k.info.Elapsed = last
			k.threads = endedBy(last, threads)
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

// endedBy returns the threads with ends after last set to last.
func endedBy(last time.Duration, threads []trace.Thread) []trace.Thread {
	threads = slices.Clone(threads)
	for i := range threads {
		threads[i].End = min(threads[i].End, last)
	}
	return threads
}

func (f *fanout) send(k *batch) {
	k.users.Store(int32(len(f.workers)))
	for _, c := range f.workers {
		select {
		case c.queue <- k:
		case <-c.stopped:
			f.release(k)
		}
	}
}

func (f *fanout) release(k *batch) {
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
		// Updated in place, because readers of the truth keep a pointer to these symbols.
		c.Symbols.Threads = append(c.Symbols.Threads[:0], k.threads...)
	}
	if k.methods != nil {
		c.Symbols.Methods = k.methods
	}
}

// stop makes the source skip the worker, which will not read any more.
func (c *worker) stop() { close(c.stopped) }

// patience is the time in which samplers may process the events that were read before a sweep was
// interrupted, because an interrupted program has about a second to end.
const patience = 250 * time.Millisecond

// deadline determines when and at which app time the samplers of an interrupted sweep stop.
type deadline struct {
	late    atomic.Bool    // set when patience has elapsed
	reached []atomic.Int64 // by sampling job: the app time reached
}

// newDeadline returns the deadline of a sweep with this number of sampling jobs. It passes when ctx
// has ended and patience has elapsed. stop ends the wait for ctx.
func newDeadline(ctx context.Context, jobs int, patience time.Duration) (d *deadline, stop func() bool) {
	d = &deadline{reached: make([]atomic.Int64, jobs)}
	stop = context.AfterFunc(ctx, func() { time.AfterFunc(patience, func() { d.late.Store(true) }) })
	return d, stop
}

// note records the app time that a sampling job has reached.
func (d *deadline) note(job int, at time.Duration) { d.reached[job].Store(int64(at)) }

// passed reports whether a job has to stop at an app time: patience has elapsed and no other job is
// ahead. All jobs then have sampled the same part of the truth, except for an event or two.
func (d *deadline) passed(at time.Duration) bool { return d.late.Load() && at >= d.farthest() }

// farthest returns the app time reached by the job that is ahead of all others.
func (d *deadline) farthest() (reached time.Duration) {
	for i := range d.reached {
		reached = max(reached, time.Duration(d.reached[i].Load()))
	}
	return reached
}
