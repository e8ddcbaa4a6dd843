package timeline

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"artifice/filter"
	"artifice/internal/eventlog"
	"artifice/trace"
)

// thread is the key of a thread: the process id, which can be 0, and the thread's.
type thread struct{ pid, tid uint32 }

// calls gathers the begins and ends of calls.
type calls struct {
	limits  trace.Limits
	symbols trace.Symbols
	methods map[string]trace.MethodID
	threads map[thread]trace.ThreadID
	marks   [][]mark // by thread
	whole   [][]span // by thread: calls that the file has as one record
	first   time.Duration
	count   int64
	cpu     bool // every mark has a CPU time
	pid     uint32

	numbered         bool    // names may be numbers
	known            Methods // their names
	numbers, unknown int     // of different names that are numbers: how many, and how many known does not have
}

// mark is the begin of a call of a method, or an end.
type mark struct {
	at, cpu time.Duration
	method  trace.MethodID // noMethod for an end
}

const noMethod trace.MethodID = math.MaxUint32

// span is a call.
type span struct {
	begin, end       time.Duration // end is open for a call without one
	cpuBegin, cpuEnd time.Duration
	method           trace.MethodID
	depth            int32 // calls around it
}

const open time.Duration = math.MaxInt64

func (c *calls) init(limits trace.Limits) {
	c.limits, c.first, c.cpu = limits, open, true
	c.methods, c.threads = map[string]trace.MethodID{}, map[thread]trace.ThreadID{}
}

// thread returns the index of a thread.
func (c *calls) thread(t thread) (trace.ThreadID, error) {
	id, ok := c.threads[t]
	if ok {
		return id, nil
	}
	if c.pid == 0 {
		c.pid = t.pid
	}
	id, err := c.symbols.AddThread(trace.Thread{TID: t.tid})
	c.threads[t] = id
	c.marks, c.whole = append(c.marks, nil), append(c.whole, nil)
	return id, err
}

// name names a thread that has or will have calls; later names do not count.
func (c *calls) name(t thread, name string) error {
	id, err := c.thread(t)
	if err == nil && c.symbols.Threads[id].Name == "" {
		c.symbols.Threads[id].Name = name
	}
	return err
}

// method returns the index of the method of a name.
func (c *calls) method(name []byte) (trace.MethodID, error) {
	if id, ok := c.methods[string(name)]; ok {
		return id, nil
	}
	if err := c.limits.Symbols(len(c.symbols.Methods)+1, 0); err != nil {
		return 0, err
	}
	m := c.methodOf(string(name))
	m.ID = uint64(len(c.symbols.Methods)+1) << 2
	id := c.symbols.AddMethod(m)
	c.methods[string(name)] = id
	return id, nil
}

// methodOf returns the method of a name: that of its number, or class, method and
// signature where it looks like one: "a.B.m", or as ART prints it "void a.B.m(int)".
// Anything else is a name.
func (c *calls) methodOf(name string) trace.Method {
	if c.numbered {
		if m, number, known := c.known.of(name); number {
			c.numbers++
			if known {
				return m
			}
			c.unknown++
		}
	}
	plain, signature := name, ""
	if head, args, ok := strings.Cut(name, "("); ok && strings.HasSuffix(args, ")") && strings.Count(head, " ") == 1 {
		result, method, _ := strings.Cut(head, " ")
		plain, signature = method, filter.Descriptor(strings.TrimSuffix(args, ")"), result)
	}
	dot := strings.LastIndexByte(plain, '.')
	if dot <= 0 || dot == len(plain)-1 || strings.ContainsAny(plain, " |:#/=") {
		return trace.Method{Name: name}
	}
	return trace.Method{Class: plain[:dot], Name: plain[dot+1:], Signature: signature}
}

// begin adds the begin of a call; cpu is -1 where the file has no CPU time.
func (c *calls) begin(t thread, name []byte, at, cpu time.Duration) error {
	m, err := c.method(name)
	if err != nil {
		return err
	}
	return c.mark(t, mark{at, cpu, m})
}

// end adds the end of a call.
func (c *calls) end(t thread, at, cpu time.Duration) error {
	return c.mark(t, mark{at, cpu, noMethod})
}

func (c *calls) mark(t thread, m mark) error {
	id, err := c.thread(t)
	if err != nil {
		return err
	}
	if err := c.seen(m.at, m.cpu); err != nil {
		return err
	}
	c.marks[id] = append(c.marks[id], m)
	return nil
}

// call adds a whole call.
func (c *calls) call(t thread, name []byte, begin, end, cpuBegin, cpuEnd time.Duration) error {
	m, err := c.method(name)
	if err != nil {
		return err
	}
	id, err := c.thread(t)
	if err != nil {
		return err
	}
	if err := errors.Join(c.seen(begin, cpuBegin), c.within(end)); err != nil {
		return err
	}
	c.whole[id] = append(c.whole[id], span{begin, max(begin, end), cpuBegin, cpuEnd, m, 0})
	return nil
}

// seen takes the time of a begin or end in.
func (c *calls) seen(at, cpu time.Duration) error {
	c.first = min(c.first, at)
	c.cpu = c.cpu && cpu >= 0
	c.count++
	return c.within(at)
}

// within refuses times of more than 73 years, whose differences might overflow.
func (c *calls) within(at time.Duration) error {
	if at < -1<<61 || at > 1<<61 {
		return fmt.Errorf("the time of %d ns is beyond what can be represented", at)
	}
	return nil
}

// Timeline is a file that has been read.
type Timeline struct {
	trace.Recording
	calls *calls
}

// timeline sorts what was read.
func (s *source) timeline() *Timeline {
	c := &s.calls
	orphans := 0
	for i := range c.marks {
		paired, without := pair(c.marks[i])
		orphans += without
		if len(c.whole[i]) > 0 {
			paired = append(paired, c.whole[i]...)
			nest(paired)
		}
		c.whole[i], c.marks[i] = paired, nil
	}
	if orphans > 0 {
		s.warnings = append(s.warnings, trace.Warnf(trace.WarnNesting, s.name, "%d ends have no begin and are left out: their calls began before the trace", orphans))
	}
	if more := s.skipped - 20; more > 0 {
		s.warnings = append(s.warnings, trace.Warnf(trace.WarnMore, s.name, "%d more lines are left out", more))
	}
	if c.known != nil && c.unknown > 0 {
		s.warnings = append(s.warnings, trace.Warnf(trace.WarnNesting, s.name, "%d of %d numbers of methods have no name in the mapping; is it from another build?", c.unknown, c.numbers))
	}
	t := &Timeline{calls: c}
	t.Symbols, t.Warnings = &c.symbols, s.warnings
	t.Info = trace.Info{Clock: trace.Wall, Start: max(0, c.first), PID: int(c.pid), Events: -1}
	if c.cpu {
		t.Info.Clock = trace.Dual
	}
	t.Rewind()
	return t
}

// pair puts begins and ends together, in the order of begins, and returns how many
// ends had no begin.
func pair(marks []mark) (spans []span, orphans int) {
	byTime := func(a, b mark) int { return cmp.Compare(a.at, b.at) }
	if !slices.IsSortedFunc(marks, byTime) {
		slices.SortStableFunc(marks, byTime)
	}
	var stack []int
	for _, m := range marks {
		top := len(stack) - 1
		switch {
		case m.method != noMethod:
			stack = append(stack, len(spans))
			spans = append(spans, span{m.at, open, m.cpu, 0, m.method, int32(top + 1)})
		case top < 0:
			orphans++
		default:
			spans[stack[top]].end, spans[stack[top]].cpuEnd = m.at, m.cpu
			stack = stack[:top]
		}
	}
	return spans, orphans
}

// nest sorts calls by their begins and finds which are in which.
func nest(spans []span) {
	slices.SortStableFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(b.end, a.end))
	})
	var around []*span
	for i := range spans {
		s := &spans[i]
		for len(around) > 0 && around[len(around)-1].end <= s.begin {
			around = around[:len(around)-1]
		}
		if s.depth = int32(len(around)); s.depth > 0 {
			if outer := around[s.depth-1]; s.end > outer.end {
				s.end, s.cpuEnd = outer.end, outer.cpuEnd
			}
		}
		around = append(around, s)
	}
}

// Rewind lets Events deliver the events from the first one on.
func (t *Timeline) Rewind() {
	e := &events{calls: t.calls, threads: make([]cursor, len(t.calls.whole))}
	for i, spans := range t.calls.whole {
		e.threads[i].spans = spans
		if at, ok := e.threads[i].next(); ok {
			e.heap.Push(eventlog.Item[trace.ThreadID]{At: at, Tie: uint64(i), Value: trace.ThreadID(i)})
		}
	}
	t.Events = e
}

// events delivers the calls of all threads as events, merged by time.
type events struct {
	calls   *calls
	threads []cursor
	heap    eventlog.Heap[trace.ThreadID]
}

// cursor goes through the calls of a thread.
type cursor struct {
	spans []span // not begun yet
	open  []span // outermost first
}

// next returns when the next event is.
func (c *cursor) next() (time.Duration, bool) {
	switch top := len(c.open) - 1; {
	case c.begins():
		return c.spans[0].begin, true
	case top >= 0 && c.open[top].end < open:
		return c.open[top].end, true
	}
	return 0, false
}

// begins reports whether the next event is a begin.
func (c *cursor) begins() bool { return len(c.spans) > 0 && int(c.spans[0].depth) == len(c.open) }

// take returns the next event, of which there has to be one.
func (c *cursor) take(id trace.ThreadID) trace.Event {
	if c.begins() {
		s := c.spans[0]
		c.spans, c.open = c.spans[1:], append(c.open, s)
		return trace.Event{Wall: s.begin, CPU: s.cpuBegin, Method: s.method, Thread: id}
	}
	top := len(c.open) - 1
	s := c.open[top]
	c.open = c.open[:top]
	return trace.Event{Wall: s.end, CPU: s.cpuEnd, Method: s.method, Thread: id, Action: trace.Exit}
}

// ReadEvents implements [trace.Reader].
func (e *events) ReadEvents(p []trace.Event) (int, error) {
	for n := range p {
		if len(e.heap) == 0 {
			if n > 0 {
				return n, nil
			}
			return 0, io.EOF
		}
		id := e.heap[0].Value
		c := &e.threads[id]
		p[n] = c.take(id)
		if most := e.calls.limits.Depth; len(c.open) > most {
			e.heap = nil
			return n, &trace.LimitError{Limit: "depth", Most: most, What: fmt.Sprintf("open calls on thread %s", e.calls.symbols.Thread(id))}
		}
		p[n].Wall -= e.calls.first
		if !e.calls.cpu {
			p[n].CPU = 0
		}
		if at, ok := c.next(); ok {
			e.heap[0].At = at
			e.heap.Down()
		} else {
			e.heap.Pop()
		}
	}
	return len(p), nil
}
