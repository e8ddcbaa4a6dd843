package report

import (
	"math"
	"time"

	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/calltree"
)

// none is the group of contexts without a group.
const none = -1

// sums adds up the contexts by group. A group is a number from 0, or none. The inclusive time of a
// group is that of its contexts without an ancestor in the same group.
func (v *View) sums(of func(calltree.Node) int) []groupSum {
	v.columns()
	g := &groupVisitor{view: v, of: of, running: calltree.Inclusive(&v.Profile.Tree.Contexts, v.awake())}
	for id := range v.Profile.Tree.Threads() {
		v.Profile.Tree.Walk(trace.ThreadID(id), g)
	}
	return g.groups
}

// groupVisitor sums the contexts of groups during a walk.
type groupVisitor struct {
	view   *View
	of     func(calltree.Node) int
	groups []groupSum
	path   []int // groups on the walk's path

	running []time.Duration // by context: running time with its callees
}

type groupSum struct {
	exclusive, inclusive adder
	awake                timeAdder     // running time without callees
	running              time.Duration // running time with callees
	calls                int64
	active               int // number of contexts of the group on the walk's path
}

func (s *groupSum) row(v *View, name string) Row {
	return Row{summed: &summed{
		name: name,
		figures: estimate.Figures{
			Exclusive: s.exclusive.share(), Inclusive: s.inclusive.share(),
			Calls: estimate.Calls{Reported: s.calls, AtLeast: v.Profile.Sampled()},
		},
		running: s.awake.time(), runningTotal: s.running,
	}}
}

func (g *groupVisitor) Open(n calltree.Node, depth int) {
	i := none
	if depth > 0 {
		i = g.of(n)
	}
	g.path = append(g.path, i)
	if i == none {
		return
	}
	for i >= len(g.groups) {
		g.groups = append(g.groups, groupSum{})
	}
	s := &g.groups[i]
	if kept := g.view.kept; kept == nil || kept[n] {
		s.exclusive.add(&g.view.exclusive[n])
		s.awake.add(g.view.Profile.RunningTime(&g.view.exclusive[n], g.view.Profile.Running(n)))
		s.calls += g.view.Profile.Tree.At(n).Count
	}
	if s.active++; s.active == 1 {
		s.inclusive.add(&g.view.inclusive[n])
		s.running += g.running[n]
	}
}

func (g *groupVisitor) Shut(calltree.Node, int) {
	last := len(g.path) - 1
	if i := g.path[last]; i != none {
		g.groups[i].active--
	}
	g.path = g.path[:last]
}

// adder sums shares. It treats their errors as independent. Because time missing in one method of a
// thread is in another, the interval of a sum is rather too wide.
type adder struct {
	wall, cpu timeAdder
	runs      estimate.Runs
	cycle     *estimate.Cycle
	noCPU     bool
}

// timeAdder sums the squared distances to the limits.
type timeAdder struct {
	value       time.Duration
	below, over float64
}

func (a *timeAdder) add(t estimate.Time) {
	a.value += t.Value
	below, over := float64(t.Value-t.Low), float64(t.High-t.Value)
	a.below += below * below
	a.over += over * over
}

func (a *timeAdder) join(b *timeAdder) {
	a.value += b.value
	a.below += b.below
	a.over += b.over
}

func (a *timeAdder) time() estimate.Time {
	low, high := a.value-time.Duration(math.Sqrt(a.below)), a.value+time.Duration(math.Sqrt(a.over))
	return estimate.Time{Value: a.value, Low: max(0, low), High: high}
}

func (a *adder) add(s *estimate.Share) {
	a.wall.add(s.Wall)
	a.cpu.add(s.CPU)
	a.mark(s.Runs, s.Cycle, s.NoCPU)
}

func (a *adder) join(b *adder) {
	a.wall.join(&b.wall)
	a.cpu.join(&b.cpu)
	a.mark(b.runs, b.cycle, b.noCPU)
}

func (a *adder) mark(r estimate.Runs, c *estimate.Cycle, noCPU bool) {
	a.runs.Samples += r.Samples
	a.runs.Single += r.Single
	a.runs.Longer += r.Longer
	if c != nil && (a.cycle == nil || c.Alike > a.cycle.Alike) {
		a.cycle = c
	}
	a.noCPU = a.noCPU || noCPU
}

func (a *adder) share() estimate.Share {
	return estimate.Share{
		Clocks: estimate.Clocks{Wall: a.wall.time(), CPU: a.cpu.time()},
		Runs:   a.runs, Cycle: a.cycle, NoCPU: a.noCPU,
	}
}
