package reference

import (
	"math"
	"time"

	"artifice/trace"
)

// File returns the record as read back from its file. A thread's time extends from its first to its
// last event. The app's time is known only from the stop of tracing, in steps of the file's clock.
// A slowdown of at least 1 % is assumed to be uniform.
func (r *Record) File(t *Truth, step time.Duration) *Record {
	f := &Record{AllCalls: r.AllCalls, NoCPU: r.NoCPU, stops: true, Tails: make([]Tail, len(r.Tails))}
	f.Delay = cut(r.Stop, step) - t.Length
	scale := 1 + f.Delay.Seconds()/t.Length.Seconds()
	if math.Abs(scale-1) < 0.01 {
		scale = 1
	}
	for _, e := range r.Events {
		e.App = time.Duration(math.Round(float64(e.Wall) / scale))
		f.Events = append(f.Events, e)
	}
	f.CPU = -sum(t.itself.cpu)
	stop := cut(r.Stop, step)
	for _, e := range f.Events {
		stop = max(stop, e.Wall)
	}
	for id := range f.Tails {
		first, last := f.ends(trace.ThreadID(id))
		end := last.Wall
		if life := t.Symbols.Threads[id].End; end > 0 && (life == 0 || life >= t.Length) {
			end = stop // the thread was alive then
		}
		f.Tails[id] = Tail{first.Wall, first.CPU, end, last.CPU}
		f.CPU += last.CPU - first.CPU
	}
	if f.NoCPU {
		f.CPU = unknown
	}
	return f
}
