package workload

import (
	"artifice/trace"
)

// maxLeaveTable bounds the table of expecter.leave, in entries. A program over
// it (hundreds of methods, with exceptions, under conditions thousands deep) is
// refused.
const maxLeaveTable = 1 << 22

// maxWork bounds the steps an expecter looks at; a program that needs more is
// refused. It is some seconds' worth.
const maxWork = 200_000_000

// solveLeave fills leave: below the deepest condition all depths are alike and
// the probabilities are the least fixed point, found by iteration from 0.
func (x *expecter) solveLeave() {
	n := len(x.p.methods)
	if (x.guard+2)*n > maxLeaveTable {
		x.work = maxWork + 1
		return
	}
	x.leave = make([][]float64, x.guard+2)
	deepest := x.guard + 1
	x.leave[deepest] = make([]float64, n)
	for range 10_000 {
		change := 0.0
		for m := range n {
			if x.work > maxWork {
				return // checkLevel tells it
			}
			q := 1 - x.survive(x.p.methods[m].body, deepest)
			change = max(change, q-x.leave[deepest][m])
			x.leave[deepest][m] = q
		}
		if change < 1e-15 {
			break
		}
	}
	for depth := x.guard; depth >= 0; depth-- {
		x.leave[depth] = make([]float64, n)
		for m := range n {
			if x.work > maxWork {
				return
			}
			x.leave[depth][m] = 1 - x.survive(x.p.methods[m].body, depth)
		}
	}
}

// leaves returns the probability that a call of m, its frame at depth, is left
// by an exception.
func (x *expecter) leaves(m trace.MethodID, depth int) float64 {
	if x.leave == nil || x.leave[min(depth, x.guard+1)] == nil {
		return 0
	}
	return x.leave[min(depth, x.guard+1)][m]
}

// survive returns the probability that steps, carried out with depth frames on
// the stack, end without an exception.
func (x *expecter) survive(steps []step, depth int) float64 {
	if x.leave == nil {
		return 1
	}
	all := 1.0
	for i := range steps {
		if s := &steps[i]; s.enabled(depth) {
			all *= 1 - s.prob*(1-x.surviveStep(s, depth))
		}
	}
	return all
}

func (x *expecter) surviveStep(s *step, depth int) float64 {
	x.work++
	switch s.kind {
	case callStep:
		x.work += s.family()
		if s.catch {
			return 1
		}
		q := 0.0
		for i := range s.family() {
			q += s.share(i) * x.leaves(s.callee+trace.MethodID(i), depth+1)
		}
		return 1 - q
	case throwStep:
		return 0
	case loopStep:
		return s.times.Survive(x.survive(s.body, depth))
	case chooseStep:
		all, from := 0.0, 0.0
		for _, b := range s.branches {
			all += (b.upTo - from) * x.survive(b.body, depth)
			from = b.upTo
		}
		return all
	}
	return 1
}

// share returns the probability that a callStep takes member i of its family.
func (s *step) share(i int) float64 {
	switch {
	case s.weights == nil:
		return 1
	case i == 0:
		return s.weights[0]
	}
	return s.weights[i] - s.weights[i-1]
}
