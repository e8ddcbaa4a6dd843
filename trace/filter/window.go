package filter

import (
	"errors"
	"slices"
	"time"

	"artifice/trace"
)

// Window returns what a trace would have that began at from and ended at to (0: at
// the end): the window of rec, its time counted from the window's beginning, so that
// a tracer can take it for a truth. The events of rec come in time order, and so do
// those of the window; frames that are open at the edges are as in [Part], for all
// threads at once, and the threads live within the window. Of a truth ([trace.Truth]) it has all methods, with its numbers.
//
// The window of an app that runs while it is traced ([trace.LiveApp]) is one, too, and has no end of its own: to is 0. Nobody watches
// the app until the window begins, so it does until then what it does untraced.
func Window(rec *trace.Recording, from, to time.Duration) (*trace.Recording, error) {
	app, runs := rec.Events.(trace.LiveApp)
	if runs && to != 0 {
		return nil, errors.New("the window of an app that runs while it is traced has no end")
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

// windowReader moves the time of a part to 0.
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

// follow copies what the part has learned since.
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

// endOf returns the end of a thread, as far as the source knows it by now; 0: it does not.
func (w *windowReader) endOf(id trace.ThreadID) time.Duration {
	end := w.part.source.Symbols.Thread(id).End // all threads have the source's numbers
	if end > 0 {
		end = max(1, w.inside(end)) // 0 would be unknown
	}
	return end
}

// inside moves a time into the window.
func (w *windowReader) inside(t time.Duration) time.Duration {
	if w.to > 0 {
		t = min(t, w.to)
	}
	return max(0, t-w.from)
}

// windowApp is the window of an app that runs while it is traced. It is the [trace.Watcher] of that, for one who
// watches the window.
type windowApp struct {
	*windowReader
	app     trace.LiveApp
	watcher trace.Watcher
	living  []trace.ThreadID // that have no end so far
}

// Watch implements [trace.LiveApp].
func (w *windowApp) Watch(by trace.Watcher) {
	w.watcher, w.part.watched = by, true
	w.app.Watch(w)
}

// OwnThread implements [trace.Watcher].
func (w *windowApp) OwnThread() bool { return w.part.begun && w.watcher.OwnThread() }

// NextPause implements [trace.Watcher]: the window begins with one that takes no time.
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

// begin begins the window where its time has come, and tells of the frames that are open there. They take nothing: they were
// there before.
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

// followEnds notes which threads have ended.
func (w *windowApp) followEnds() {
	w.living = slices.DeleteFunc(w.living, func(id trace.ThreadID) bool {
		end := w.endOf(id)
		w.result.Symbols.Threads[id].End = end
		return end > 0
	})
}
