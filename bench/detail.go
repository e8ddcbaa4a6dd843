package bench

import (
	"cmp"
	"slices"
	"time"

	"artifice/bench/metric"
	"artifice/bench/paths"
	"artifice/trace"
)

// How much a result tells of single methods and contexts.
const (
	topMethods = 200
	topPaths   = 60
)

// MethodShare is a method's true share of all exclusive time.
type MethodShare struct {
	Name  string
	Share float64
}

// CurvePoint is one calling context at one interval, where [theory.Universal]
// is a curve.
type CurvePoint struct {
	X float64 // interval over the context's correlation time, from its mean stays on and off the stack
	Y float64 // reported calls per true call, mean over the row's cells
}

// detail is what a cell tells of single methods and contexts.
type detail struct {
	shares []float64 // reported share of exclusive time, by place in reference.ranked
	calls  []int64   // reported calls, by place in reference.busiest
}

// rank finds the methods with the most time and the contexts with the most
// calls.
func (r *reference) rank() {
	for m, t := range r.methodT.exclusive {
		if t > 0 {
			r.ranked = append(r.ranked, trace.MethodID(m))
		}
	}
	slices.SortStableFunc(r.ranked, func(a, b trace.MethodID) int {
		return cmp.Compare(r.methodT.exclusive[b], r.methodT.exclusive[a])
	})
	r.ranked = r.ranked[:min(topMethods, len(r.ranked))]
	for p := range r.course.nodes {
		if r.course.nodes[p].calls > 1 {
			r.busiest = append(r.busiest, paths.ID(p))
		}
	}
	slices.SortStableFunc(r.busiest, func(a, b paths.ID) int {
		return cmp.Compare(r.course.nodes[b].calls, r.course.nodes[a].calls)
	})
	r.busiest = r.busiest[:min(topPaths, len(r.busiest))]
}

// detail picks from what a tracer reports what a result tells of it.
func (r *reference) detail(calls []uint32, exclusive []duration) detail {
	var d detail
	total := metric.Sum(exclusive)
	for _, m := range r.ranked {
		d.shares = append(d.shares, float64(exclusive[m])/float64(max(1, total)))
	}
	for _, p := range r.busiest {
		d.calls = append(d.calls, int64(calls[p]))
	}
	return d
}

// methods names the ranked methods.
func (r *reference) methodShares() (list []MethodShare) {
	for _, m := range r.ranked {
		list = append(list, MethodShare{
			r.course.symbols.Method(m).FullName(), float64(r.methodT.exclusive[m]) / float64(r.total),
		})
	}
	return list
}

// curve places the busiest contexts on the curve of merging, at the mean gap
// between samples. Contexts that are never off the stack have no place there.
func (r *reference) curve(gap time.Duration, cells []*cell) (points []CurvePoint) {
	for i, p := range r.busiest {
		n := &r.course.nodes[p]
		life := r.course.threads[r.course.table.Thread(p)]
		on := float64(n.on) / float64(n.calls)
		off := float64(life.last-life.start-n.on) / float64(n.calls)
		if on <= 0 || off <= 0 {
			continue
		}
		var reported int64
		for _, c := range cells {
			reported += c.detail.calls[i]
		}
		points = append(points, CurvePoint{
			X: float64(gap) * (on + off) / (on * off),
			Y: float64(reported) / float64(len(cells)) / float64(n.calls),
		})
	}
	return points
}
