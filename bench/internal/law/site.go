package law

import (
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// siteLaw is the call-count law of samplers that compare frames by method and call site. The law
// itself compares methods only, so each pair of method and call site gets a method number.
type siteLaw struct {
	count   *callCount
	calls   *activations
	numbers map[sitedMethod]trace.MethodID
	threads []sitedThread
	keyed   []trace.Event // events with these numbers
}

type sitedMethod struct {
	method trace.MethodID
	site   trace.Site
}

// sitedThread contains the open calls of a thread. Calls that no stack walk shows nest separately,
// as in package sampler.
type sitedThread struct {
	shown  trace.Stack[trace.MethodID] // shown calls, with the numbers
	hidden trace.Stack[hiddenCall]
}

// hiddenCall is an open call that no stack walk shows. Its callees appear at its own call site.
type hiddenCall struct {
	below int // number of shown calls below it
	site  trace.Site
}

// noMethod is the number of the method of an exit without an open call.
const noMethod = ^trace.MethodID(0)

func newSiteLaw(intervals []time.Duration) *siteLaw {
	l := &siteLaw{numbers: map[sitedMethod]trace.MethodID{}}
	l.count = newCallCount(intervals...)
	l.calls = newActivations(&calltree.Contexts{}, l.count)
	return l
}

// take processes events of the truth, including those of frames that no stack walk shows.
func (l *siteLaw) take(symbols *trace.Symbols, events []trace.Event) {
	l.keyed = l.keyed[:0]
	for i := range events {
		e := events[i]
		for int(e.Thread) >= len(l.threads) {
			l.threads = append(l.threads, sitedThread{})
		}
		t := &l.threads[e.Thread]
		if symbols.IsRuntime(e.Method) {
			t.hidden.Apply(&e, hiddenCall{t.shown.Depth(), e.Site})
			continue
		}
		e.Method = l.number(t, &e)
		l.keyed = append(l.keyed, e)
	}
	l.calls.WriteEvents(l.keyed)
}

// number returns the number of the call that e begins or ends.
func (l *siteLaw) number(t *sitedThread, e *trace.Event) trace.MethodID {
	n := noMethod
	if e.Action == trace.Enter {
		called := sitedMethod{e.Method, e.Site}
		calls := t.hidden.Values()
		for i := len(calls) - 1; i >= 0 && calls[i].below >= t.shown.Depth(); i-- {
			called.site = calls[i].site
		}
		var ok bool
		if n, ok = l.numbers[called]; !ok {
			n = trace.MethodID(len(l.numbers))
			l.numbers[called] = n
		}
	}
	if closed, effect := t.shown.Apply(e, n); effect.Closes() {
		return closed.Value
	}
	return n
}
