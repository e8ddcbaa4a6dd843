package workload

import (
	"cmp"
	"slices"

	"artifice/internal/yamlfile"
	"artifice/trace"
	"artifice/workload/internal/machine"
)

// checkTIDs rejects two threads with the same tid at the same time.
func (p *Program) checkTIDs() error {
	order := make([]*thread, len(p.threads))
	for i := range p.threads {
		order[i] = &p.threads[i]
	}
	slices.SortStableFunc(order, func(x, y *thread) int { return cmp.Compare(x.TID, y.TID) })
	for i := 1; i < len(order); i++ {
		first, second := order[i-1], order[i]
		switch {
		case first.TID != second.TID:
		case first.End == 0:
			return second.at.Errorf("tid %d is used again: state the end of the thread that has this tid (line %d)", second.TID, first.at.Line)
		case first.End > second.Start || second.Before:
			return second.at.Errorf("tid %d is used again before the thread that has this tid (line %d) ends", second.TID, first.at.Line)
		}
	}
	return nil
}

// Limits on the work of a program in zero time. A truth is generated up to a time, which it must
// reach.
const (
	maxEventsAtOnce = 1e6  // events of a body in zero time
	eventsPerNs     = 10   // mean maximum beyond that
	maxCalls        = 1e15 // expected calls at one depth
	rareCalls       = 1e-9 // expected calls beyond maxDepth that are tolerated
	maxRounds       = 1e6  // loop iterations; above this number each iteration
	roundsPerEvent  = 1e3  // must generate an event per this many
)

// checkEnds rejects bodies that cannot be executed.
func (p *Program) checkEnds() error {
	x := newExpecter(p)
	checked := map[*yamlfile.Node]bool{} // copies of a thread share their body
	for i := range p.threads {
		t := &p.threads[i]
		if checked[t.at] {
			continue
		}
		checked[t.at] = true
		if err := x.checkThread(t); err != nil {
			return err
		}
	}
	return nil
}

func (x *expecter) checkThread(t *thread) error {
	e, err := x.thread(t)
	if err != nil {
		return err
	}
	if len(t.body) == 0 {
		return nil
	}
	last := t.endless()
	if e.Endless && (e.Round.least < 1 || e.Round.Events > eventsPerNs*e.Round.least) {
		return last.at.Errorf("an endless loop takes no time (%.3g ns and %.3g events per iteration)", e.Round.least, e.Round.Events)
	}
	if e.Once.Events > maxEventsAtOnce && e.Once.Events > eventsPerNs*e.Once.least {
		return t.at.Errorf("the thread has %.3g events in %.3g ns; increase the times of methods", e.Once.Events, e.Once.least)
	}
	if e.Endless && e.Round.Events == 0 {
		return last.at.Errorf("an endless loop calls no method")
	}
	if e.Once.Events == 0 && !e.Endless && len(t.Stack) == 0 {
		return t.at.Errorf("the thread does something but calls no method; give the thread a stack or a call")
	}
	for _, totals := range []totals{e.Once, e.Round} {
		if totals.rounds > maxRounds && totals.rounds > roundsPerEvent*totals.Events {
			return t.at.Errorf("%.3g iterations of loops for %.3g events; replace each loop without calls by a single step self", totals.rounds, totals.Events)
		}
	}
	return nil
}

// checkLevel rejects calls that go too deep or become too many: sum is the expected number of calls
// at depth, most of them of m.
func (x *expecter) checkLevel(m trace.MethodID, depth int, sum float64) error {
	p := x.p
	tooDeep, tooLarge := depth > machine.MaxDepth && sum > rareCalls, x.work > maxWork
	if !tooDeep && !tooLarge && sum <= maxCalls {
		return nil
	}
	back := p.wayBack(m)
	switch {
	case tooLarge:
		return p.methods[m].at.Errorf("the program has too many calls to follow (here at depth %d); make cycles, families or depths smaller", depth)
	case back != nil:
		return back.at.Errorf("a cycle of calls never ends (%.3g calls at depth %d); give one of its calls a smaller prob, or limit their depth with the key \"below\"", sum, depth)
	case tooDeep:
		return p.methods[m].at.Errorf("the method is called at depth %d; a stack has at most %d frames", depth, machine.MaxDepth)
	}
	return p.methods[m].at.Errorf("the method is called about %.3g times at depth %d, which is too often; reduce the number of calls", sum, depth)
}

// wayBack returns a call in m's body from which m is reached again, or nil.
func (p *Program) wayBack(m trace.MethodID) *step {
	s := search{p: p, target: m, seen: make([]bool, len(p.methods)), bodies: map[*yamlfile.Node]bool{}}
	for call := range allSteps(p.methods[m].body) {
		if s.from(call) {
			return call
		}
	}
	return nil
}

// search looks for a method among the direct and indirect callees of a call. It visits each method
// once, and each body that the members of a family share once.
type search struct {
	p      *Program
	target trace.MethodID
	seen   []bool
	bodies map[*yamlfile.Node]bool
}

// from reports whether call reaches the target through methods not visited before.
func (s *search) from(call *step) bool {
	pending := s.callees(nil, call)
	for len(pending) > 0 {
		m := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if m == s.target {
			return true
		}
		if at := s.p.methods[m].at; !s.bodies[at] {
			s.bodies[at] = true
			for next := range allSteps(s.p.methods[m].body) {
				pending = s.callees(pending, next)
			}
		}
	}
	return false
}

// callees appends the methods that a step calls and that have not been visited.
func (s *search) callees(pending []trace.MethodID, call *step) []trace.MethodID {
	if call.kind != callStep && call.kind != throwStep {
		return pending
	}
	for i := range call.family() {
		m := call.callee + trace.MethodID(i)
		if !s.seen[m] {
			s.seen[m] = true
			pending = append(pending, m)
		}
	}
	return pending
}
