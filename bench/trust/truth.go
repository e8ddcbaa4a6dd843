package trust

import (
	"slices"
	"time"

	"artifice/calltree"
	"artifice/sampler"
	"artifice/trace"
)

// times are exclusive and inclusive times by subject: a trace.MethodID, or a
// calltree.Node of the truth.
type times struct{ exclusive, inclusive []time.Duration }

// truth is what every method or context did.
type truth struct {
	wall             []times // by phase: pauses are part of what the sampler of that phase recorded
	cpu              times
	calls, outermost []int64 // by subject; of the latter, those that are not within another of the method
	nodes            map[place]calltree.Node
}

// place is where a context is in the tree of calls: on its thread, or below another.
type place struct {
	thread trace.ThreadID
	caller calltree.Node // NoNode: the thread's root
	method trace.MethodID
}

// truthReader passes a truth on to samplers and adds it up as each of them makes it
// run: what a sample pauses is part of the time of what is paused.
type truthReader struct {
	src      trace.Reader
	rec      *trace.Recording
	samplers []*sampler.Sampler

	queue   []trace.Event // read, and not reached yet
	tree    calltree.Tree
	wall    [][]time.Duration // by phase and node
	threads []threadState
	end     time.Duration
}

type threadState struct {
	at    calltree.Node // NoNode before the thread is known
	wall  []time.Duration
	cpu   time.Duration
	ended bool
}

// ReadEvents implements [trace.Reader].
func (r *truthReader) ReadEvents(p []trace.Event) (int, error) {
	n, err := r.src.ReadEvents(p)
	r.queue = append(r.queue, p[:n]...)
	return n, err
}

// reached adds up what has happened before a tick, of which no sampler has seen
// anything yet. It is what [sampler.RunUntil] asks, and never stops the run.
func (r *truthReader) reached(now time.Duration) (stop bool) {
	n := 0
	for ; n < len(r.queue) && r.queue[n].Wall <= now; n++ {
		r.add(&r.queue[n])
	}
	r.queue = slices.Delete(r.queue, 0, n)
	for id := range r.threads {
		if own := r.endOf(id); own > 0 && own <= now {
			r.endThread(id, own)
		}
	}
	return false
}

// endOf returns when a thread ends that has a time of its own for it, else 0.
func (r *truthReader) endOf(id int) time.Duration {
	if t := &r.threads[id]; t.at == calltree.NoNode || t.ended {
		return 0
	}
	return r.rec.Symbols.Threads[id].End
}

func (r *truthReader) endThread(id int, at time.Duration) {
	t := &r.threads[id]
	r.settle(t, at, t.cpu)
	t.ended = true
}

func (r *truthReader) add(e *trace.Event) {
	for int(e.Thread) >= len(r.threads) {
		r.threads = append(r.threads, threadState{})
	}
	t := &r.threads[e.Thread]
	if t.at == calltree.NoNode {
		*t = threadState{at: r.tree.AddRoot(e.Thread), wall: make([]time.Duration, len(r.samplers)), cpu: e.CPU}
		for i, s := range r.samplers {
			t.wall[i] = e.Wall + s.Paused()
		}
	}
	r.end = max(r.end, e.Wall)
	if r.rec.Symbols.IsRuntime(e.Method) { // no sampler sees it
		return
	}
	r.settle(t, e.Wall, e.CPU)
	to, effect := r.tree.Apply(t.at, e)
	if t.at = to; effect == trace.Pushed {
		r.tree.At(to).Count++
	}
}

// settle gives the time since the thread's last event to its stack.
func (r *truthReader) settle(t *threadState, wall, cpu time.Duration) {
	if t.ended {
		return
	}
	for i, s := range r.samplers {
		for len(r.wall[i]) < r.tree.Len() {
			r.wall[i] = append(r.wall[i], 0)
		}
		now := max(t.wall[i], wall+s.Paused())
		r.wall[i][t.at] += now - t.wall[i]
		t.wall[i] = now
	}
	r.tree.At(t.at).Self.CPU += cpu - t.cpu
	t.cpu = cpu
}

// finish returns the truth when all has been read: open frames last until their
// thread ends, or the truth does.
func (r *truthReader) finish(contexts bool) *truth {
	r.reached(max(r.end, r.rec.Info.Elapsed))
	end := max(r.end, r.rec.Info.Elapsed)
	for id := range r.threads {
		if r.threads[id].at != calltree.NoNode {
			r.endThread(id, end)
		}
	}
	n := r.tree.Len()
	cpu, calls := make([]time.Duration, n), make([]int64, n)
	for i := calltree.Node(1); int(i) < n; i++ { // an empty tree has not even the node that is none
		node := r.tree.At(i)
		cpu[i], calls[i] = node.Self.CPU, node.Count
	}
	out := &truth{calls: calls, nodes: map[place]calltree.Node{}}
	sum := r.byMethod
	if contexts {
		sum = r.byContext
		for i := calltree.Node(1); int(i) < n; i++ {
			out.nodes[placeOf(&r.tree, i, r.tree.Parent(i))] = i
		}
	} else {
		out.calls, out.outermost = make([]int64, len(r.rec.Symbols.Methods)), make([]int64, len(r.rec.Symbols.Methods))
		for _, m := range r.tree.Methods() {
			out.calls[m.Method], out.outermost[m.Method] = m.Calls+m.Recursive, m.Calls
		}
	}
	out.cpu = sum(cpu)
	for _, wall := range r.wall {
		wall = append(wall, make([]time.Duration, n-len(wall))...)
		out.wall = append(out.wall, sum(wall))
	}
	return out
}

// placeOf is the place of a context whose caller is known by another number.
func placeOf(t *calltree.Tree, n, caller calltree.Node) place {
	if t.IsRoot(n) {
		return place{thread: t.Thread(n), method: calltree.NoMethod}
	}
	return place{t.Thread(n), caller, t.Method(n)}
}

func (r *truthReader) byContext(self []time.Duration) times {
	return times{self, calltree.Inclusive(&r.tree.Contexts, self)}
}

func (r *truthReader) byMethod(self []time.Duration) times {
	g := calltree.ByMethod(&r.tree.Contexts)
	own, all := g.Sum(self), g.SumOutermost(calltree.Inclusive(&r.tree.Contexts, self))
	n := len(r.rec.Symbols.Methods)
	t := times{make([]time.Duration, n), make([]time.Duration, n)}
	for i, m := range g.Keys {
		t.exclusive[m], t.inclusive[m] = own[i], all[i]
	}
	return t
}
