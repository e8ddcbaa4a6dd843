package bench

import (
	"math"
	"time"

	"artifice/bench/metric"
	"artifice/bench/paths"
	"artifice/trace"
)

// reference is the finished truth as columns: by path, by method and by edge.
type reference struct {
	course    *course
	methods   int        // methods the symbols have
	edgeOf    []int32    // by path: its edge, −1 for a root
	outermost []bool     // by path: no path above it has its method
	edges     int        // distinct pairs of caller and callee
	self      []duration // by path, 0 for roots
	methodT   profile
	edgeT     []duration
	cpuT      *profile      // by CPU time; nil: nobody asks
	total     time.Duration // exclusive time in methods
	run       time.Duration // time of all threads
	runCPU    time.Duration // CPU time of all threads
	calls     int64

	ranked  []trace.MethodID // those with the most time
	busiest []paths.ID       // those with the most calls
}

type duration = time.Duration

// profile is a trace's account of every method.
type profile struct {
	exclusive []duration
	inclusive []duration // outermost activations only
	calls     []int64
}

// newReference lays out a course that is finished.
func newReference(c *course) *reference {
	r := &reference{course: c, methods: len(c.symbols.Methods), calls: c.begun}
	r.layOut()
	var truth columns
	truth.grow(c.table.Len())
	for p := range c.nodes {
		truth.self[p] = c.nodes[p].self
		truth.calls[p] = uint32(min(c.nodes[p].calls, math.MaxUint32))
	}
	r.self = r.contexts(truth.self)
	r.methodT = r.profile(truth)
	r.edgeT = r.byEdge(truth.self)
	r.run, r.total = metric.Sum(truth.self), metric.Sum(r.self)
	if c.selfCPU != nil {
		truth.cpu = append(c.selfCPU, make([]duration, c.table.Len()-len(c.selfCPU))...)
		r.cpuT, r.runCPU = r.byCPU(truth), metric.Sum(truth.cpu)
	}
	r.rank()
	return r
}

// layOut finds each path's edge and whether it is its method's outermost
// activation. Paths that only a tracer reported are laid out too.
func (r *reference) layOut() {
	type edge struct{ caller, callee trace.MethodID }
	const toplevel = trace.MethodID(1<<32 - 1)
	table := &r.course.table
	index := map[edge]int32{}
	r.edgeOf = make([]int32, table.Len())
	r.outermost = make([]bool, table.Len())
	for p := paths.ID(1); int(p) < table.Len(); p++ {
		r.edgeOf[p] = -1
		if table.IsRoot(p) {
			continue
		}
		e := edge{toplevel, table.Method(p)}
		parent := table.Parent(p)
		if !table.IsRoot(parent) {
			e.caller = table.Method(parent)
		}
		id, ok := index[e]
		if !ok {
			id = int32(len(index))
			index[e] = id
		}
		r.edgeOf[p] = id
		r.outermost[p] = true
		for ; !table.IsRoot(parent); parent = table.Parent(parent) {
			if table.Method(parent) == e.callee {
				r.outermost[p] = false
				break
			}
		}
	}
	r.edges = len(index)
}

// contexts returns exclusive times by path, with 0 for roots.
func (r *reference) contexts(self []duration) []duration {
	times := make([]duration, len(self))
	for p := 1; p < len(self); p++ {
		if !r.course.table.IsRoot(paths.ID(p)) {
			times[p] = self[p]
		}
	}
	return times
}

// profile sums up by method.
func (r *reference) profile(c columns) profile {
	table := &r.course.table
	p := profile{make([]duration, r.methods), make([]duration, r.methods), make([]int64, r.methods)}
	below := make([]duration, len(c.self)) // inclusive time by path
	for id := len(c.self) - 1; id > 0; id-- {
		path := paths.ID(id)
		below[id] += c.self[id]
		if table.IsRoot(path) {
			continue
		}
		below[table.Parent(path)] += below[id]
		m := table.Method(path)
		p.exclusive[m] += c.self[id]
		p.calls[m] += int64(c.calls[id])
		if r.outermost[id] {
			p.inclusive[m] += below[id]
		}
	}
	return p
}

// byCPU is profile of CPU times.
func (r *reference) byCPU(c columns) *profile {
	p := r.profile(columns{self: c.cpu, calls: c.calls})
	return &p
}

// byEdge sums up exclusive times by caller and callee.
func (r *reference) byEdge(self []duration) []duration {
	times := make([]duration, r.edges)
	for id := 1; id < len(self); id++ {
		if e := r.edgeOf[id]; e >= 0 {
			times[e] += self[id]
		}
	}
	return times
}

// shares scales a column to sum 1 and leaves out what is 0.
func shares(column []duration) []float64 {
	total := metric.Sum(column)
	var list []float64
	for _, t := range column {
		if t > 0 {
			list = append(list, float64(t)/float64(total))
		}
	}
	return list
}
