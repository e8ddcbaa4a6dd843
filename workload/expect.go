package workload

import (
	"math"

	"artifice/trace"
)

// totals are expected values over all random choices, in closed form.
type totals struct {
	Calls  []float64 // calls of each method, by [trace.MethodID]
	Self   []float64 // wall time in each method itself, in ns; NaN if it depends on until_next
	Wall   float64   // total wall time, in ns; NaN likewise
	Events float64   // enters, exits and unwinds
	rounds float64   // iterations of counted loops
	least  float64   // minimum of Wall, with 1 ns for each until_next
}

// expectation is the expected behavior of a thread that nothing ends early.
//
// A thread's body consists of steps that are executed once and, often, a final loop without end. By
// Wald's identity n iterations of that loop take n times the Round; over a long truth a method's
// share of the thread's time tends to Round.Self[m] / Round.Wall.
type expectation struct {
	Once    totals // steps before the endless loop, or the whole body
	Round   totals // one iteration of the endless loop; zero without one
	Endless bool   // whether there is an endless loop
}

// expecter computes expectations over one program.
//
// The behavior of a method depends on the depth of its frame (the step conditions below and from),
// so calls are followed level by level: the expected number of calls of every method at one depth
// determines that at the next. An exception makes later steps less likely, so the probability that
// a call is left by one is computed first, from the deepest level up.
type expecter struct {
	p     *Program
	work  int         // steps visited so far
	guard int         // deepest level that a condition distinguishes from the next
	leave [][]float64 // by depth of the frame up to guard+1, then by method: probability of leaving by an exception; nil: nothing throws
}

func newExpecter(p *Program) *expecter {
	x := &expecter{p: p}
	throws := false
	for s := range p.allSteps() {
		x.guard = max(x.guard, s.below, s.from)
		throws = throws || s.kind == throwStep
	}
	if throws {
		x.solveLeave()
	}
	return x
}

// thread returns the expectation of t, or an error at the step that keeps its calls from ending.
func (x *expecter) thread(t *thread) (e expectation, err error) {
	e.Once = newTotals(len(x.p.methods))
	e.Round = newTotals(len(x.p.methods))
	reached := 1.0 // probability that no exception has ended the thread
	for returned, steps := range t.body {
		stack := t.Stack[:max(len(t.Stack)-returned, 0)]
		if last := len(steps) - 1; last >= 0 && steps[last].kind == foreverStep {
			e.Endless = true
			if err = x.totals(&e.Round, stack, steps[last].body, 1); err != nil {
				return e, err
			}
			steps = steps[:last]
		}
		if err = x.totals(&e.Once, stack, steps, reached); err != nil {
			return e, err
		}
		reached *= x.survive(steps, len(stack))
	}
	return e, nil
}

func newTotals(methods int) totals {
	return totals{Calls: make([]float64, methods), Self: make([]float64, methods)}
}

// negligible is the expected number of calls at one depth below which deeper ones are not followed.
const negligible = 1e-12

// totals adds the totals of steps to sum. The steps are reached with a probability and run in the
// frames of stack. It follows their calls level by level.
func (x *expecter) totals(sum *totals, stack []trace.MethodID, steps []step, reached float64) error {
	n := len(x.p.methods)
	w := &walk{x: x, totals: sum, calls: make([]float64, n)}
	depth := len(stack)
	own := noMethod
	if depth > 0 {
		own = stack[depth-1]
	}
	w.steps(steps, own, depth, reached)
	for {
		depth++
		level, all, most := w.takeLevel()
		if all < negligible {
			return nil
		}
		if err := x.checkLevel(most, depth, all); err != nil {
			return err
		}
		w.Events += 2 * all
		for _, c := range level {
			if x.work > maxWork {
				return x.checkLevel(c.method, depth, all)
			}
			w.Calls[c.method] += c.calls
			w.steps(x.p.methods[c.method].body, c.method, depth, c.calls)
		}
	}
}

// noMethod represents the innermost method of an empty stack.
const noMethod = ^trace.MethodID(0)

// walk is the state of one call of totals.
type walk struct {
	x *expecter
	*totals
	calls  []float64        // expected calls at the next depth, by method
	called []trace.MethodID // those above 0
	level  []levelCalls
}

// levelCalls are the expected calls of one method at one depth.
type levelCalls struct {
	method trace.MethodID
	calls  float64
}

// call adds expected calls at the next depth.
func (w *walk) call(m trace.MethodID, calls float64) {
	if calls == 0 {
		return
	}
	if w.calls[m] == 0 {
		w.called = append(w.called, m)
	}
	w.calls[m] += calls
}

// takeLevel returns the calls collected for the next depth, their number and the method with the
// most of them, and begins a new level.
func (w *walk) takeLevel() (level []levelCalls, all float64, most trace.MethodID) {
	w.level = w.level[:0]
	top := 0.0
	for _, m := range w.called {
		calls := w.calls[m]
		w.level = append(w.level, levelCalls{m, calls})
		if all += calls; calls > top {
			top, most = calls, m
		}
		w.calls[m] = 0
	}
	w.called = w.called[:0]
	return w.level, all, most
}

// steps adds the totals of steps of method m, reached a number of times, with depth frames on the
// stack. It returns the expected number of times that their end is reached.
func (w *walk) steps(steps []step, m trace.MethodID, depth int, reached float64) float64 {
	for i := range steps {
		if s := &steps[i]; s.enabled(depth) {
			taken := reached * s.prob
			reached += w.step(s, m, depth, taken) - taken
		}
	}
	return reached
}

func (w *walk) step(s *step, m trace.MethodID, depth int, taken float64) (ended float64) {
	w.x.work += s.family()
	switch s.kind {
	case selfStep:
		w.least += taken * s.time.Mean()
		w.pass(m, taken*s.time.Mean())
	case untilStep:
		if taken > 0 {
			w.least += taken
			w.pass(m, math.NaN())
		}
	case getStep:
		w.pass(m, math.NaN()) // depends on other threads
		w.call(w.x.p.code.Handoffs[s.handoff].Got, taken)
	case giveStep:
		w.call(w.x.p.code.Handoffs[s.handoff].Given, taken)
	case callStep, throwStep:
		for i := range s.family() {
			w.call(s.callee+trace.MethodID(i), taken*s.share(i))
		}
		return taken * w.x.surviveStep(s, depth)
	case loopStep:
		well := w.x.survive(s.body, depth)
		rounds := taken * s.times.Rounds(well)
		w.rounds += rounds
		w.steps(s.body, m, depth, rounds)
		return taken * s.times.Survive(well)
	case chooseStep:
		from := 0.0
		for _, b := range s.branches {
			ended += w.steps(b.body, m, depth, taken*(b.upTo-from))
			from = b.upTo
		}
		return ended
	}
	return taken
}

func (w *walk) pass(m trace.MethodID, ns float64) {
	w.Wall += ns
	if m != noMethod {
		w.Self[m] += ns
	}
}

// maxLeaveTable is the maximum size of the table of expecter.leave, in entries. A program beyond it
// (hundreds of methods, with exceptions, under conditions thousands deep) is rejected.
const maxLeaveTable = 1 << 22

// maxWork is the maximum number of steps that an expecter visits; a program that needs more is
// rejected. It takes some seconds.
const maxWork = 200_000_000

// solveLeave fills leave. Below the deepest condition all depths are equal, and the probabilities
// are the least fixed point, found by iteration from 0.
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
				return // checkLevel reports it
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

// survive returns the probability that steps, executed with depth frames on the stack, end without
// an exception.
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
