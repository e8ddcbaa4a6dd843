package filter

import (
	"time"

	"artifice/trace"
)

// Window returns what a trace would have that began at from and ended at to (0: at
// the end): the window of rec, its time counted from the window's beginning, so that
// a tracer can take it for a truth. The events of rec come in time order, and so do
// those of the window; frames that are open at the edges are as in [Part], for all
// threads at once, and the threads live within the window.
func Window(rec *trace.Recording, from, to time.Duration) (*trace.Recording, error) {
	part, err := Part{From: from, To: to}.apply(rec, true)
	if err != nil {
		return nil, err
	}
	w := &windowReader{part: part, from: from, to: to}
	w.result = &trace.Recording{Symbols: &trace.Symbols{}, Events: w}
	w.result.DisplayFrames = trace.MovedFrames(part.DisplayFrames, from)
	w.follow()
	return w.result, nil
}

// windowReader moves the time of a part to 0.
type windowReader struct {
	part, result *trace.Recording
	from, to     time.Duration
}

// ReadEvents implements [trace.Reader].
func (w *windowReader) ReadEvents(p []trace.Event) (int, error) {
	n, err := w.part.Events.ReadEvents(p)
	for i := range p[:n] {
		p[i].Wall = max(0, p[i].Wall-w.from)
	}
	w.follow()
	return n, err
}

// follow copies what the part has learned since.
func (w *windowReader) follow() {
	r, s := w.result, w.part
	r.Info, r.Warnings = s.Info, s.Warnings
	if r.Info.Elapsed > 0 {
		r.Info.Elapsed = w.inside(r.Info.Elapsed)
	}
	r.Symbols.Methods = s.Symbols.Methods
	r.Symbols.Threads = r.Symbols.Threads[:0]
	for _, t := range s.Symbols.Threads {
		t.Start = w.inside(t.Start)
		if t.End > 0 {
			t.End = max(1, w.inside(t.End)) // 0 would be unknown
		}
		r.Symbols.Threads = append(r.Symbols.Threads, t)
	}
}

// inside moves a time into the window.
func (w *windowReader) inside(t time.Duration) time.Duration {
	if w.to > 0 {
		t = min(t, w.to)
	}
	return max(0, t-w.from)
}
