package bench

import (
	"time"

	"artifice/bench/paths"
	"artifice/bench/theory"
	"artifice/trace"
)

// siteLaw is the call-count law where frames are the same when method and call
// site are. The law itself knows methods only, so each method called from each
// site is told to it as one of its own.
type siteLaw struct {
	count   *theory.CallCount
	stays   *theory.Stays
	numbers map[sitedMethod]trace.MethodID
	stacks  [][]sitedFrame // by thread
	keyed   []trace.Event  // for stays
}

type sitedMethod struct {
	method trace.MethodID
	site   trace.Site
}

// sitedFrame is an open call as a walk shows it.
type sitedFrame struct {
	sitedMethod
	number trace.MethodID
	hidden bool // no walk shows it: what it calls appears at its own site
}

// noMethod is the number of methods that are left without being innermost.
const noMethod = ^trace.MethodID(0)

func newSiteLaw(intervals []time.Duration) *siteLaw {
	l := &siteLaw{numbers: map[sitedMethod]trace.MethodID{}}
	l.count, _ = theory.NewCallCount(intervals...) // all above 0
	l.stays = theory.NewStays(&paths.Table{}, l.count)
	return l
}

// take lets events of the truth happen, those of frames that no walk shows too.
func (l *siteLaw) take(symbols *trace.Symbols, events []trace.Event) {
	l.keyed = l.keyed[:0]
	for i := range events {
		e := events[i]
		isHidden := hidden(symbols, &e)
		e.Method = l.number(&e, isHidden)
		if !isHidden {
			l.keyed = append(l.keyed, e)
		}
	}
	l.stays.WriteEvents(l.keyed)
}

// number returns the number of the call that e begins or ends.
func (l *siteLaw) number(e *trace.Event, isHidden bool) trace.MethodID {
	for int(e.Thread) >= len(l.stacks) {
		l.stacks = append(l.stacks, nil)
	}
	stack := &l.stacks[e.Thread]
	top := len(*stack) - 1
	if e.Action != trace.Enter {
		if top < 0 || (*stack)[top].method != e.Method {
			return noMethod
		}
		n := (*stack)[top].number
		*stack = (*stack)[:top]
		return n
	}
	called := sitedMethod{e.Method, e.Site}
	if top >= 0 && (*stack)[top].hidden {
		called.site = (*stack)[top].site
	}
	n, ok := l.numbers[called]
	if !ok {
		n = trace.MethodID(len(l.numbers))
		l.numbers[called] = n
	}
	*stack = append(*stack, sitedFrame{called, n, isHidden})
	return n
}
