package timeline

import (
	"cmp"
	"io"
	"slices"
	"time"

	"artifice/internal/words"
	"artifice/trace"
)

// events delivers the entries as events, for files in which some entries are whole calls. An end
// closes the innermost call that began without a known end. Whole calls end at their stated times.
type events struct {
	calls   *Calls
	entries ahead
	group   []entry // entries with the same time, in the order of their effect
	next    entry   // the entry after the group
	hasNext bool
	err     error // error of reading entries

	threads []openCalls
	ends    nextEnds      // end of the innermost whole call of each thread
	out     []trace.Event // events not delivered yet
	taken   int           // number of events of out that were delivered

	lost     int64 // number of ends skipped because only whole calls were open
	skipped  skippedEnds
	implied  impliedEnds
	cut      int64         // number of whole calls truncated at the ends of their callers
	beyond   time.Duration // time by which they are truncated
	warnings *[]trace.Warning
}

// openCalls are the open calls of a thread.
type openCalls struct {
	calls []openCall // nil before the first call
	// the calls that an end in the file closes: their indexes, or -1 for a call that is closed
	// already
	marked []int32
}

// openCall is an open call.
type openCall struct {
	method      trace.MethodID
	end, cpuEnd time.Duration // for a whole call
	whole       bool
}

// events returns a reader of the events from the first one on. The reader may add warnings.
func (c *Calls) events(warnings *[]trace.Warning) (trace.Reader, error) {
	entries, err := c.entries()
	if err != nil {
		return nil, err
	}
	if !c.whole {
		return &marked{calls: c, entries: entries, open: make([][]trace.MethodID, len(c.of)), warnings: warnings}, nil
	}
	e := &events{calls: c, entries: ahead{from: entries}, threads: make([]openCalls, len(c.of)), ends: newNextEnds(len(c.of)), warnings: warnings}
	e.step()
	return e, nil
}

// step reads the next entry. At the end, or after an error, hasNext is false.
func (e *events) step() {
	first, ok := e.event()
	if e.hasNext = ok; !ok {
		return
	}
	e.next = entry{Event: first}
	switch first.Action {
	case whole:
		e.next.end = first.Wall + first.CPU
	case wholeBegin:
		last, _ := e.event() // ok is always true here
		e.next.Action, e.next.end, e.next.cpuEnd = whole, last.Wall, last.CPU
	}
}

func (e *events) event() (event trace.Event, ok bool) {
	if err := e.entries.fill(); err != nil {
		e.err = err
		return event, false
	}
	event, e.entries.in = e.entries.in[0], e.entries.in[1:]
	return event, true
}

// groupMost is the maximum number of entries with the same time that are sorted.
const groupMost = 1 << 16

// gather fills the group with the next entries that have the same time. Of the whole calls of a
// thread, longer ones are first, because they are the outer ones.
func (e *events) gather() {
	e.group = e.group[:0]
	onlyWhole := true
	for e.hasNext && len(e.group) < groupMost && (len(e.group) == 0 || e.next.Wall == e.group[0].Wall) {
		onlyWhole = onlyWhole && e.next.Action == whole
		e.group = append(e.group, e.next)
		e.step()
	}
	if onlyWhole && len(e.group) > 1 {
		if e.calls.Ended {
			slices.Reverse(e.group)
		}
		slices.SortStableFunc(e.group, func(a, b entry) int {
			return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(b.end, a.end))
		})
	}
}

// ReadEvents implements [trace.Reader].
func (e *events) ReadEvents(p []trace.Event) (int, error) {
	for e.taken == len(e.out) {
		e.out, e.taken = e.out[:0], 0
		for e.hasNext && len(e.out) < len(p) {
			e.gather()
			for i := range e.group {
				if err := e.take(&e.group[i]); err != nil {
					e.hasNext, e.err = false, err
					break
				}
			}
		}
		if len(e.out) > 0 {
			break
		}
		if !e.endNext() {
			e.warnLost()
			return 0, e.err
		}
	}
	n := copy(p, e.out[e.taken:])
	e.taken += n
	return n, nil
}

// endNext ends the whole call with the earliest end. It is used at the end of the file.
func (e *events) endNext() bool {
	_, at := e.ends.first()
	if e.err != io.EOF || at == never {
		return false
	}
	e.endUntil(at)
	return true
}

// warnLost warns about the skipped ends.
func (e *events) warnLost() {
	if e.lost > 0 {
		*e.warnings = append(*e.warnings, trace.Warnf(trace.WarnNesting, e.calls.source, "ignored %s: every call open then already has an end", words.Count(e.lost, "end")))
		e.lost = 0
	}
	if e.cut > 0 {
		*e.warnings = append(*e.warnings, trace.Warnf(trace.WarnNesting, e.calls.source, "calls that end after their caller are shortened to end with their caller: %s, by %s in total", words.Count(e.cut, "call"), words.Duration(e.beyond)))
		e.cut, e.beyond = 0, 0
	}
	e.skipped.warn(e.warnings, e.calls.source)
}

// deliver adds an event.
func (e *events) deliver(id trace.ThreadID, action trace.Action, m trace.MethodID, at, cpu time.Duration) {
	if !e.calls.cpu {
		cpu = 0
	}
	e.out = append(e.out, trace.Event{Wall: at - e.calls.first, CPU: cpu, Method: m, Thread: id, Action: action})
}

// take delivers the events of an entry, after all whole calls that end before it have been ended.
func (e *events) take(in *entry) error {
	e.endUntil(in.Wall)
	t := &e.threads[in.Thread]
	if in.Action == trace.Exit {
		return e.exit(t, in)
	}
	e.deliver(in.Thread, trace.Enter, in.Method, in.Wall, in.CPU)
	if in.Action == whole {
		e.push(t, in)
	} else {
		t.marked = append(t.marked, int32(len(t.calls)))
		t.calls = append(t.calls, openCall{method: in.Method})
	}
	return e.calls.depth(in.Thread, in.Wall, len(t.calls))
}

// push opens a whole call. The call is truncated at the end of the enclosing whole call.
func (e *events) push(t *openCalls, in *entry) {
	call := openCall{in.Method, in.end, in.cpuEnd, true}
	if outer := t.innermostWhole(); outer >= 0 && t.calls[outer].end < call.end {
		e.cut++
		e.beyond += call.end - t.calls[outer].end
		call.end, call.cpuEnd = t.calls[outer].end, t.calls[outer].cpuEnd
	}
	t.calls = append(t.calls, call)
	e.ends.set(in.Thread, call.end)
}

func (t *openCalls) innermostWhole() int {
	for i := len(t.calls) - 1; i >= 0; i-- {
		if t.calls[i].whole {
			return i
		}
	}
	return -1
}

// endUntil ends the whole calls that end at or before a time.
func (e *events) endUntil(until time.Duration) {
	for {
		id, at := e.ends.first()
		if at > until {
			return
		}
		t := &e.threads[id]
		i := t.innermostWhole()
		e.closeFrom(id, i, at, t.calls[i].cpuEnd)
	}
}

// exit closes the innermost call that began without a known end, and the whole calls within it.
func (e *events) exit(t *openCalls, in *entry) error {
	last := len(t.marked) - 1
	switch {
	case last >= 0 && t.marked[last] < 0: // the enclosing call has ended already
		t.marked = t.marked[:last]
	case last >= 0:
		closed := t.markedOf(in.Method)
		if closed < 0 {
			e.skipped.add(in.Method)
			return nil
		}
		for _, at := range t.marked[closed+1:] {
			if at >= 0 {
				e.implied.add(in.Thread, t.calls[at].method)
			}
		}
		e.closeFrom(in.Thread, int(t.marked[closed]), in.Wall, in.CPU)
		t.marked = t.marked[:closed]
	case len(t.calls) > 0: // only whole calls are open
		e.lost++
	case e.calls.isSurplus(in.Method, t.calls != nil), e.implied.has(in.Thread, in.Method):
		e.implied.remove(in.Thread, in.Method)
		e.skipped.add(in.Method)
	default:
		method, err := e.calls.ofEnd(in.Method)
		if err != nil {
			return err
		}
		e.deliver(in.Thread, trace.Exit, method, in.Wall, in.CPU)
	}
	return nil
}

// markedOf returns the index in marked of the call that an end closes, or -1 for none. It is the
// innermost marked call or, if the end has a name, the innermost one with that name. named is 1 +
// the method, or 0 for an end without a name.
func (t *openCalls) markedOf(name trace.MethodID) int {
	for i := len(t.marked) - 1; i >= 0; i-- {
		if at := t.marked[i]; at >= 0 && (name == 0 || t.calls[at].method == name-1) {
			return i
		}
	}
	return -1
}

// closeFrom closes the call at an index and all calls within it.
func (e *events) closeFrom(id trace.ThreadID, place int, at, cpu time.Duration) {
	t := &e.threads[id]
	for i := len(t.calls) - 1; i >= place; i-- {
		e.deliver(id, trace.Exit, t.calls[i].method, at, cpu)
	}
	for i := len(t.marked) - 1; i >= 0 && (t.marked[i] < 0 || int(t.marked[i]) > place); i-- {
		t.marked[i] = -1
	}
	t.calls = t.calls[:place]
	e.ends.set(id, t.nextEnd())
}

// nextEnd returns the time at which the innermost whole call of a thread ends.
func (t *openCalls) nextEnd() time.Duration {
	if i := t.innermostWhole(); i >= 0 {
		return t.calls[i].end
	}
	return never
}
