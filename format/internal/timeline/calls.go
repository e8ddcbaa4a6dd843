package timeline

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"artifice/internal/eventlog"
	"artifice/trace"
	"artifice/trace/filter"
)

// Thread is the key of a thread: its process id, which can be 0, and its thread id.
type Thread struct{ Pid, Tid uint32 }

func (t Thread) key() uint64 { return uint64(t.Pid)<<32 | uint64(t.Tid) }

// Calls gathers the begins and ends of calls. Entries in time order are stored in a stream. Others
// are stored in a log, which merges them.
type Calls struct {
	source  string // name of the file
	limits  trace.Limits
	Symbols trace.Symbols
	methods names
	byID    Numbers[trace.MethodID] // by number, for files in which methods are numbers
	threads Numbers[trace.ThreadID] // by thread.key
	tids    uniqueTIDs
	pids    []uint32 // by thread: its process; 0 if unknown

	processes trace.Processes

	inOrder *eventlog.Log // the stream: entries not earlier than any previous entry
	latest  time.Duration // time of its last entry
	pending []trace.Event // events of the stream that are not in its log yet
	log     *eventlog.Log // the log: the other entries, in runs
	runs    []run
	of      []threadRuns // runs by thread
	late    []entry      // entries to be put into runs
	byTime  byTime       // of late

	first time.Duration // earliest begin or end
	count int64
	whole bool // some calls are single records of the file
	// such records are at the ends of the calls: of two calls with the same begin and end, the
	// later record is the outer call
	Ended bool
	cpu   bool // all entries have a CPU time
	pid   uint32

	// Marked is set if calls are tracing marks of begins and ends ([trace.Info]). Ends that close
	// no call are then surplus, except the first ones of a thread.
	Marked bool

	numbered bool    // names may be numbers
	known    Methods // names of the numbers
	// numbers of distinct names that are numbers, and of those that known does not contain
	numbers, unknown int
}

// entry is a begin, an end, or a whole call with a known end.
type entry struct {
	trace.Event
	end, cpuEnd time.Duration // for a whole call
}

// Actions of the events of an entry in the stream and the log. The method of an Exit is 1 + the
// method in the file, or 0 if the file states none. A whole call is stored as two events if all
// calls so far have a CPU time. Otherwise it is one event, with the duration in place of the CPU
// time.
const (
	whole      = trace.Action(eventlog.MaxAction - 2)
	wholeBegin = trace.Action(eventlog.MaxAction - 1)
	wholeEnd   = trace.Action(eventlog.MaxAction)
)

func (c *Calls) init(limits trace.Limits, dir string) {
	c.limits, c.first, c.latest, c.cpu = limits, math.MaxInt64, math.MinInt64, true
	c.inOrder, c.log = eventlog.NewLog(dir, eventlog.Memory), eventlog.NewLog(dir, eventlog.Memory)
}

// Thread returns the index of a thread.
func (c *Calls) Thread(t Thread) (trace.ThreadID, error) {
	if id, ok := c.threads.Get(t.key()); ok {
		return id, nil
	}
	if c.pid == 0 {
		c.pid = t.Pid
	}
	id, err := c.Symbols.AddThread(trace.Thread{TID: c.tids.unique(t)})
	if err != nil {
		return id, err
	}
	c.pids = append(c.pids, t.Pid)
	c.threads.Set(t.key(), id)
	c.of = append(c.of, threadRuns{latest: math.MinInt64})
	return id, nil
}

// Name sets the name of a thread that has or will have calls. Only the first name is used.
func (c *Calls) Name(t Thread, name []byte) error {
	id, err := c.Thread(t)
	if err == nil {
		c.NameOf(id, string(name))
	}
	return err
}

// NameOf is Name for a thread with a known index.
func (c *Calls) NameOf(id trace.ThreadID, name string) {
	if t := &c.Symbols.Threads[id]; t.Name == "" {
		t.Name = name
	}
}

// NameProcess sets the name of a process. Only the first name is used.
func (c *Calls) NameProcess(pid uint32, name string) { c.processes.Name(pid, name) }

// nameProcesses assigns the threads to their processes. A process without a name gets the name of
// its main thread.
func (c *Calls) nameProcesses() {
	s := &c.Symbols
	for _, pid := range c.pids {
		if main, ok := c.threads.Get(Thread{pid, pid}.key()); ok {
			c.processes.Name(pid, s.Threads[main].Name)
		}
	}
	for id, pid := range c.pids {
		c.processes.Add(s, trace.ThreadID(id), pid)
	}
	c.processes.Finish(s)
}

// Method returns the index of the method with a name.
func (c *Calls) Method(name []byte) (trace.MethodID, error) {
	m, err := c.named(name)
	if err != nil {
		return 0, err
	}
	return m.id, nil
}

// Cached returns the method with a name if the name is [jsonread.Plain] and was looked up recently.
func (c *Calls) Cached(name []byte) (id trace.MethodID, ok bool) { return c.methods.cached(name) }

// Named is Method. It also returns the name as a string that all callers share.
func (c *Calls) Named(name []byte) (id trace.MethodID, text string, err error) {
	m, err := c.named(name)
	if err != nil {
		return 0, "", err
	}
	return m.id, m.name, nil
}

// Count returns the number of begins, ends and whole calls.
func (c *Calls) Count() int64 { return c.count }

// named returns the method with a name.
func (c *Calls) named(name []byte) (*named, error) {
	name = withoutVsync(name)
	if known := c.methods.get(name); known != nil {
		return known, nil
	}
	if err := c.limits.Symbols(len(c.Symbols.Methods)+1, 0); err != nil {
		return nil, err
	}
	m := c.methodOf(string(name))
	m.ID = uint64(len(c.Symbols.Methods)+1) << 2
	return c.methods.set(name, c.Symbols.AddMethod(m)), nil
}

// withoutVsync removes the number of the vsync from the name of Choreographer's section, so that
// all its calls have the same method.
func withoutVsync(name []byte) []byte {
	number, numbered := bytes.CutPrefix(name, []byte(trace.FrameSection+" "))
	if !numbered || len(number) == 0 || len(bytes.TrimLeft(number, "0123456789")) > 0 {
		return name
	}
	return name[:len(trace.FrameSection)]
}

// Numbered returns the index of the method with a number.
func (c *Calls) Numbered(number uint64) (trace.MethodID, error) {
	if id, ok := c.byID.Get(number); ok {
		return id, nil
	}
	id, err := c.Method(fmt.Appendf(nil, "%s%d", numbered, number))
	if err == nil {
		c.byID.Set(number, id)
	}
	return id, err
}

// methodOf returns the method for a name. If the name is a known number, it is the number's method.
// If the name looks like a method, such as "a.B.m" or ART's form "void a.B.m(int)", it is split
// into class, method and signature. Any other text is only a name, such as "v1.2" or a function that
// GCC cloned, "f.isra.26".
func (c *Calls) methodOf(name string) trace.Method {
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
	if dot <= 0 || dot == len(plain)-1 || plain[dot+1] >= '0' && plain[dot+1] <= '9' || strings.ContainsAny(plain, " |:#/=") {
		return trace.Method{Name: name}
	}
	return trace.Method{Class: plain[:dot], Name: plain[dot+1:], Signature: signature}
}

// Begin adds the begin of a call; cpu is -1 if the file has no CPU time.
func (c *Calls) Begin(t Thread, name []byte, at, cpu time.Duration) error {
	m, err := c.Method(name)
	if err != nil {
		return err
	}
	id, err := c.Thread(t)
	if err != nil {
		return err
	}
	return c.BeginOf(id, m, at, cpu)
}

// BeginOf is Begin for known indexes of a thread and a method.
func (c *Calls) BeginOf(id trace.ThreadID, m trace.MethodID, at, cpu time.Duration) error {
	return c.addOne(&trace.Event{Wall: at, CPU: cpu, Method: m, Thread: id})
}

// End adds the end of a call; name is empty if the file does not state it.
func (c *Calls) End(t Thread, name []byte, at, cpu time.Duration) error {
	id, err := c.Thread(t)
	if err != nil {
		return err
	}
	return c.EndOf(id, name, at, cpu)
}

// EndOf is End for a thread with a known index.
func (c *Calls) EndOf(id trace.ThreadID, name []byte, at, cpu time.Duration) error {
	if len(name) == 0 {
		return c.EndAs(id, 0, at, cpu)
	}
	m, err := c.Method(name)
	if err != nil {
		return err
	}
	return c.EndAs(id, m+1, at, cpu)
}

// EndAs is EndOf for 1 + the index of a method, or 0 for an end without a name.
func (c *Calls) EndAs(id trace.ThreadID, of trace.MethodID, at, cpu time.Duration) error {
	return c.addOne(&trace.Event{Wall: at, CPU: cpu, Method: of, Thread: id, Action: trace.Exit})
}

// Whole adds a whole call of a method with a known index.
func (c *Calls) Whole(t Thread, m trace.MethodID, begin, end, cpuBegin, cpuEnd time.Duration) error {
	id, err := c.Thread(t)
	if err != nil {
		return err
	}
	return c.WholeOf(id, m, begin, end, cpuBegin, cpuEnd)
}

// WholeOf is Whole for a thread with a known index.
func (c *Calls) WholeOf(id trace.ThreadID, m trace.MethodID, begin, end, cpuBegin, cpuEnd time.Duration) error {
	if err := within(end); err != nil {
		return err
	}
	c.whole = true
	return c.add(&entry{trace.Event{Wall: begin, CPU: cpuBegin, Method: m, Thread: id, Action: whole}, max(begin, end), cpuEnd})
}

// Timeline is a file that has been read. Data that exceeds memory is in a temporary file until
// Close.
type Timeline struct {
	trace.Recording
	calls *Calls
}

// timeline ends the gathering and returns the file's timeline.
func (s *Source) timeline() (*Timeline, error) {
	c := &s.Calls
	if err := cmp.Or(c.putLate(), c.putStream()); err != nil {
		return nil, err
	}
	c.late, c.pending, c.byTime = nil, nil, byTime{}
	c.nameProcesses()
	if c.known != nil && c.unknown > 0 {
		s.Warnings = append(s.Warnings, trace.Warnf(trace.WarnMethodID, s.Name, "%d of %d method numbers have no name in the mapping; is it from another build?", c.unknown, c.numbers))
	}
	if more := s.skipped - 20; more > 0 {
		s.Warnings = append(s.Warnings, trace.Warnf(trace.WarnMore, s.Name, "%d more lines are ignored", more))
	}
	t := &Timeline{calls: c}
	t.Symbols, t.Warnings = &c.Symbols, s.Warnings
	t.Info = trace.Info{Clock: trace.Wall, Start: max(0, c.first), PID: int(c.pid), Events: -1, Marked: c.Marked}
	if c.cpu {
		t.Info.Clock = trace.Dual
	}
	if t.Info.OfCPU = c.cpu && s.OfCPU; t.Info.OfCPU && s.Sampled > 0 {
		t.Info.Technique, t.Info.Interval = trace.Sampled, s.Sampled
	}
	t.DisplayFrames = trace.MovedFrames(s.DisplayFrames, c.first)
	return t, t.Rewind()
}

// Numbers returns how many methods of the file are numbers, with or without a name in
// [Config.Methods].
func (t *Timeline) Numbers() int { return t.calls.numbers }

// Rewind makes Events deliver the events again from the first one on.
func (t *Timeline) Rewind() error {
	events, err := t.calls.events(&t.Warnings)
	if t.Info.OfCPU {
		events = &waitFinder{Reader: events, info: &t.Info}
	}
	t.Events = events
	return err
}

// waitFinder sets [trace.Info].Waits if a thread with an open frame does not run between two events.
type waitFinder struct {
	trace.Reader
	info   *trace.Info
	stacks trace.Stacks
	last   []trace.Event // of each thread
}

// ReadEvents implements [trace.Reader].
func (w *waitFinder) ReadEvents(p []trace.Event) (int, error) {
	n, err := w.Reader.ReadEvents(p)
	for i := range p[:n] {
		e := &p[i]
		if more := int(e.Thread) + 1 - len(w.last); more > 0 {
			w.last = append(w.last, make([]trace.Event, more)...)
		}
		last := &w.last[e.Thread]
		w.info.Waits = w.info.Waits || len(w.stacks.Of(e.Thread)) > 0 && e.Wall > last.Wall && e.CPU == last.CPU
		*last = *e
		w.stacks.Apply(*e)
	}
	return n, err
}

// Close removes the temporary file.
func (t *Timeline) Close() error { return t.calls.close() }
