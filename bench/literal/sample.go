package literal

import (
	"math/rand/v2"
	"time"

	"artifice/trace"
)

// Sampler says how to sample.
type Sampler struct {
	Ticks []time.Duration // app times, the last one behind the end of the truth

	PerTick, PerThread time.Duration // what a sample takes from the app
	Resume             time.Duration // and what it takes until the app runs again, while the sampling thread sleeps
	Step               time.Duration // of the clocks

	Site, Call bool // frames are one call only if their site, or the call itself, is the same

	// End is when frames ended that the tick at next does not find and the one at last
	// did; nil: at next.
	End func(last, next time.Duration) time.Duration

	// Leaves says that in the end each thread leaves its frames where the last sample
	// saw them; otherwise they stay open.
	Leaves bool
}

// sampled is what a sampler knows of a thread.
type sampled struct {
	stack     []frame     // now
	last      trace.Event // of the app
	memory    []frame     // as seen last
	stamp     time.Duration
	cpu, zero time.Duration // its CPU clock at the last tick, and at the first
}

// Sample takes the samples.
func (t *Truth) Sample(c *Sampler) *Record {
	r := &Record{Tails: make([]Tail, len(t.Symbols.Threads))}
	threads := make([]sampled, len(t.Symbols.Threads))
	calls, seen := 0, map[int]bool{}
	var before time.Duration
	events := t.Events
	for _, at := range c.Ticks {
		for ; len(events) > 0 && events[0].Wall <= at; events = events[1:] {
			th := &threads[events[0].Thread]
			if events[0].Action == trace.Enter {
				calls++
			}
			th.stack, th.last = apply(th.stack, &events[0], calls), events[0]
		}
		begin, walk := at+r.Delay, c.PerTick
		for id := range threads {
			walk += c.PerThread
			r.look(t, c, trace.ThreadID(id), &threads[id], begin+walk, at, before)
			if at > t.Length {
				continue
			}
			for _, f := range threads[id].stack {
				seen[f.call] = true
			}
		}
		before = at
		if at > t.Length {
			break
		}
		walk += c.PerThread // the sampling thread, attached last, has no frames and is walked too
		walk += c.Resume
		r.Ticks++
		r.Delay += walk
		r.LongestPause = max(r.LongestPause, walk)
		if r.Ticks > 1 {
			r.Period = (begin - c.Ticks[0]) / time.Duration(r.Ticks-1)
		}
	}
	r.CallsSeen = len(seen)
	r.Stop = before + r.Delay // with the end of the sleep
	return r
}

// look is what one tick makes of one thread, whose walk is done at the wall time now.
func (r *Record) look(t *Truth, c *Sampler, id trace.ThreadID, th *sampled, now, at, before time.Duration) {
	stamp, cpu := cut(now, c.Step), cut(t.cpuAt(th, at), c.Step)
	if at == c.Ticks[0] {
		th.zero = cpu
		r.Tails[id] = Tail{Begin: stamp}
	}
	if at > t.Length { // the tick that never comes
		r.Tails[id].End, r.Tails[id].EndCPU = stamp, cpu-th.zero
		for i := len(th.memory) - 1; c.Leaves && i >= 0; i-- {
			r.Events = append(r.Events, Event{trace.Event{Wall: th.stamp, CPU: th.cpu - th.zero, Thread: id, Method: th.memory[i].method, Action: trace.Exit}, before})
		}
		return
	}
	if len(th.stack) > 0 {
		r.Samples++
	}
	e := Event{trace.Event{Wall: stamp, CPU: cpu - th.zero, Thread: id}, at}
	r.compare(c, th, e, Event{trace.Event{Wall: th.stamp, CPU: th.cpu - th.zero}, before})
	th.stamp, th.cpu = stamp, cpu
}

// compare writes the events that lead from the stack that was seen in the tick before
// to the one that is seen now.
func (r *Record) compare(c *Sampler, th *sampled, now, before Event) {
	same := 0
	for same < len(th.memory) && same < len(th.stack) {
		a, b := th.memory[same], th.stack[same]
		if a.method != b.method || c.Site && a.site != b.site || c.Call && a.call != b.call {
			break
		}
		same++
	}
	exit := now
	exit.Action = trace.Exit
	if c.End != nil {
		exit.Wall, exit.CPU, exit.App = c.End(before.Wall, now.Wall), c.End(before.CPU, now.CPU), c.End(before.App, now.App)
	}
	for i := len(th.memory) - 1; i >= same; i-- {
		exit.Method = th.memory[i].method
		r.Events = append(r.Events, exit)
	}
	for _, f := range th.stack[same:] {
		now.Method = f.method
		r.Events = append(r.Events, now)
	}
	th.memory = append(th.memory[:0], th.stack...)
}

// cpuAt is the CPU time that a thread has used by an app time: since its last event it
// runs, unless its innermost method waits or it has none.
func (t *Truth) cpuAt(th *sampled, at time.Duration) time.Duration {
	if n := len(th.stack); n == 0 || t.Symbols.Methods[th.stack[n-1].method].Wait != trace.Running {
		return th.last.CPU
	}
	return th.last.CPU + at - th.last.Wall
}

// SleepTicks are the ticks of a loop that sleeps and samples: from the phase on, or
// from the end of the first sleep when that is 0. Sleeps are too long by an overshoot
// from a normal distribution, but never too short. Of each but the first the app loses
// resume. Samplers of one seed draw the same.
func SleepTicks(length, phase, interval, overshoot, spread, resume time.Duration, seed uint64) []time.Duration {
	random := source(seed)
	sleep := func() time.Duration {
		if spread == 0 {
			return interval + overshoot
		}
		return interval + max(0, overshoot+time.Duration(random.NormFloat64()*float64(spread)))
	}
	if phase == 0 {
		phase = sleep()
	}
	return ticks(length, phase, func() time.Duration { return sleep() - resume })
}

// PoissonTicks are ticks at exponential distances.
func PoissonTicks(length, interval time.Duration, seed uint64) []time.Duration {
	random := source(seed)
	return ticks(length, 0, func() time.Duration { return max(1, time.Duration(random.ExpFloat64()*float64(interval))) })
}

// source is where samplers draw from: the second number is "sampler" in ASCII.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x73616d706c6572)) }

func ticks(length, at time.Duration, gap func() time.Duration) (list []time.Duration) {
	if at == 0 {
		at = gap()
	}
	for ; at <= length; at += gap() {
		list = append(list, at)
	}
	return append(list, at)
}
