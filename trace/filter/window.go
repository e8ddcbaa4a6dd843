package filter

import (
	"errors"
	"slices"
	"time"

	"artifice/trace"
)

// Window returns the recording of a trace that begins at from and ends at to (0: at the end of
// rec). Its times count from the begin of the window, so that a tracer can use it as a ground
// truth. The events of rec must be in time order; those of the window are, too. Frames open at the
// edges are treated as in [Part], for all threads at once. The threads' starts and ends lie within
// the window. For a truth ([trace.Truth]) the window has all methods, with the same indexes.
//
// The window of a live app ([trace.LiveApp]) is also a live app and has no end: to must be 0. The
// app runs untraced until the window begins.
func Window(rec *trace.Recording, from, to time.Duration) (*trace.Recording, error) {
	app, runs := rec.Events.(trace.LiveApp)
	if runs && to != 0 {
		return nil, errors.New("the window of a live app cannot have an end")
	}
	part, err := Part{From: from, To: to}.apply(rec, true)
	if err != nil {
		return nil, err
	}
	w := &windowReader{part: part, from: from, to: to}
	w.result = &trace.Recording{Symbols: &trace.Symbols{}, Events: w}
	if runs {
		w.result.Events = &windowApp{windowReader: w, app: app}
	}
	w.result.DisplayFrames = trace.MovedFrames(part.result.DisplayFrames, from)
	w.follow()
	return w.result, nil
}

// windowReader shifts the times of a part so that the window begins at 0.
type windowReader struct {
	part     *partReader
	result   *trace.Recording
	from, to time.Duration
}

// ReadEvents implements [trace.Reader].
func (w *windowReader) ReadEvents(p []trace.Event) (int, error) {
	n, err := w.part.ReadEvents(p)
	for i := range p[:n] {
		p[i].Wall = w.inside(p[i].Wall)
	}
	w.follow()
	return n, err
}

// follow copies what the part has added since the last batch.
func (w *windowReader) follow() {
	r, s := w.result, w.part.result
	r.Info, r.Warnings = s.Info, s.Warnings
	if r.Info.Elapsed > 0 {
		r.Info.Elapsed = w.inside(r.Info.Elapsed)
	}
	r.Symbols.Methods = s.Symbols.Methods
	r.Symbols.Threads = r.Symbols.Threads[:0]
	for id, t := range s.Symbols.Threads {
		t.Start, t.End = w.inside(t.Start), w.endOf(trace.ThreadID(id))
		r.Symbols.Threads = append(r.Symbols.Threads, t)
	}
}

// endOf returns the end of a thread in the window's time, or 0 if the source has not set it.
func (w *windowReader) endOf(id trace.ThreadID) time.Duration {
	end := w.part.source.Symbols.Thread(id).End // all threads have the source's indexes
	if end > 0 {
		end = max(1, w.inside(end)) // 0 means unknown
	}
	return end
}

// inside converts a time to the window's time.
func (w *windowReader) inside(t time.Duration) time.Duration {
	if w.to > 0 {
		t = min(t, w.to)
	}
	return max(0, t-w.from)
}

// windowApp is the window of a live app. It is the [trace.Watcher] of the app and forwards to the
// window's watcher.
type windowApp struct {
	*windowReader
	app     trace.LiveApp
	watcher trace.Watcher
	living  []trace.ThreadID // threads without an end so far
}

// Watch implements [trace.LiveApp].
func (w *windowApp) Watch(by trace.Watcher) {
	w.watcher, w.part.watched = by, true
	w.app.Watch(w)
}

// OwnThread implements [trace.Watcher].
func (w *windowApp) OwnThread() bool { return w.part.begun && w.watcher.OwnThread() }

// NextPause implements [trace.Watcher]. The window begins with a pause of duration 0.
func (w *windowApp) NextPause() (time.Duration, bool) {
	if !w.part.begun {
		return w.from, true
	}
	w.followEnds()
	at, ok := w.watcher.NextPause()
	return at + w.from, ok
}

// Suspend implements [trace.Watcher].
func (w *windowApp) Suspend(at time.Duration) time.Duration {
	if !w.part.begun {
		w.begin(at)
		return 0
	}
	w.followEnds()
	return w.watcher.Suspend(w.inside(at))
}

// Ran implements [trace.Watcher].
func (w *windowApp) Ran(e *trace.Event) time.Duration {
	if w.begin(e.Wall); !w.part.begun {
		return 0
	}
	return w.watcher.Ran(w.moved(*e))
}

// Happens implements [trace.Watcher].
func (w *windowApp) Happens(e *trace.Event) time.Duration {
	w.begin(e.Wall)
	if w.part.take(*e); !w.part.begun {
		return 0
	}
	return w.watcher.Happens(w.moved(*e))
}

// moved returns an event in the window's time.
func (w *windowApp) moved(e trace.Event) *trace.Event {
	e.Wall = w.inside(e.Wall)
	return &e
}

// begin begins the window once its time has come, and reports the frames that are open then to the
// watcher. These have no tracing overhead, because their calls began before.
func (w *windowApp) begin(at time.Duration) {
	if w.part.begun || at < w.from {
		return
	}
	from := len(w.part.out)
	w.part.atOnce(at)
	w.follow()
	for id := range w.result.Symbols.Threads {
		if w.result.Symbols.Threads[id].End == 0 {
			w.living = append(w.living, trace.ThreadID(id))
		}
	}
	for _, e := range w.part.out[from:] {
		w.watcher.Happens(w.moved(e))
	}
}

// followEnds updates the ends of threads.
func (w *windowApp) followEnds() {
	w.living = slices.DeleteFunc(w.living, func(id trace.ThreadID) bool {
		end := w.endOf(id)
		w.result.Symbols.Threads[id].End = end
		return end > 0
	})
}
