package measure

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"artifice/trace"
)

// MaxSlowdown is the maximum length of a run, in multiples of its untraced length. An app that has
// not completed its work by then is ended, because some thread no longer gets a core.
const MaxSlowdown = 100

// Run is one run of an app. It is a [trace.LiveApp].
type Run struct {
	rec      *trace.Recording
	app      trace.LiveApp
	ctx      context.Context // ends the run early
	untraced *Work
	done     *Work
	left     []trace.ThreadID // threads that have not yet completed their untraced work
	last     time.Duration    // latest completion time of the others
	end      time.Duration    // end of the run, once all threads have completed their work
	over     bool             // the run has been read to its end
}

// NewRun changes rec, a live app, so that it ends when it has completed its untraced work.
// rec.Events are then the events of the run, and its length is known when they have been read. They
// end with an error if ctx ends.
func NewRun(ctx context.Context, rec *trace.Recording, untraced *Work) (*Run, error) {
	app, ok := rec.Events.(trace.LiveApp)
	if !ok {
		return nil, errors.New("not a live app: its events are already recorded")
	}
	r := &Run{ctx: ctx, rec: rec, app: app, untraced: untraced, done: NewWork(rec.Symbols, untraced.counted)}
	for id := range untraced.threads {
		if untraced.threads[id].events > 0 {
			r.left = append(r.left, trace.ThreadID(id))
		}
	}
	rec.Events = r
	return r, nil
}

// Watch implements [trace.LiveApp].
func (r *Run) Watch(w trace.Watcher) { r.app.Watch(&watcher{r, w}) }

// ReadEvents implements [trace.Reader].
func (r *Run) ReadEvents(p []trace.Event) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	if r.over = r.over || r.untraced.Length == 0; r.over { // an empty untraced run has no work
		return 0, io.EOF
	}
	n, err := r.app.ReadEvents(p)
	switch {
	case err == io.EOF && n == 0:
		if r.end = r.rec.Info.Elapsed; r.isDone() {
			r.end = min(r.end, r.endIfDone())
		}
	case r.isDone() && n > 0 && p[n-1].Wall > r.end:
		n, err = slices.IndexFunc(p[:n], func(e trace.Event) bool { return e.Wall > r.end }), nil
		if n == 0 {
			err = io.EOF
		}
	default:
		return n, err
	}
	r.over, r.rec.Info.Elapsed = true, r.end
	return n, err
}

// isDone reports whether the app has completed its untraced work.
func (r *Run) isDone() bool {
	for n := len(r.left) - 1; n >= 0; n-- {
		t, ends := r.done.thread(r.left[n]), r.rec.Symbols.Threads[r.left[n]].End
		switch {
		case t.events == r.untraced.events(r.left[n]):
			r.last = max(r.last, t.done.wall)
		case ends > 0:
			r.last = max(r.last, ends)
		default:
			return false
		}
		r.left = r.left[:n]
	}
	r.end = r.endIfDone()
	return true
}

// endIfDone returns the end of the run if it has no more work.
func (r *Run) endIfDone() time.Duration { return r.last + r.untraced.Length - r.untraced.last }

// happens processes an event.
func (r *Run) happens(e *trace.Event) {
	if t := r.done.thread(e.Thread); t.events < r.untraced.events(e.Thread) {
		r.done.add(t, e)
	}
}

// Cost completes c with the cost of the run, which must have been read to its end. On entry, c
// contains the cost stated by the tracer.
func (r *Run) Cost(c *Cost) {
	c.Length, c.Delay = r.untraced.Length, r.end-r.untraced.Length
	if c.CPU != Unknown {
		takes := c.CPU > c.TrueCPU
		if c.TrueCPU = r.untraced.cpuTime(); takes {
			c.CPU = r.done.cpuTime()
		} else {
			c.CPU = c.TrueCPU
		}
	}
	c.Overhead = r.done.overhead(r.untraced)
}

// watcher is a tracer of an app that ends when its untraced work is completed.
type watcher struct {
	run *Run
	trace.Watcher
}

// past reports whether the run has ended by a time.
func (w *watcher) past(at time.Duration) bool { return w.run.isDone() && at > w.run.end }

// NextPause implements [trace.Watcher].
func (w *watcher) NextPause() (time.Duration, bool) {
	at, ok := w.Watcher.NextPause()
	return at, ok && !w.past(at)
}

// Ran implements [trace.Watcher].
func (w *watcher) Ran(e *trace.Event) time.Duration {
	if w.past(e.Wall) {
		return 0
	}
	return w.Watcher.Ran(e)
}

// Happens implements [trace.Watcher].
func (w *watcher) Happens(e *trace.Event) time.Duration {
	if w.past(e.Wall) {
		return 0
	}
	w.run.happens(e)
	return w.Watcher.Happens(e)
}
