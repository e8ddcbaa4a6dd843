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

// relay lets several goroutines read one truth, each at its own pace but none
// far ahead of the slowest. Every consumer has symbols of its own, as those of a
// source grow while it is read.
type relay struct {
	src       *trace.Recording
	consumers []*consumer
	free      sync.Pool
	cut       bool // the context ended before the source
	events    int64
}

// chunk is a piece of the truth on its way to all consumers.
type chunk struct {
	events  []trace.Event
	threads []trace.Thread // nil: as before
	methods []trace.Method // nil: as before
	info    trace.Info
	err     error // ends the reading
	users   atomic.Int32
}

const (
	chunkEvents  = 4096
	chunksQueued = 8 // for each consumer
)

// consumer is one reader's end of a relay.
type consumer struct {
	trace.Recording
	relay   *relay
	queue   chan *chunk
	stopped chan struct{} // closed when the consumer reads no more
	now     *chunk
	next    int // first event of now not yet delivered
	err     error
}

func newRelay(src *trace.Recording, consumers int) *relay {
	r := &relay{src: src}
	r.free.New = func() any { return &chunk{events: make([]trace.Event, chunkEvents)} }
	for range consumers {
		c := &consumer{relay: r, queue: make(chan *chunk, chunksQueued), stopped: make(chan struct{})}
		c.Recording = trace.Recording{Info: src.Info, Symbols: &trace.Symbols{
			Threads: slices.Clone(src.Symbols.Threads), Methods: slices.Clip(src.Symbols.Methods),
		}}
		c.Events = c
		r.consumers = append(r.consumers, c)
	}
	return r
}

// run reads the source to its end, or until ctx is done: then the truth ends
// there. It returns when every chunk is handed out.
func (r *relay) run(ctx context.Context) error {
	threads := slices.Clone(r.src.Symbols.Threads)
	methods := len(r.src.Symbols.Methods)
	var last time.Duration
	for {
		k := r.free.Get().(*chunk)
		k.threads, k.methods, k.err = nil, nil, nil
		n := 0
		if ctx.Err() != nil {
			r.cut, k.err = true, io.EOF
		} else {
			n, k.err = r.src.Events.ReadEvents(k.events[:chunkEvents])
			if k.err != nil && ctx.Err() != nil {
				r.cut, k.err = true, io.EOF
			}
		}
		k.events = k.events[:n]
		r.events += int64(n)
		if s := r.src.Symbols; !slices.Equal(threads, s.Threads) {
			threads = slices.Clone(s.Threads)
			k.threads = threads
		}
		if s := r.src.Symbols; len(s.Methods) > methods {
			methods = len(s.Methods)
			k.methods = slices.Clip(s.Methods)
		}
		k.info = r.src.Info
		if n > 0 {
			last = k.events[n-1].Wall
		}
		if r.cut {
			k.info.Elapsed = last
			k.threads = endedBy(last, threads)
		}
		err := k.err
		if n > 0 {
			k.err, err = nil, nil
		}
		r.send(k)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// endedBy returns threads of which none lives on after a time.
func endedBy(last time.Duration, threads []trace.Thread) []trace.Thread {
	threads = slices.Clone(threads)
	for i := range threads {
		threads[i].End = min(threads[i].End, last)
	}
	return threads
}

func (r *relay) send(k *chunk) {
	k.users.Store(int32(len(r.consumers)))
	for _, c := range r.consumers {
		select {
		case c.queue <- k:
		case <-c.stopped:
			r.release(k)
		}
	}
}

func (r *relay) release(k *chunk) {
	if k.users.Add(-1) == 0 {
		r.free.Put(k)
	}
}

// ReadEvents implements [trace.Reader].
func (c *consumer) ReadEvents(p []trace.Event) (int, error) {
	for c.err == nil && (c.now == nil || c.next == len(c.now.events)) {
		if c.now != nil {
			c.relay.release(c.now)
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

// take makes k the current chunk.
func (c *consumer) take(k *chunk) {
	c.now, c.next, c.err = k, 0, k.err
	c.Info = k.info
	if k.threads != nil {
		// In place: who reads the truth holds on to these symbols.
		c.Symbols.Threads = append(c.Symbols.Threads[:0], k.threads...)
	}
	if k.methods != nil {
		c.Symbols.Methods = k.methods
	}
}

// stop tells the relay that the consumer reads no more.
func (c *consumer) stop() { close(c.stopped) }
