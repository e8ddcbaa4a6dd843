package outputs

import (
	"time"

	"artifice/research/internal/peers/seen"
)

// stackTree contains the stacks of a trace as nodes: the innermost frame, and the stack below it.
// Node 0 and those of other threads without a frame are roots. Callers come before callees.
type stackTree struct {
	nodes []stackNode
	index map[stackKey]int
}

type stackKey struct {
	caller, thread int
	method         string
}

type stackNode struct {
	stackKey
	own Total // its own time; Inclusive is not used
}

// at returns the number of a stack.
func (t *stackTree) at(k stackKey) int {
	i, ok := t.index[k]
	if !ok {
		i = len(t.nodes)
		t.index[k] = i
		t.nodes = append(t.nodes, stackNode{stackKey: k})
	}
	return i
}

const noCaller = -1

// Totals sums the events. An exit ends the innermost call; if none is open, it ends a call open
// since its thread's first event. A call open at the end ends with its thread's last event. Samples of
// CPU time have no wall time, unless it is derived.
func (h *Held) Totals() *Totals {
	tree := &stackTree{index: make(map[stackKey]int)}
	at, last := make(map[int]int), make(map[int]seen.Event)
	for _, e := range h.Enclosed().Events {
		before, begun := last[e.Thread]
		if !begun {
			root := stackKey{caller: noCaller, thread: e.Thread}
			if h.merged {
				root.thread = 0
			}
			at[e.Thread], before = tree.at(root), e
		}
		n := at[e.Thread]
		own := &tree.nodes[n].own.Self
		own.Wall += max(e.Wall-before.Wall, 0)
		own.CPU += e.CPU - before.CPU
		e.Wall = max(e.Wall, before.Wall)
		last[e.Thread] = e
		if e.Enter {
			n = tree.at(stackKey{n, tree.nodes[n].thread, e.Method})
			if !e.Inherited {
				tree.nodes[n].own.Calls++
			}
			at[e.Thread] = n
		} else if caller := tree.nodes[n].caller; caller != noCaller {
			at[e.Thread] = caller
		}
	}
	totals := tree.totals(h)
	if h.OfCPU && !h.derived {
		totals.withoutWall()
	}
	return totals
}

// totals sums by thread and method. A method's inclusive time is that of its outermost calls.
func (t *stackTree) totals(h *Held) *Totals {
	totals := &Totals{make(map[string]Total), make(map[string]Total)}
	inclusive := make([]Times, len(t.nodes))
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n := &t.nodes[i]
		if n.caller == noCaller {
			continue
		}
		own := n.own
		own.Self = Times{h.rounded(own.Self.Wall), h.rounded(max(own.Self.CPU, 0))}
		inclusive[i].Wall += own.Self.Wall
		inclusive[i].CPU += own.Self.CPU
		inclusive[n.caller].Wall += inclusive[i].Wall
		inclusive[n.caller].CPU += inclusive[i].CPU
		thread := own
		thread.Inclusive = own.Self
		add(totals.Threads, h.Threads[n.thread], thread)
		if !t.recursive(n) {
			own.Inclusive = inclusive[i]
		}
		name := n.method
		if !h.signed {
			name = plain(name)
		}
		add(totals.Methods, name, own)
	}
	return totals
}

func (h *Held) rounded(t time.Duration) time.Duration {
	if h.unit == 0 {
		return t
	}
	return t.Round(h.unit)
}

// recursive reports whether a stack contains its innermost method a second time.
func (t *stackTree) recursive(n *stackNode) bool {
	for at := n.caller; at != noCaller; at = t.nodes[at].caller {
		if t.nodes[at].method == n.method {
			return true
		}
	}
	return false
}
