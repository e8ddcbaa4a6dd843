package machine

import (
	"io"
	"math"
	"slices"
	"time"

	"artifice/internal/eventlog"
	"artifice/trace"
)

// machine executes a program's threads on its cores and delivers the events of all of them in time
// order. It is the Reader of a truth, and a [trace.SchedSource].
//
// It schedules as Linux's SCHED_RR does: runnable threads wait in one queue, by priority and then
// in order of arrival. An arriving thread takes an idle core, the fastest available, and among
// equals its last one. Otherwise it preempts a running thread of lower priority, if there is one,
// which returns to the head of its priority. A thread that has used its time slice goes to the end
// of its priority if another thread of that priority waits. A running thread is never moved to a
// faster core, and a switch takes no time.
//
// While a thread waits for a core it has a frame of the method [runnableMethod] on its stack, which
// no tracer reports. In this truth, too, a thread therefore runs or waits according to its
// innermost method. The frames of a thread's stack are entered when it starts if it existed before
// the trace. This and its scheduled end do not need a core.
type machine struct {
	program *Code
	rec     *trace.Recording
	length  time.Duration
	now     time.Duration
	tasks   []task
	cores   []coreState
	timers  eventlog.Heap[timer]
	ready   readyQueue
	fresh   []int32 // tasks that have just become ready
	woken   []int32 // those of fresh that were not preempted

	runnable trace.MethodID
	out      []trace.Event // generated and not yet delivered
	taken    int
	sched    trace.SchedWriter // nil if not requested
	facts    []trace.SchedEvent
	meetings []meeting // by handoff
	err      error

	watcher trace.Watcher  // nil: none
	opened  bool           // it has received the frames that were open before
	tracer  tracerThread   // of the watcher
	one     [1]trace.Event // scratch: the next event, passed to the watcher
}

// taskState is the scheduling state of a thread.
type taskState uint8

const (
	asleep taskState = iota // waiting, or not begun
	ready                   // runnable
	onCore                  // running
	ended                   // finished
)

// task is one thread on the machine.
type task struct {
	run    *runner
	state  taskState
	work   int64         // remaining work, in thousandths of a ns at speed 1
	left   time.Duration // remaining time slice
	core   int           // current or last core; -1: none yet
	wait   trace.Wait    // kind of its current wait
	device bool          // recorded as waiting for a device when it left its core
	marked bool          // the frame of runnableMethod is on its stack
	pays   bool          // its work is the tracing overhead
	held   *trace.Event  // pending until it has worked off the earlier overhead
	number uint64        // of its timer; older timers are void
}

// timer wakes a task, or ends it.
type timer struct {
	task   int32
	ends   bool
	number uint64
}

// coreState is one core at work.
type coreState struct {
	*Core
	task   int32         // running task; none
	shown  int32         // running task as recorded so far
	step   int           // of its clock
	rise   time.Duration // when it switches to the next step; 0: never
	idleAt time.Duration // begin of its idle time
	idles  bool          // idle as recorded so far
}

// none is no task: the idle task.
const none = int32(trace.NoThread)

// runnableMethod is the leaf frame of a thread that waits for a core.
var runnableMethod = trace.Method{Class: "artifice.Cores", Name: "runnable", Signature: "()V", Flags: trace.RuntimeInternal, Wait: trace.Runnable}

func newMachine(p *Code, rec *trace.Recording, cfg Config) *machine {
	m := &machine{program: p, rec: rec, length: cfg.Length, tasks: make([]task, len(rec.Symbols.Threads)), meetings: newMeetings(p)}
	cores := p.Cores
	if len(cores) > 0 {
		m.runnable = rec.Symbols.AddMethod(runnableMethod)
	} else { // one per thread, so that no thread waits for one
		cores = slices.Repeat([]Core{{Speed: 1000}}, len(m.tasks))
	}
	for i := range cores {
		m.cores = append(m.cores, coreState{Core: &cores[i], task: none, shown: none, idles: true})
	}
	for i := range m.tasks {
		r := newRunner(p, i, rec.Symbols, cfg)
		r.scheduled, r.machine = true, m
		m.tasks[i] = task{run: r, core: -1, wait: trace.Sleep}
		m.at(r.wall, timer{task: int32(i)})
		if r.ends {
			m.at(r.limit, timer{task: int32(i), ends: true})
		}
	}
	if cfg.Tracer != nil {
		m.watcher = &planned{tracer: cfg.Tracer, m: m}
	}
	m.firstFacts()
	return m
}

// at sets a timer. At equal times, threads end before others wake.
func (m *machine) at(when time.Duration, t timer) {
	tie := 2*uint64(t.task) + 1
	if t.ends {
		tie--
	}
	m.timers.Push(eventlog.Item[timer]{At: when, Tie: tie, Value: t})
}

// SchedTo implements [trace.SchedSource].
func (m *machine) SchedTo(w trace.SchedWriter) { m.sched = w }

// ReadEvents implements [trace.Reader].
func (m *machine) ReadEvents(p []trace.Event) (n int, err error) {
	for m.taken == len(m.out) {
		if m.err != nil || len(p) == 0 {
			return 0, trace.ReadOnce(&m.err)
		}
		m.out, m.taken = m.out[:0], 0
		for len(m.out) == 0 && m.err == nil {
			m.step()
		}
		if m.sched != nil && len(m.facts) > 0 {
			if err := m.sched.WriteSched(m.facts); err != nil {
				m.err, m.out = err, m.out[:0]
				return 0, err
			}
		}
		m.facts = m.facts[:0]
	}
	n = copy(p, m.out[m.taken:])
	m.taken += n
	return n, nil
}

// step advances to the next time at which something happens, and executes it.
func (m *machine) step() {
	next := m.next()
	if next == math.MaxInt64 && m.tracer.state != onCore { // otherwise others wait for its core
		m.refuseStandstill()
	}
	next = m.trace(next)
	m.advance(min(next, m.length))
	if next > m.length {
		m.finish()
		return
	}
	for i := range m.cores {
		if c := &m.cores[i]; c.task != none && m.tasks[c.task].work == 0 {
			m.proceed(c)
		}
	}
	for len(m.timers) > 0 && m.timers[0].At <= m.now {
		m.expire(m.timers.Pop().Value)
	}
	m.wakeTracer()
	m.raiseClocks()
	m.endSlices()
	m.dispatch()
	m.recordSched()
}

// finish ends the truth: at its stop, or earlier when all threads have ended.
func (m *machine) finish() {
	if m.err != nil {
		return
	}
	m.err = io.EOF
	last := time.Duration(0)
	for i := range m.tasks {
		end := m.rec.Symbols.Thread(trace.ThreadID(i)).End
		if end == 0 {
			return
		}
		last = max(last, end)
	}
	m.rec.Info.Elapsed = last
}

// next returns the time of the next step.
func (m *machine) next() time.Duration {
	when := time.Duration(math.MaxInt64)
	if len(m.timers) > 0 {
		when = m.timers[0].At
	}
	for i := range m.cores {
		c := &m.cores[i]
		if c.task == none {
			continue
		}
		t, rate := &m.tasks[c.task], c.rate(c.step)
		when = min(when, m.now+time.Duration((t.work+rate-1)/rate))
		if m.ready.has(m.priority(c.task)) {
			when = min(when, m.now+max(t.left, 0))
		}
		if c.rise > 0 {
			when = min(when, c.rise)
		}
	}
	return when
}

// advance advances the time to now, while threads with cores run.
func (m *machine) advance(now time.Duration) {
	d := now - m.now
	m.now = now
	for i := range m.cores {
		c := &m.cores[i]
		if c.task == none {
			continue
		}
		t := &m.tasks[c.task]
		t.work = max(0, t.work-int64(d)*c.rate(c.step))
		t.run.cpu += d
		if t.left -= d; t.left <= 0 && !m.ready.has(m.priority(c.task)) { // the next slice has begun
			t.left = m.program.Slice - (-t.left)%m.program.Slice
		}
	}
}

// proceed continues the body of the thread on core c, which has done its work.
func (m *machine) proceed(c *coreState) {
	id := c.task
	t := &m.tasks[id]
	m.carryOut(t)
	t.pays = t.run.charged > 0
	switch {
	case t.pays:
		t.work, t.run.charged = 1000*int64(t.run.charged), 0
	case t.run.owes == untilGiven && m.err == nil:
		t.state, t.wait, c.task = asleep, m.waitOf(t), none
		t.number++
	case m.err != nil, t.run.owes > 0 && !t.run.waiting:
		t.work = 1000 * int64(t.run.owes)
	case t.run.owes > 0:
		t.state, t.wait, c.task = asleep, m.waitOf(t), none
		t.number++
		m.at(m.now+t.run.owes, timer{task: id, number: t.number})
	case t.run.phase == stopped && t.run.thread.Idle: // it idles
		t.state, t.wait, c.task = asleep, trace.Sleep, none
	default:
		t.state, c.task = ended, none
		m.ends(id)
	}
}

// ends records that a thread has ended.
func (m *machine) ends(id int32) {
	m.rec.Symbols.Thread(trace.ThreadID(id)).End = m.now
	m.refuseHeld(id)
}

// carryOut generates the events of a thread up to the next one that takes time.
func (m *machine) carryOut(t *task) {
	t.run.wall, t.run.owes = m.now, 0
	if m.watcher != nil {
		m.carryOutWatched(t)
	} else {
		m.carryOutFreely(t)
	}
	if t.run.err != nil {
		m.err = t.run.err
	}
	if t.run.owes == untilGiven {
		return
	}
	// Times beyond the truth need not be exact.
	t.run.owes = min(t.run.owes, 10*(m.length-m.now)+1)
}

// carryOutFreely is carryOut without a tracer.
func (m *machine) carryOutFreely(t *task) {
	const atOnce = 16
	for {
		from := len(m.out)
		m.out = append(m.out, make([]trace.Event, atOnce)...)
		n := t.run.fill(m.out[from:])
		if m.out = m.out[:from+n]; n < atOnce {
			return
		}
	}
}

// waitOf returns the kind of a thread's wait.
func (m *machine) waitOf(t *task) trace.Wait {
	if n := len(t.run.frames); n > 0 {
		return m.program.Methods[t.run.frames[n-1].method].Wait
	}
	return trace.Sleep
}

// priority returns the priority of a task.
func (m *machine) priority(id int32) int {
	if id == tracerTask { // the main thread starts tracing and creates this one, which inherits its priority
		id = 0
	}
	return m.tasks[id].run.thread.Prio
}
