package workload

import (
	"cmp"
	"slices"

	"artifice/internal/yamlfile"
	"artifice/trace"
)

// checkTIDs refuses two threads that have one tid at the same time.
func (p *Program) checkTIDs() error {
	order := make([]*thread, len(p.threads))
	for i := range p.threads {
		order[i] = &p.threads[i]
	}
	slices.SortStableFunc(order, func(x, y *thread) int { return cmp.Compare(x.tid, y.tid) })
	for i := 1; i < len(order); i++ {
		first, second := order[i-1], order[i]
		switch {
		case first.tid != second.tid:
		case first.end == 0:
			return second.at.Errorf("tid %d is used again, but the thread that has it (line %d) has no end", second.tid, first.at.Line)
		case first.end > second.start || second.before:
			return second.at.Errorf("tid %d is used again before the thread that has it (line %d) ends", second.tid, first.at.Line)
		}
	}
	return nil
}

// Bounds on what a program does without time going by. A truth is made up to a
// time, so it must get there.
const (
	mostEventsAtOnce = 1e6  // what a body may do in no time
	eventsPerNs      = 10   // beyond that only so many, on average
	mostCalls        = 1e15 // expected calls at one depth
	rareCalls        = 1e-9 // expected calls beyond MaxDepth that are let pass
	mostRounds       = 1e6  // rounds of loops, beyond which each
	roundsPerEvent   = 1e3  // so many must make an event
)

// checkEnds refuses bodies that cannot be carried out.
func (p *Program) checkEnds() error {
	x := newExpecter(p)
	checked := map[*yamlfile.Node]bool{} // copies of a thread are alike
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
		return last.at.Errorf("a loop without end that takes no time (%.3g ns and %.3g events a round)", e.Round.least, e.Round.Events)
	}
	if e.Once.Events > mostEventsAtOnce && e.Once.Events > eventsPerNs*e.Once.least {
		return t.at.Errorf("%.3g events in %.3g ns; let them take time", e.Once.Events, e.Once.least)
	}
	if e.Endless && e.Round.Events == 0 {
		return last.at.Errorf("a loop without end that calls no method")
	}
	if e.Once.Events == 0 && !e.Endless && len(t.stack) == 0 {
		return t.at.Errorf("the thread does something but calls no method; give it a stack or a call")
	}
	for _, totals := range []Totals{e.Once, e.Round} {
		if totals.rounds > mostRounds && totals.rounds > roundsPerEvent*totals.Events {
			return t.at.Errorf("%.3g rounds of loops for %.3g events; replace loops that call nothing by one self", totals.rounds, totals.Events)
		}
	}
	return nil
}

// checkLevel refuses calls that go too deep or become too many: sum is the
// expected number of calls at depth, most of them of m.
func (x *expecter) checkLevel(m trace.MethodID, depth int, sum float64) error {
	p := x.p
	if x.work > maxWork {
		return p.methods[m].at.Errorf("the program has too many calls to be followed (here at depth %d); make families or depths smaller", depth)
	}
	tooDeep := depth > MaxDepth && sum > rareCalls
	if !tooDeep && sum <= mostCalls {
		return nil
	}
	back := p.wayBack(m)
	switch {
	case back != nil:
		return back.at.Errorf("a cycle of calls that never ends (%.3g calls at depth %d); give a call of the cycle a smaller prob or a below", sum, depth)
	case tooDeep:
		return p.methods[m].at.Errorf("called at depth %d; a stack has at most %d frames", depth, MaxDepth)
	}
	return p.methods[m].at.Errorf("about %.3g calls at depth %d; too many to carry out", sum, depth)
}

// wayBack returns a call in m's body from which m is reached again, or nil.
func (p *Program) wayBack(m trace.MethodID) (found *step) {
	walkSteps(p.methods[m].body, func(s *step) {
		if found != nil || s.kind != callStep && s.kind != throwStep {
			return
		}
		for i := range s.family() {
			if p.reaches(s.callee+trace.MethodID(i), m) {
				found = s
				return
			}
		}
	})
	return found
}

// reaches reports whether a call of from can lead to a call of to.
func (p *Program) reaches(from, to trace.MethodID) bool {
	seen := make([]bool, len(p.methods))
	pending := []trace.MethodID{from}
	for len(pending) > 0 {
		m := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if m == to {
			return true
		}
		if seen[m] {
			continue
		}
		seen[m] = true
		walkSteps(p.methods[m].body, func(s *step) {
			if s.kind == callStep || s.kind == throwStep {
				for i := range s.family() {
					pending = append(pending, s.callee+trace.MethodID(i))
				}
			}
		})
	}
	return false
}
