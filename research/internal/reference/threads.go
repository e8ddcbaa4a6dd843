package reference

import (
	"math/rand/v2"
	"time"

	"artifice/trace"
)

// ThreadTimer describes the sampling of each thread by a timer on its CPU time, and the cost of
// samples.
type ThreadTimer struct {
	Interval, Phase time.Duration // between expiries, and before the first
	Random          bool          // the first expiry is random, from 1 ns to one interval
	Core            bool          // the timer counts the time of a core, and samples the thread that runs there
	Wall            bool          // the timer counts wall time and samples the main thread, which is delayed if it runs
	Until           time.Duration // end of the recording; 0: with the truth
	Keep            int           // maximum number of samples in the record, the last ones; 0: all
	Deepest         int           // maximum number of frames; samples of deeper stacks are lost; 0: no maximum
	Cut             bool          // of deeper stacks, the innermost Deepest frames are recorded
	Lose            float64       // share of expiries without a sample
	Failures        []Failure     // stack walks that do not find all frames
	Switch          time.Duration // CPU time around a wait that the timer does not count
	Yields          bool          // a thread in a method without a yield point at an expiry is sampled when it next enters one with a yield point; samples take no time
	Tick            time.Duration // of the kernel, at which expiries are noticed; 0: at once
	Jitter          time.Duration // standard deviation of an interval; deviations accumulate
	Overshoot       time.Duration // mean overshoot of a sleep: exponential
	Turns, Native   int           // threads sampled in turn at an expiry of a shared timer, and those of them in native code
	Mean, Most      time.Duration // a sample's cost is exponential with this mean, cut at Most; without Most it is always Mean
	Seed            uint64
	Slots           int           // samples that can wait for processing; 0: no maximum
	Work            time.Duration // processing time of each
}

// Failure is a kind of stack walk that ends early.
type Failure struct {
	Share  float64
	Frames int            // innermost frames, the only ones in the sample
	Kept   bool           // the sample is recorded, though it may contain no frame
	Says   trace.MethodID // reported caller of these frames, plus 1; 0: none
}

// timed is the state of a timer's thread.
type timed struct {
	sampled
	lag         lag
	first, last trace.Event
	met         bool
	expires     time.Duration // next expiry, on the thread's CPU clock since its first event
	samples     int
	looks       []item // samples, if not all are kept
	pending     bool   // a sample is pending, at a yield point
	still       bool   // it is in a method without a yield point
	random      *rand.Rand
}

// SampleThreads takes the samples. Those of a thread are known at its next event.
func (t *Truth) SampleThreads(c *ThreadTimer) *Record {
	r := &Record{Tails: make([]Tail, len(t.Symbols.Threads)), NoCPU: c.Wall}
	threads := make([]timed, len(t.Symbols.Threads))
	work := &workshop{slots: c.Slots, work: c.Work}
	calls, seen := 0, map[int]bool{}
	for i := range t.Events {
		e := &t.Events[i]
		th := &threads[e.Thread]
		if c.Wall && e.Thread > 0 {
			if e.Action == trace.Enter {
				calls++
			}
			continue
		}
		if !th.met {
			th.begin(c, e)
		}
		r.expire(c, th, work, seen, e.Wall, e.CPU, th.lag.tick(e.Wall))
		th.last = *e
		th.lag.arrive(e)
		th.lag.goOn(t, e)
		if e.Action == trace.Enter {
			calls++
		}
		th.stack = apply(th.stack, e, calls)
		innermost := len(th.stack) - 1
		if th.still = innermost >= 0 && t.Symbols.Methods[th.stack[innermost].method].Flags&trace.LeafNoPoll != 0; th.pending && e.Action == trace.Enter && !th.still {
			th.pending = false
			r.show(c, th, seen, Event{trace.Event{Wall: e.Wall, CPU: time.Duration(th.samples) * c.Interval, Thread: e.Thread}, e.Wall}, nil)
		}
	}
	for id := range threads {
		th := &threads[id]
		if n := len(th.stack); n > 0 && t.Symbols.Methods[th.stack[n-1].method].Wait == trace.Running {
			r.expire(c, th, work, seen, t.Length, th.last.CPU+t.Length-th.last.Wall, 0)
		} else if c.Wall && id == 0 {
			r.expire(c, th, work, seen, t.Length, th.last.CPU, t.Length+th.lag.ends(t))
		}
		if c.Keep > 0 {
			r.keep(c, th, seen)
		}
		r.conclude(c, trace.ThreadID(id), th, t)
	}
	r.CallsSeen, r.Stop, r.stops = len(seen), t.Length+r.Delay, c.Wall && r.Delay > 0
	return r
}

// begin starts the timer of a thread at its first event.
func (th *timed) begin(c *ThreadTimer, e *trace.Event) {
	th.met, th.first, th.last, th.expires = true, *e, *e, c.Phase
	th.random = rand.New(rand.NewPCG(c.Seed, 0x7468726561640000+uint64(e.Thread)))
	if c.Random {
		th.expires = 1 + time.Duration(th.random.Uint64N(uint64(c.Interval)))
	}
}

// conclude records the cost of a thread's samples, and the end of its part of the record.
func (r *Record) conclude(c *ThreadTimer, id trace.ThreadID, th *timed, t *Truth) {
	if r.Delay = max(r.Delay, th.lag.ends(t)); !c.Wall {
		r.CPU += th.lag.spent
	}
	if th.samples == 0 {
		return
	}
	first, _ := r.ends(id)
	r.Tails[id] = Tail{first.Wall, first.CPU, t.Length + th.lag.ends(t), time.Duration(th.samples) * c.Interval}
	if c.Wall {
		r.Tails[id].EndCPU = 0
		return
	}
	tail := r.Tails[id] // the time that the last sample represents
	for i := len(th.memory) - 1; i >= 0; i-- {
		r.Events = append(r.Events, Event{trace.Event{Wall: tail.End, CPU: tail.EndCPU, Thread: id, Method: th.memory[i].method, Action: trace.Exit}, t.Length})
	}
}

// expire takes the samples that are due while the thread runs from its last event to a wall and CPU
// time. With tick, it takes those due while the thread waits for that tick, by the wall clock.
func (r *Record) expire(c *ThreadTimer, th *timed, work *workshop, seen map[int]bool, wall, cpu, tick time.Duration) {
	if !c.Core && !c.Wall && cpu-th.last.CPU < wall-th.last.Wall { // it waits
		uncounted := min(cpu-th.last.CPU, c.Switch)
		cpu -= uncounted
		defer func() { th.first.CPU += uncounted }()
	}
	for {
		late := th.lag.wall - th.lag.app
		ran := th.expires - th.lag.spent + th.first.CPU // the thread's own CPU time at the next expiry
		if c.Core || c.Wall {
			if th.expires < th.lag.wall {
				th.expires += c.Interval // it does not run at this expiry
				continue
			}
			ran = th.expires - late - th.last.Wall + th.last.CPU
		}
		at, waited := th.last.Wall+ran-th.last.CPU, time.Duration(0)
		if c.Tick > 0 {
			expired := at
			at = max(at, th.last.Wall)
			first := c.firstTick(th.last.Thread)
			at += ((first-at-late)%c.Tick + c.Tick) % c.Tick
			waited = at - expired
		}
		if ran+waited >= cpu && !c.Wall || c.Core && th.expires-late >= wall {
			return
		}
		if c.Wall && (tick == 0 && th.expires-late >= wall || tick > 0 && th.expires >= tick) {
			return
		}
		if c.Yields && th.still {
			th.pending = true
			th.pass(c, 0)
			continue
		}
		if at = min(wall, at); c.Lose > 0 && th.random.Float64() < c.Lose || c.Until > 0 && at >= c.Until {
			th.pass(c, waited)
			continue
		}
		now := Event{trace.Event{Wall: at + late, CPU: time.Duration(th.samples) * c.Interval, Thread: th.last.Thread}, at}
		took := c.Mean
		if c.Most > c.Mean {
			took = min(c.Most, time.Duration(th.random.ExpFloat64()*float64(c.Mean)))
		}
		if c.Wall {
			now.Wall, now.CPU = th.expires, 0
		}
		if c.Wall && ran >= cpu {
			took = 0 // it waits
		}
		r.LongestPause = max(r.LongestPause, took)
		th.lag.spend(took)
		failure := c.fails(th.random)
		if th.pass(c, waited+took); failure != nil && !failure.Kept {
			r.Lost++
			continue
		}
		if !c.Cut && c.Deepest > 0 && len(th.stack) > c.Deepest || !work.begins(now.Wall) {
			r.Lost++
			continue
		}
		r.show(c, th, seen, now, failure)
	}
}

// fails draws the failure that ends a walk; nil: none.
func (c *ThreadTimer) fails(random *rand.Rand) *Failure {
	all := 0.0
	for _, f := range c.Failures {
		all += f.Share
	}
	if all == 0 {
		return nil
	}
	x := random.Float64()
	for i := range c.Failures {
		if x -= c.Failures[i].Share; x < 0 {
			return &c.Failures[i]
		}
	}
	return nil
}

// firstTick returns when a thread's core first ticks.
func (c *ThreadTimer) firstTick(id trace.ThreadID) time.Duration {
	return 1 + time.Duration(rand.New(rand.NewPCG(c.Seed, 0x7469636b730000+uint64(id))).Uint64N(uint64(c.Tick)))
}

// pass skips an expiry and those within a time of it, which are missed.
func (th *timed) pass(c *ThreadTimer, within time.Duration) {
	done := th.expires + within
	for th.expires <= done {
		th.expires += c.Interval
	}
	if c.Jitter > 0 {
		th.expires += max(1-c.Interval, time.Duration(float64(c.Jitter)*th.random.NormFloat64()))
	}
	if c.Overshoot > 0 {
		th.expires += time.Duration(float64(c.Overshoot) * th.random.ExpFloat64())
	}
}

// show adds a sample of a thread to the record; of a failed walk, the frames that it found.
func (r *Record) show(c *ThreadTimer, th *timed, seen map[int]bool, now Event, failure *Failure) {
	th.samples++
	r.Kept++
	if c.Keep > 0 {
		th.looks = append(th.looks, item{at: now, stack: append([]frame(nil), th.stack...)})
		return
	}
	whole := th.stack
	if c.Cut {
		th.stack = whole[max(0, len(whole)-c.Deepest):]
	}
	if failure != nil {
		th.stack = th.stack[max(0, len(th.stack)-failure.Frames):]
	}
	if len(th.stack) > 0 {
		r.Samples++
	}
	for _, f := range th.stack {
		seen[f.call] = true
	}
	if failure != nil && failure.Says > 0 {
		th.stack = append([]frame{{method: failure.Says - 1}}, th.stack...)
	}
	r.compare(&Sampler{}, &th.sampled, now, now)
	th.stack = whole
}

// keep records the last samples.
func (r *Record) keep(c *ThreadTimer, th *timed, seen map[int]bool) {
	now := th.stack
	for _, i := range th.looks[max(0, len(th.looks)-c.Keep):] {
		if len(i.stack) > 0 {
			r.Samples++
		}
		for _, f := range i.stack {
			seen[f.call] = true
		}
		th.stack = i.stack
		r.compare(&Sampler{}, &th.sampled, i.at, i.at)
	}
	th.stack = now
}

// workshop is the queue of samples that wait for processing, one after the other.
type workshop struct {
	slots  int
	work   time.Duration
	latest time.Duration
	ready  []time.Duration // when the processing of each waiting sample is complete
}

// begins queues a sample if there is a place.
func (w *workshop) begins(at time.Duration) bool {
	if w.slots == 0 || w.work == 0 {
		return true
	}
	w.latest = max(w.latest, at)
	for len(w.ready) > 0 && w.ready[0] <= w.latest {
		w.ready = w.ready[1:]
	}
	if len(w.ready) == w.slots {
		return false
	}
	begin := w.latest
	if n := len(w.ready); n > 0 {
		begin = w.ready[n-1]
	}
	w.ready = append(w.ready, begin+w.work)
	return true
}
