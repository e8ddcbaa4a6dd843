package machine

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"time"

	"artifice/trace"
)

// Config configures the execution of a program.
type Config struct {
	Seed   uint64        // of all random numbers
	Length time.Duration // of the truth
	Tracer Tracer        // nil: none
	Live   bool          // the reader is a [trace.LiveApp]
}

// Start executes a program with the threads and methods in rec, and returns the events of all
// threads, merged in time order. It records changes during the run in rec: the ends of threads, and
// of the truth.
func (c *Code) Start(rec *trace.Recording, cfg Config) trace.Reader {
	if !cfg.Live && !c.Interacts() {
		return newMerge(c, rec, cfg)
	}
	m := newMachine(c, rec, cfg)
	switch cores := len(c.Cores) > 0; { // otherwise each thread has its own core, and there is nothing to record
	case cfg.Live && cores:
		return liveOnCores{live{m, m}, m}
	case cfg.Live:
		return live{m, m}
	case cores:
		return m
	default:
		return struct{ trace.Reader }{m}
	}
}

// Interacts reports whether the timing of one thread can affect others.
func (c *Code) Interacts() bool { return len(c.Cores) > 0 || len(c.Handoffs) > 0 }

// phase is the stage of a thread's run.
type phase uint8

const (
	opening   phase = iota // entering the frames of the thread's stack
	running                // executing its body
	unwinding              // leaving frames by an exception
	closing                // leaving all frames before the thread ends
	stopped                // no further event
)

// frame is one open call.
type frame struct {
	back   int32 // where the caller continues
	loops  int32 // number of the caller's loop counters
	method trace.MethodID
	catch  bool // the caller catches exceptions of this call
}

// runner executes one thread's body and generates its events.
type runner struct {
	program *Code
	thread  *Thread
	symbols *trace.Symbols // of the truth, which receive the thread's end
	id      trace.ThreadID
	phase   phase
	waiting bool // the innermost method waits instead of running

	// On emulated cores the machine advances the time: owes is the time that the thread has to run
	// or wait before its next instruction.
	scheduled bool
	owes      time.Duration

	pc     int32
	wall   time.Duration
	cpu    time.Duration
	limit  time.Duration // the thread's end or the truth's, whichever comes first
	ends   bool          // limit is the thread's end
	frames []frame
	loops  []int64
	pcg    rand.PCG
	err    error

	machine *machine                // scheduler
	credit  time.Duration           // part of the next running or waiting time that has passed already
	tracer  Tracer                  // nil: none
	charged time.Duration           // on cores: cost of events that the thread has not worked off
	ticks   map[int32]time.Duration // by instruction, opUntil with AtOnce: the next tick
}

// newRunner prepares thread number id of a truth.
func newRunner(p *Code, id int, symbols *trace.Symbols, cfg Config) *runner {
	t := &p.Threads[id]
	r := &runner{program: p, thread: t, symbols: symbols, id: trace.ThreadID(id), pc: t.Entry,
		wall: t.Start, cpu: t.Cpu, limit: cfg.Length}
	if t.End > 0 && t.End <= cfg.Length {
		r.limit, r.ends = t.End, true
	}
	// Each thread has its own random numbers, so that it depends neither on other threads nor on
	// the order of merging. The odd constant is 2^64 over the golden ratio.
	r.pcg = *rand.NewPCG(cfg.Seed, uint64(id)*0x9e3779b97f4a7c15)
	return r
}

// fill generates events until events is full or the run has stopped, and returns their number.
func (r *runner) fill(events []trace.Event) (n int) {
	for n < len(events) && r.owes == 0 {
		switch r.phase {
		case opening:
			n += r.open(events[n:])
		case running:
			n += r.run(events[n:])
		case unwinding:
			n += r.unwind(events[n:])
		case closing:
			n += r.close(events[n:])
		case stopped:
			return n
		}
	}
	return n
}

// open enters the frames of the thread's stack. Their call sites are unknown: no step calls them.
func (r *runner) open(events []trace.Event) (n int) {
	stack := r.thread.Stack[len(r.frames):]
	for n < len(stack) && n < len(events) {
		r.push(stack[n], frame{back: -1})
		events[n] = r.event(stack[n], trace.Enter)
		n++
	}
	if n == len(stack) && r.phase == opening {
		r.phase = running
		if r.thread.Idle {
			r.idle()
		}
	}
	return n
}

// idle keeps a thread without a body in its state until its end.
func (r *runner) idle() {
	r.phase = stopped
	if r.ends && !r.scheduled {
		r.wall, r.phase = r.limit, closing
	}
}

func (r *runner) event(m trace.MethodID, a trace.Action) trace.Event {
	r.credit = 0
	e := trace.Event{Wall: r.wall, CPU: r.cpu, Method: m, Thread: r.id, Action: a}
	if r.tracer != nil && (r.phase != opening || !r.thread.Before) { // no tracer reports the start of the latter
		r.charge(r.tracer.Event(r.id, r.wall, m))
	}
	return e
}

func (r *runner) push(m trace.MethodID, f frame) {
	f.method = m
	r.frames = append(r.frames, f)
	r.waiting = r.program.waits(m)
}

// pop removes the innermost frame and returns to its caller.
func (r *runner) pop() frame {
	last := len(r.frames) - 1
	f := r.frames[last]
	r.frames = r.frames[:last]
	r.loops = r.loops[:f.loops]
	r.waiting = last > 0 && r.program.waits(r.frames[last-1].method)
	return f
}

// pass advances the time, at most to the limit; beyond it the run stops.
func (r *runner) pass(d time.Duration) {
	if r.scheduled {
		r.owes = d
		return
	}
	if r.tracer != nil {
		r.passTraced(d)
		return
	}
	over := d > r.limit-r.wall
	if over {
		d = r.limit - r.wall
	}
	r.wall += d
	if !r.waiting {
		r.cpu += d
	}
	if over {
		r.phase = stopped
		if r.ends {
			r.phase = closing
		}
	}
}

// run executes instructions while the thread is running.
func (r *runner) run(events []trace.Event) (n int) {
	for n < len(events) && r.phase == running && r.owes == 0 {
		in := &r.program.Instrs[r.pc]
		r.pc++
		switch in.Op {
		case OpSelf:
			r.pass(r.workOff(in.Dist.Draw(&r.pcg)))
		case OpCall:
			n += r.call(in, trace.MethodID(in.Arg), &events[n])
		case OpPick:
			n += r.call(in, trace.MethodID(in.Arg)+trace.MethodID(r.choose(in.UpTo)), &events[n])
		case OpReturn:
			events[n] = r.event(r.frames[len(r.frames)-1].method, trace.Exit)
			n++
			r.pc = r.pop().back
		case OpLeave:
			events[n] = r.event(r.frames[len(r.frames)-1].method, trace.Exit)
			n++
			r.pop()
		case OpLoop:
			if k := in.Times.Draw(&r.pcg); k > 0 {
				r.loops = append(r.loops, k)
			} else {
				r.pc = in.To
			}
		case OpAgain:
			top := len(r.loops) - 1
			if r.loops[top]--; r.loops[top] > 0 {
				r.pc = in.To
			} else {
				r.loops = r.loops[:top]
			}
		default:
			r.control(in)
		}
	}
	return n
}

// control executes the rarer instructions, which generate no event.
func (r *runner) control(in *Instr) {
	switch in.Op {
	case OpJump:
		r.pc = in.To
	case OpProb:
		if r.pcg.Uint64() >= in.P {
			r.pc = in.To
		}
	case OpBelow:
		if len(r.frames) >= int(in.Arg) {
			r.pc = in.To
		}
	case OpFrom:
		if len(r.frames) < int(in.Arg) {
			r.pc = in.To
		}
	case OpChoose:
		r.pc = in.Target[r.choose(in.UpTo)]
	case OpUntil:
		r.credit = 0 // a tick comes at its own time
		r.pass(r.untilTick(in))
	case OpGet:
		if !r.machine.obtain(r, in) {
			r.owes = untilGiven
		}
	case OpGive:
		r.machine.handOff(r, in)
	case OpThrow:
		r.phase = unwinding
	case OpEnd:
		r.phase = closing
	}
}

// untilTick returns the time until the tick for which a thread waits.
func (r *runner) untilTick(in *Instr) time.Duration {
	next := in.Period - r.wall%in.Period
	if !in.AtOnce {
		return next
	}
	at, waited := r.ticks[r.pc]
	if !waited {
		at = r.wall + next
	}
	if r.ticks == nil {
		r.ticks = map[int32]time.Duration{}
	}
	r.ticks[r.pc] = at + in.Period
	return max(0, at-r.wall)
}

// call enters m as in specifies. The depth limit is checked when the program is read, for all but a
// vanishing share of runs; here it ends the truth with an error.
func (r *runner) call(in *Instr, m trace.MethodID, e *trace.Event) int {
	if len(r.frames) >= MaxDepth {
		r.err = fmt.Errorf("thread %s: the stack happens to exceed %d frames at %v; use another seed", r.thread.Name, MaxDepth, r.wall)
		r.phase = stopped
		return 0
	}
	*e = r.event(m, trace.Enter)
	e.Site = in.Site
	r.push(m, frame{back: r.pc, loops: int32(len(r.loops)), catch: in.Catch})
	r.pc = r.program.Methods[m].Entry
	return 1
}

// choose draws an index with cumulative probabilities upTo.
func (r *runner) choose(upTo []float64) int {
	u := float64(r.pcg.Uint64()>>11) / (1 << 53)
	if len(upTo) <= 4 {
		i := 0
		for i < len(upTo)-1 && u >= upTo[i] {
			i++
		}
		return i
	}
	return min(sort.Search(len(upTo), func(i int) bool { return u < upTo[i] }), len(upTo)-1)
}

// unwind leaves frames up to a call that catches, or all of them.
func (r *runner) unwind(events []trace.Event) (n int) {
	for n < len(events) && r.phase == unwinding {
		if len(r.frames) == 0 {
			r.phase = closing
			break
		}
		f := r.pop()
		events[n] = r.event(f.method, trace.Unwind)
		n++
		if f.catch && r.phase == unwinding {
			r.pc, r.phase = f.back, running
		}
	}
	return n
}

// close leaves all frames by exits and ends the thread.
func (r *runner) close(events []trace.Event) (n int) {
	for n < len(events) && len(r.frames) > 0 && r.phase == closing {
		events[n] = r.event(r.pop().method, trace.Exit)
		n++
	}
	if len(r.frames) == 0 && r.phase == closing {
		if r.phase = stopped; !r.scheduled { // otherwise the machine determines when
			r.symbols.Thread(r.id).End = r.wall
		}
	}
	return n
}
