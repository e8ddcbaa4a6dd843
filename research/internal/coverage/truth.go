package coverage

import (
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// times are exclusive and inclusive times by subject: a trace.MethodID, or a
// calltree.Node of the truth.
type times struct{ exclusive, inclusive []time.Duration }

// truth contains the times and calls of every method or context.
type truth struct {
	wall             []times // by phase: including the pauses of the sampler of that phase
	cpu              times
	cpuBy            []times // by phase, if samples take CPU time; otherwise nil
	calls, outermost []int64 // by subject; outermost: calls that are not within another call of the method
	nodes            map[place]calltree.Node
}

// place identifies a context in the tree of calls: on its thread, or below a caller.
type place struct {
	thread trace.ThreadID
	caller calltree.Node // NoNode: the thread's root
	method trace.MethodID
}

// truthSum sums a truth as delayed by each of several samplers: a pause is part of the time of the
// paused method, and is subtracted from the wait that absorbs it. It is their [sampler.Follower].
type truthSum struct {
	rec     *trace.Recording
	tree    calltree.Tree
	wall    [][]time.Duration // by phase and node
	threads []threadState
}

type threadState struct {
	at    calltree.Node // NoNode before the thread is known
	wall  []time.Duration
	cpu   time.Duration
	last  time.Duration // wall time of its last event, without delays
	ended bool
}

// Event implements [sampler.Follower].
func (r *truthSum) Event(e *trace.Event, late []time.Duration) {
	for int(e.Thread) >= len(r.threads) {
		r.threads = append(r.threads, threadState{})
	}
	t := &r.threads[e.Thread]
	if t.at == calltree.NoNode {
		*t = threadState{at: r.tree.AddRoot(e.Thread), wall: make([]time.Duration, len(r.wall)), cpu: e.CPU}
		for i := range late {
			t.wall[i] = e.Wall + late[i]
		}
	}
	if r.rec.Symbols.IsRuntime(e.Method) { // no sampler records it
		return
	}
	r.settle(t, e.Wall, e.CPU, late)
	t.last = e.Wall
	to, effect := r.tree.Apply(t.at, e)
	if t.at = to; effect == trace.Pushed {
		r.tree.At(to).Count++
	}
}

// End implements [sampler.Follower]: open frames last until the end of their thread or of the
// truth, which can be later than its last event.
func (r *truthSum) End(id trace.ThreadID, at time.Duration, late []time.Duration) {
	if int(id) >= len(r.threads) || r.threads[id].at == calltree.NoNode {
		return
	}
	if r.rec.Info.Technique == trace.Truth && r.rec.Symbols.Threads[id].End == 0 {
		at = max(at, r.rec.Info.Elapsed)
	}
	t := &r.threads[id]
	cpu := t.cpu
	if r.rec.Info.Technique == trace.Truth && !r.tree.IsRoot(t.at) && !r.rec.Symbols.Method(r.tree.Method(t.at)).Waits() {
		cpu += max(0, at-t.last) // it continues to run; only in a recorded truth this is unknown
	}
	r.settle(t, at, cpu, late)
	t.ended = true
}

// settle attributes the time since the thread's last event to its stack.
func (r *truthSum) settle(t *threadState, wall, cpu time.Duration, late []time.Duration) {
	if t.ended {
		return
	}
	for i := range late {
		for len(r.wall[i]) < r.tree.Len() {
			r.wall[i] = append(r.wall[i], 0)
		}
		now := max(t.wall[i], wall+late[i])
		r.wall[i][t.at] += now - t.wall[i]
		t.wall[i] = now
	}
	r.tree.At(t.at).Self.CPU += cpu - t.cpu
	t.cpu = cpu
}

// finish returns the truth when all threads have ended.
func (r *truthSum) finish(contexts bool) *truth {
	n := r.tree.Len()
	cpu, calls := make([]time.Duration, n), make([]int64, n)
	for i := calltree.Node(1); int(i) < n; i++ { // an empty tree does not even have NoNode
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

// placeOf returns the place of a context. caller is the caller's number in the place.
func placeOf(t *calltree.Tree, n, caller calltree.Node) place {
	if t.IsRoot(n) {
		return place{thread: t.Thread(n), method: calltree.NoMethod}
	}
	return place{t.Thread(n), caller, t.Method(n)}
}

func (r *truthSum) byContext(self []time.Duration) times {
	return times{self, calltree.Inclusive(&r.tree.Contexts, self)}
}

func (r *truthSum) byMethod(self []time.Duration) times {
	g := calltree.ByMethod(&r.tree.Contexts)
	own, all := g.Sum(self), g.SumOutermost(calltree.Inclusive(&r.tree.Contexts, self))
	n := len(r.rec.Symbols.Methods)
	t := times{make([]time.Duration, n), make([]time.Duration, n)}
	for i, m := range g.Keys {
		t.exclusive[m], t.inclusive[m] = own[i], all[i]
	}
	return t
}
