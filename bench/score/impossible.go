package score

import (
	"time"

	"artifice/bench/internal/spill"
	"artifice/bench/measure"
	"artifice/trace"
	"artifice/trace/calltree"
)

// Impossible describes the observed stacks that cannot have existed: a frame whose caller never
// called its method in the truth. Frames of methods that are not in the truth, such as the
// kernel's, do not make a stack impossible.
type Impossible struct {
	Stacks int     `json:"stacks"` // distinct ones with self time, over all threads
	Time   float64 `json:"time"`   // their share of the observed time in methods, 0 to 1
	First  string  `json:"first"`  // the pair of caller and method with most time: "a.B.f → a.B.g"; "" without one
}

// impossible finds the impossible stacks of the observed trace.
func (r *Reference) impossible(seen *Side) (found Impossible) {
	contexts := &r.state.contexts.Contexts
	judge := r.newPossible()
	distinct := map[calltree.Node]bool{}
	var all calltree.Contexts // of impossible stacks, without their threads
	times := map[int]time.Duration{}
	var total time.Duration
	var stack []trace.MethodID
	for p, d := range seen.Contexts {
		n := calltree.Node(p)
		contexts.Touch(n)
		if d <= 0 || contexts.IsRoot(n) {
			continue
		}
		pair := judge.impossiblePair(n)
		if pair < 0 {
			continue
		}
		stack = contexts.Stack(n, stack)
		at := all.AddRoot(0)
		for i := len(stack) - 1; i >= 0; i-- {
			at = all.Child(at, stack[i])
		}
		distinct[at] = true
		total += d
		times[pair] += d
	}
	found.Stacks, found.Time, found.First = len(distinct), measure.Share(total, seen.Time), judge.longest(times)
	return found
}

// possible determines which pairs of caller and method the truth has.
type possible struct {
	*Reference
	pairs   []bool // by group of edges
	methods []bool // by trace.MethodID
}

func (r *Reference) newPossible() *possible {
	s := r.state
	// positive if the truth was in the context, or in one below it
	known := spill.Make[time.Duration](s.scratch, s.contexts.Len())
	for p := range known[:min(s.sums.Len(), len(known))] {
		if e := s.contexts.At(calltree.Node(p)); e.Count > 0 || e.Self.Wall > 0 || e.Self.CPU > 0 {
			known[p] = 1
		}
		s.contexts.Touch(calltree.Node(p))
	}
	calltree.AddUp(&s.contexts.Contexts, known)
	j := &possible{r, make([]bool, len(r.edges.Keys)), make([]bool, len(s.symbols.Methods))}
	for i, n := range r.edges.Sum(known) {
		if n > 0 {
			j.pairs[i] = true
			j.methods[r.edges.Keys[i].Callee] = true
		}
	}
	return j
}

// impossiblePair returns the group of the innermost pair of caller and method on a stack that does
// not occur in the truth although both methods do; -1: none.
func (j *possible) impossiblePair(n calltree.Node) int {
	contexts := &j.state.contexts.Contexts
	for caller := contexts.Parent(n); !contexts.IsRoot(caller); n, caller = caller, contexts.Parent(caller) {
		pair := j.edges.Of(n)
		if pair >= 0 && !j.pairs[pair] && j.methods[contexts.Method(n)] && j.methods[contexts.Method(caller)] {
			return pair
		}
	}
	return -1
}

// longest describes the pair with the most time.
func (j *possible) longest(times map[int]time.Duration) string {
	first, best := "", time.Duration(0)
	for pair, d := range times {
		e := j.edges.Keys[pair]
		text := j.state.symbols.Method(e.Caller).FullName() + " → " + j.state.symbols.Method(e.Callee).FullName()
		if d > best || d == best && text < first {
			first, best = text, d
		}
	}
	return first
}
