package report

import (
	"fmt"
	"time"

	"artifice/trace"
)

// Traceview adds a trace up by the rules of Traceview, the viewer of the Android SDK
// up to 2016, to print what its option -r does: a text that its makers compared with that of
// the previous version. It is a trace.Writer. The rules are those of the source in CyanogenMod
// 10.1 (DmTraceReader, ThreadData, Call), which is Android 4.2's. Those that are not what one
// would expect:
//
//   - Numbers are signed: times from 2³¹ us on are negative, and so are the tids of
//     records from 32768 on (128 in version 1), which makes threads of their own.
//   - CPU time since a thread's last event is of the innermost call before the
//     event. A call's wall time is that from its enter to its exit, and what its
//     callees leave of it is its own; the top level has no wall time of its own.
//   - Where a thread waited for more than 100 us between two events, with both
//     clocks, a call "(context switch)" stands there that takes no CPU time. With
//     thread CPU time alone a call of that name lasts from where the events of
//     another thread begin to where the thread goes on, and wall time is made up
//     of the CPU times of all threads in turn.
//   - An exit on an empty stack is not there. A call that is open at the end ends
//     at its thread's last event; its wall time then ends at 0 with thread CPU time
//     alone.
//   - Where the file names no clock, or another than the three known, its first time
//     counts as thread CPU time.
//   - Names are read as ASCII: every other byte becomes U+FFFD.
//   - A method with the id 0 takes the place of the top level in the list of methods.
//
// Every call is kept until all are printed: some 150 bytes.
type Traceview struct {
	rec   *trace.Recording
	clock trace.Clock // as Traceview understands the file

	threads  []*tvThread // in the order in which Traceview met them
	byTID    map[int32]*tvThread
	ofThread []*tvThread // by trace.ThreadID; nil: not met in an event yet
	methods  []*tvMethod // in the order in which Traceview met them
	ofMethod []*tvMethod // by trace.MethodID
	listed   int         // threads that were looked at for the list

	toplevel, away *tvMethod // away is the context switch
	calls          []*tvCall // in the order of their enters
	actions        []tvAction
	last           *tvThread // of the last event
}

// tvMethod is a method and what its calls add up to, in us.
type tvMethod struct {
	id                   int32
	name                 string
	exclusive, inclusive tvTimes
	calls                [2]int // of outermost activations, of others
}

// tvTimes are times in us.
type tvTimes struct{ cpu, wall int64 }

func (t *tvTimes) add(o tvTimes) {
	t.cpu += o.cpu
	t.wall += o.wall
}

// tvThread is a thread; root is the call of its top level.
type tvThread struct {
	id          int32
	name        string
	met         bool // it has had an event
	called      bool // it has had a call
	first, last tvTimes
	haveWall    bool
	current     int64 // CPU time up to which wall time was made up
	root        tvCall
	stack       []*tvCall // without the root
	open        map[*tvMethod]int
}

type tvCall struct {
	thread               *tvThread
	method               *tvMethod
	caller               *tvCall // nil: it is a root
	recursive            bool
	enter, exit          tvTimes
	exclusive, inclusive tvTimes
}

// tvAction is an enter or exit, of which wall time is made up.
type tvAction struct {
	call *tvCall
	exit bool
}

// NewTraceview returns a report of rec's events. It reads rec's Info, Symbols and
// Source, and rec.Events never.
func NewTraceview(rec *trace.Recording) *Traceview {
	t := &Traceview{
		rec: rec, clock: tvClock(rec), byTID: map[int32]*tvThread{},
		toplevel: &tvMethod{id: 0, name: compatToplevel}, away: &tvMethod{id: -1, name: "(context switch)"},
	}
	t.methods = []*tvMethod{t.toplevel, t.away}
	return t
}

// tvClock returns the clock of a recording: of a file with its options in front, the
// one that is named there, or thread CPU time.
func tvClock(rec *trace.Recording) trace.Clock {
	if rec.Source == nil || len(rec.Source.Options) == 0 {
		return rec.Info.Clock
	}
	for _, option := range rec.Source.Options {
		switch option {
		case "clock=wall", "clock=dual", "clock=thread-cpu":
			return rec.Info.Clock
		}
	}
	return trace.ThreadCPU
}

// time is the time of an event as Traceview reads it.
func (t *Traceview) time(e *trace.Event) (now tvTimes) {
	has := t.rec.Info.Clock
	if t.clock.HasWall() {
		now.wall = signedMicros(e.Wall)
	}
	if t.clock.HasCPU() {
		if now.cpu = signedMicros(e.CPU); !has.HasCPU() {
			now.cpu = signedMicros(e.Wall)
		}
	}
	return now
}

// WriteEvents implements [trace.Writer]. It fails where Traceview does: at an exit
// of another method than the innermost.
func (t *Traceview) WriteEvents(p []trace.Event) error {
	t.list()
	for i := range p {
		if err := t.add(&p[i]); err != nil {
			return err
		}
	}
	return nil
}

// signedMicros is a time as Traceview reads it.
func signedMicros(d time.Duration) int64 { return int64(int32(d / time.Microsecond)) }

func (t *Traceview) add(e *trace.Event) error {
	th, m := t.thread(e.Thread), t.ofMethod[e.Method]
	now := t.time(e)
	th.haveWall = t.clock.HasWall()
	if !th.met {
		th.met, th.first, th.last, th.current = true, now, now, now.cpu
	}
	step := tvTimes{now.cpu - th.last.cpu, now.wall - th.last.wall}
	th.last = now
	if t.clock.HasCPU() {
		if t.clock.HasWall() {
			t.waited(th, now, step)
		} else {
			t.switched(th, step.cpu)
		}
		top := th.top()
		top.exclusive.cpu += step.cpu
		top.inclusive.cpu += step.cpu
	}
	if e.Action == trace.Enter {
		t.enter(th, m).enter = now
		return nil
	}
	top := th.top()
	if top == &th.root {
		return nil
	}
	if top.method != m {
		return fmt.Errorf("an exit of %s while %s is innermost: Traceview gives up here", m.name, top.method.name)
	}
	t.exit(th).exit = now
	return nil
}

// minSwitch is how long a thread waits between two events, in us, for it to count
// as a context switch.
const minSwitch = 100

// waited puts a context switch where a thread waited, with its CPU time half
// before and half after it.
func (t *Traceview) waited(th *tvThread, now, step tvTimes) {
	if step.wall-step.cpu <= minSwitch {
		return
	}
	before := step.cpu / 2
	after := step.cpu - before
	c := t.enter(th, t.away)
	c.enter = tvTimes{now.cpu - after, now.wall - step.wall + before}
	c.exit = tvTimes{c.enter.cpu, now.wall - after}
	t.exit(th)
}

// switched puts a context switch on the thread that was left and ends that of the
// thread that goes on, half of its CPU time later.
func (t *Traceview) switched(th *tvThread, step int64) {
	left := t.last
	t.last = th
	if left == nil || left == th {
		return
	}
	t.enter(left, t.away).enter.cpu = left.last.cpu
	if top := th.top(); top.method == t.away {
		t.exit(th)
		top.enter.cpu += step / 2
		top.exit.cpu = top.enter.cpu
	}
}

func (th *tvThread) top() *tvCall {
	if n := len(th.stack); n > 0 {
		return th.stack[n-1]
	}
	return &th.root
}

func (t *Traceview) enter(th *tvThread, m *tvMethod) *tvCall {
	if !th.called {
		th.called = true
		t.act(&th.root, false)
	}
	c := &tvCall{thread: th, method: m, caller: th.top(), recursive: th.open[m] > 0}
	th.open[m]++
	th.stack = append(th.stack, c)
	t.calls = append(t.calls, c)
	t.act(c, false)
	return c
}

func (t *Traceview) exit(th *tvThread) *tvCall {
	c := th.top()
	th.stack = th.stack[:len(th.stack)-1]
	th.open[c.method]--
	t.act(c, true)
	return c
}

func (t *Traceview) act(c *tvCall, exit bool) {
	if !t.clock.HasWall() {
		t.actions = append(t.actions, tvAction{c, exit})
	}
}
