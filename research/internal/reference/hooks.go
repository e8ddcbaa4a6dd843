package reference

import (
	"time"

	"artifice/trace"
)

// Hooks describes how threads sample their own stacks in hooks: where a method that allocates
// begins or resumes running itself, where a native call begins, and where a blocking call ends.
type Hooks struct {
	Least   time.Duration // minimum time since the last look, exclusive
	From    time.Duration // there are no looks before From, and one at From itself; 0: from the first hook on
	Walk    time.Duration // cost of a look, to its thread
	Deepest int           // frames; deeper stacks are discarded
	Deaf    bool          // allocations are no hooks
}

// item is a sampled stack.
type item struct {
	at      Event // with no method
	stack   []frame
	blocked bool // at the end of a call that blocked
}

// Hook returns the record of the looks.
func (t *Truth) Hook(c *Hooks) *Record {
	r := &Record{Tails: make([]Tail, len(t.Symbols.Threads))}
	numbers, calls := make([]int, len(t.Events)), 0 // of the calls that begin with each event
	for i, e := range t.Events {
		if e.Action == trace.Enter {
			calls++
			numbers[i] = calls
		}
	}
	seen := map[int]bool{}
	for id := range t.Symbols.Threads {
		items, l, clock := t.looks(c, trace.ThreadID(id), numbers)
		for _, i := range items {
			r.Kept++
			if len(i.stack) > 0 {
				r.Samples++
			}
			for _, f := range i.stack {
				seen[f.call] = true
			}
		}
		if len(items) > 0 {
			r.LongestPause = max(r.LongestPause, c.Walk)
		}
		end := Event{trace.Event{Wall: t.Length + l.ends(t), CPU: clock, Thread: trace.ThreadID(id)}, t.Length}
		before := len(r.Events)
		r.decode(items, end)
		if len(r.Events) > before {
			first := r.Events[before]
			r.Tails[id] = Tail{first.Wall, first.CPU, end.Wall, end.CPU}
		}
		r.Delay, r.CPU = max(r.Delay, l.ends(t)), r.CPU+l.spent
	}
	r.CallsSeen, r.Stop = len(seen), t.Length+r.Delay
	return r
}

// looks returns the stacks that a thread samples, the delay that this causes, and its CPU clock at
// its last event.
func (t *Truth) looks(c *Hooks, id trace.ThreadID, numbers []int) (items []item, l *lag, clock time.Duration) {
	l = &lag{}
	beforeAt := time.Duration(0) // by the wall clock
	last := c.From - c.Least
	if c.From == 0 {
		last = -time.Hour
	}
	var stack []frame
	open := t.Symbols.Threads[id].Open // frames opened before the truth, with hooks that have passed
	var first, before *trace.Event
	look := func(e *trace.Event, wall time.Duration, blocked bool) {
		if len(stack) <= c.Deepest {
			at := Event{trace.Event{Wall: wall, CPU: e.CPU - first.CPU + l.spent, Thread: id}, e.Wall}
			items = append(items, item{at, append([]frame(nil), stack...), blocked})
		}
	}
	for i := range t.Events {
		e := &t.Events[i]
		if e.Thread != id {
			continue
		}
		if first == nil {
			first = e
		}
		l.arrive(e)
		wait := t.Symbols.Methods[e.Method].Wait
		blocks := wait == trace.Lock || wait == trace.Binder || wait == trace.GCPause
		if e.Action != trace.Enter && blocks && (wait == trace.GCPause || l.wall-last > c.Least) {
			last = l.wall
			if before.Action == trace.Enter && before.Wall < e.Wall {
				look(before, beforeAt, false)
			}
			look(e, l.wall, true)
			l.spend(c.Walk)
		}
		stack = apply(stack, e, numbers[i])
		open--
		if open < 0 && t.Symbols.Methods[e.Method].Flags&trace.Native != 0 && e.Action == trace.Enter && l.wall-last > c.Least {
			last = l.wall
			look(e, l.wall, false)
			l.spend(c.Walk)
		}
		n := len(stack)
		if open < 0 && n > 0 && !c.Deaf && t.Symbols.Methods[stack[n-1].method].Flags&trace.Allocates != 0 && l.wall-last > c.Least {
			last = l.wall
			look(e, l.wall, false)
			l.spend(c.Walk)
		}
		l.goOn(t, e)
		before, beforeAt, clock = e, l.wall, e.CPU-first.CPU+l.spent
	}
	return items, l, clock
}

// decode converts sampled stacks to calls, as btrace 3's decoder does: a frame that is absent from
// the next item ended 10 ns after the last item that contains it.
func (r *Record) decode(items []item, end Event) {
	var open []frame
	var last item
	exit := func(at Event, m trace.MethodID) {
		at.Action, at.Method = trace.Exit, m
		r.Events = append(r.Events, at)
	}
	soon := func(now Event) Event {
		now.Wall, now.CPU = min(now.Wall, last.at.Wall+10), min(now.CPU, last.at.CPU+10)
		now.App = min(now.App, last.at.App+10)
		return now
	}
	for _, i := range items {
		same := 0
		for same < len(open) && same < len(i.stack) && open[same].method == i.stack[same].method {
			same++
		}
		if last.blocked && len(open) > 0 && same == len(open) && same == len(i.stack) {
			same--
			exit(i.at, open[same].method)
		} else {
			for k := len(open) - 1; k >= same; k-- {
				exit(soon(i.at), open[k].method)
			}
		}
		for _, f := range i.stack[same:] {
			enter := i.at
			enter.Method = f.method
			r.Events = append(r.Events, enter)
		}
		open, last = i.stack, i
	}
	for k := len(open) - 1; k >= 0; k-- {
		exit(soon(end), open[k].method)
	}
}
