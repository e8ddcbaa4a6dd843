package trust

import (
	"time"

	"artifice/calltree"
	"artifice/trace"
)

// truth is what every method did.
type truth struct {
	methods map[trace.MethodID]calltree.MethodTotal
	length  time.Duration
}

// truthReader passes a truth on to samplers and adds it up.
type truthReader struct {
	src     trace.Reader
	rec     *trace.Recording
	tree    calltree.Tree
	threads []threadState
	end     time.Duration
}

type threadState struct {
	at   calltree.Node // NoNode before the thread is known
	last calltree.Times
}

func newTruthReader(rec *trace.Recording) *truthReader {
	return &truthReader{src: rec.Events, rec: rec}
}

// ReadEvents implements [trace.Reader].
func (r *truthReader) ReadEvents(p []trace.Event) (int, error) {
	n, err := r.src.ReadEvents(p)
	for i := range p[:n] {
		r.add(&p[i])
	}
	return n, err
}

func (r *truthReader) add(e *trace.Event) {
	for int(e.Thread) >= len(r.threads) {
		r.threads = append(r.threads, threadState{})
	}
	t := &r.threads[e.Thread]
	if t.at == calltree.NoNode {
		*t = threadState{r.tree.AddRoot(e.Thread), calltree.Times{Wall: e.Wall, CPU: e.CPU}}
	}
	r.end = max(r.end, e.Wall)
	if r.rec.Symbols.IsRuntime(e.Method) { // no sampler sees it
		return
	}
	to, effect := r.tree.Apply(t.at, e)
	r.settle(t, calltree.Times{Wall: e.Wall, CPU: e.CPU})
	if t.at = to; effect == trace.Pushed {
		r.tree.At(to).Count++
	}
}

// settle gives the time since the thread's last event to its stack.
func (r *truthReader) settle(t *threadState, now calltree.Times) {
	self := &r.tree.At(t.at).Self
	self.Wall += now.Wall - t.last.Wall
	self.CPU += now.CPU - t.last.CPU
	t.last = now
}

// finish returns the truth when all has been read: open frames last until their
// thread ends, or the truth does.
func (r *truthReader) finish() *truth {
	end := max(r.end, r.rec.Info.Elapsed)
	for id := range r.threads {
		t := &r.threads[id]
		if t.at == calltree.NoNode {
			continue
		}
		last := end
		if own := r.rec.Symbols.Threads[id].End; own > 0 {
			last = min(end, own)
		}
		r.settle(t, calltree.Times{Wall: max(last, t.last.Wall), CPU: t.last.CPU})
	}
	out := &truth{methods: map[trace.MethodID]calltree.MethodTotal{}, length: end}
	for _, m := range r.tree.Methods() {
		out.methods[m.Method] = m
	}
	return out
}
