package timeline

import (
	"cmp"
	"fmt"
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

// calls gathers the begins and ends of calls in an event log, as far as they come in
// the order of time in one lane for each thread. A lane is what the log takes for a
// thread: it has its entries in order, and the log merges lanes by time.
//
// What is earlier than its thread's latest waits with others such; sorted, each goes
// into the first lane of its thread that ends before it. So a file has as many lanes as
// it has threads where it is in order, few where calls come when they end, and one more
// for each lateMost entries at the very worst.
type calls struct {
	source  string // name of the file
	limits  trace.Limits
	symbols trace.Symbols
	methods map[string]trace.MethodID
	threads map[thread]trace.ThreadID
	recent  struct { // the thread that was asked for last
		key thread
		id  trace.ThreadID
	}

	log   *eventlog.Log
	lanes []lane
	of    []threadLanes // by thread
	late  []entry

	first time.Duration // earliest begin or end
	count int64
	whole bool // there are calls that the file has as one record
	cpu   bool // all have a CPU time
	pid   uint32

	numbered         bool    // names may be numbers
	known            Methods // their names
	numbers, unknown int     // of different names that are numbers: how many, and how many known does not have
}

// lane is entries of a thread in the order of time.
type lane struct {
	thread trace.ThreadID
	latest time.Duration
}

// threadLanes are the lanes of a thread, the first of which has its latest entry.
type threadLanes []int32

// entry is a begin, an end, or a whole call, whose end is known with its begin.
// In the log a whole call is two events, the second one its end.
type entry struct {
	trace.Event
	end, cpuEnd time.Duration // of a whole call
}

// Actions of the events in the log. An Exit has as its method one more than that which
// the file names, 0 where it names none.
const (
	wholeBegin = trace.Action(eventlog.MaxAction - 1)
	wholeEnd   = trace.Action(eventlog.MaxAction)
)

// lateMost is how many entries are sorted at a time.
const lateMost = 1 << 16

func (c *calls) init(limits trace.Limits, dir string) {
	c.limits, c.first, c.cpu = limits, math.MaxInt64, true
	c.methods, c.threads = map[string]trace.MethodID{}, map[thread]trace.ThreadID{}
	c.log = eventlog.NewLog(dir, eventlog.Memory)
}

// thread returns the index of a thread.
func (c *calls) thread(t thread) (trace.ThreadID, error) {
	if t == c.recent.key && len(c.of) > 0 {
		return c.recent.id, nil
	}
	id, ok := c.threads[t]
	if !ok {
		if c.pid == 0 {
			c.pid = t.pid
		}
		var err error
		if id, err = c.symbols.AddThread(trace.Thread{TID: t.tid}); err != nil {
			return id, err
		}
		c.threads[t] = id
		c.of = append(c.of, nil)
	}
	c.recent.key, c.recent.id = t, id
	return id, nil
}

// name names a thread that has or will have calls; later names do not count.
func (c *calls) name(t thread, name []byte) error {
	id, err := c.thread(t)
	if err == nil && c.symbols.Threads[id].Name == "" {
		c.symbols.Threads[id].Name = string(name)
	}
	return err
}

// method returns the index of the method of a name.
func (c *calls) method(name []byte) (trace.MethodID, error) {
	if id, ok := c.methods[string(name)]; ok { // does not allocate
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
	return c.add(t, entry{Event: trace.Event{Wall: at, CPU: cpu, Method: m}})
}

// end adds the end of a call; name is empty where the file has none.
func (c *calls) end(t thread, name []byte, at, cpu time.Duration) error {
	e := entry{Event: trace.Event{Wall: at, CPU: cpu, Action: trace.Exit}}
	if len(name) > 0 {
		m, err := c.method(name)
		if err != nil {
			return err
		}
		e.Method = m + 1
	}
	return c.add(t, e)
}

// call adds a whole call.
func (c *calls) call(t thread, name []byte, begin, end, cpuBegin, cpuEnd time.Duration) error {
	m, err := c.method(name)
	if err != nil {
		return err
	}
	if err := c.within(end); err != nil {
		return err
	}
	c.whole = true
	return c.add(t, entry{trace.Event{Wall: begin, CPU: cpuBegin, Method: m, Action: wholeBegin}, max(begin, end), cpuEnd})
}

// within refuses times of more than 73 years, whose differences might overflow.
func (c *calls) within(at time.Duration) error {
	if at < -1<<61 || at > 1<<61 {
		return fmt.Errorf("the time of %d ns is beyond what can be represented", at)
	}
	return nil
}

func (c *calls) add(t thread, e entry) error {
	id, err := c.thread(t)
	if err != nil {
		return err
	}
	if err := c.within(e.Wall); err != nil {
		return err
	}
	c.first = min(c.first, e.Wall)
	c.cpu = c.cpu && e.CPU >= 0
	c.count++
	e.Thread = id
	if lanes := c.of[id]; len(lanes) == 0 || e.Wall >= c.lanes[lanes[0]].latest {
		return c.put(&e)
	}
	if c.late = append(c.late, e); len(c.late) == lateMost {
		return c.putLate()
	}
	return nil
}

// putLate sorts what waits.
func (c *calls) putLate() error {
	slices.SortStableFunc(c.late, func(a, b entry) int { return cmp.Compare(a.Wall, b.Wall) })
	for i := range c.late {
		if err := c.put(&c.late[i]); err != nil {
			return err
		}
	}
	c.late = c.late[:0]
	return nil
}

// put adds an entry to the first lane of its thread that ends before it.
func (c *calls) put(e *entry) error {
	id := e.Thread
	at := -1
	for _, i := range c.of[id] {
		if c.lanes[i].latest <= e.Wall {
			at = int(i)
			break
		}
	}
	if at < 0 {
		at = len(c.lanes)
		c.lanes = append(c.lanes, lane{thread: id})
		c.of[id] = append(c.of[id], int32(at))
	}
	c.lanes[at].latest = e.Wall
	in := eventlog.Entry{Event: e.Event, At: e.Wall}
	in.Event.Thread = trace.ThreadID(at)
	err := c.log.Add(&in)
	if e.Action == wholeBegin && err == nil {
		in.Event.Wall, in.Event.CPU, in.Event.Action = e.end, e.cpuEnd, wholeEnd
		err = c.log.Add(&in)
	}
	return err
}

// Timeline is a file that has been read. What does not fit into memory is in a
// temporary file until Close.
type Timeline struct {
	trace.Recording
	calls *calls
}

// timeline ends the gathering.
func (s *source) timeline() (*Timeline, error) {
	c := &s.calls
	if err := c.putLate(); err != nil {
		return nil, err
	}
	c.late = nil
	if c.known != nil && c.unknown > 0 {
		s.warnings = append(s.warnings, trace.Warnf(trace.WarnMethodID, s.name, "%d of %d numbers of methods have no name in the mapping; is it from another build?", c.unknown, c.numbers))
	}
	if more := s.skipped - 20; more > 0 {
		s.warnings = append(s.warnings, trace.Warnf(trace.WarnMore, s.name, "%d more lines are left out", more))
	}
	t := &Timeline{calls: c}
	t.Symbols, t.Warnings = &c.symbols, s.warnings
	t.Info = trace.Info{Clock: trace.Wall, Start: max(0, c.first), PID: int(c.pid), Events: -1}
	if c.cpu {
		t.Info.Clock = trace.Dual
	}
	return t, t.Rewind()
}

// Rewind lets Events deliver the events from the first one on.
func (t *Timeline) Rewind() error {
	events, err := t.calls.events(&t.Warnings)
	t.Events = events
	return err
}

// Close removes what does not fit into memory.
func (t *Timeline) Close() error { return t.calls.log.Close() }

// unnamed returns the method of ends that have neither a begin nor a name.
func (c *calls) unnamed() (trace.MethodID, error) { return c.method([]byte("(unknown)")) }
