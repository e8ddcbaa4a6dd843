package reference

import (
	"math/rand/v2"
	"time"

	"artifice/trace"
)

// Sampler describes a sampler.
type Sampler struct {
	Ticks func() time.Duration // returns the app times of the ticks in order

	PerTick, PerThread time.Duration // cost of a sample to the running threads
	Resume             time.Duration // further delay until they run again, while the sampling thread sleeps
	Step               time.Duration // of the clocks

	// OneClock makes a sample delay all threads, including waiting ones.
	OneClock bool

	// NoCore is the share of sleeps that end while no core is free, and NoCoreMost the maximum time
	// that the sampler then waits for one. Draw returns a number in [0, 1) for each sleep; below
	// NoCore, no core is free.
	NoCore     float64
	NoCoreMost time.Duration
	Draw       func() float64

	// Dumps allows samples during garbage collection.
	Dumps bool

	Site, Call bool // two frames are one call only if their site, or the call itself, is the same

	// End returns when frames ended that the tick at last found and the one at next does not; nil:
	// at next.
	End func(last, next time.Duration) time.Duration

	// Leaves makes each thread leave its frames at its last sample; otherwise they stay open.
	Leaves bool
}

// sampled is the state of a sampled thread.
type sampled struct {
	stack     []frame     // now
	last      trace.Event // of the app
	memory    []frame     // at the last sample
	stamp     time.Duration
	app       time.Duration // of the last tick
	cpu, zero time.Duration // its CPU clock at the last tick, and at the first
}

// Sample takes the samples: first it runs each thread through the stops, by itself; then it samples
// the threads at each stop, until the last thread ends.
func (t *Truth) Sample(c *Sampler) *Record {
	threads := time.Duration(len(t.Symbols.Threads))
	walk := c.PerTick + c.PerThread*(threads+1) // the sampling thread, attached last, has no frames but is walked
	s := &stops{next: c.Ticks, lasts: walk + c.Resume}
	r := &Record{Tails: make([]Tail, threads)}
	if c.NoCore > 0 {
		t.waitForCores(s, c)
	}
	lives := t.lives(s, c.OneClock, !c.Dumps)
	end := t.Length
	for _, l := range lives {
		end = max(end, l.end)
	}
	r.Delay, r.Ticks, r.Stop = end-t.Length, s.from(end+1), s.when(s.from(end+1)) // including the end of the sleep
	if r.Ticks > 0 {
		r.LongestPause = s.lasts
	}
	if r.Ticks > 1 {
		r.Period = (s.when(r.Ticks-1) - s.when(0)) / time.Duration(r.Ticks-1)
	}
	r.overhead.known, r.stops = !c.OneClock, true
	for id, l := range lives {
		r.overhead.add(l.overhead)
		r.watch(t, c, s, trace.ThreadID(id), l)
	}
	if s.lasts == 0 { // frames count only where threads are delayed
		r.overhead = overhead{known: true, ran: 1, runs: 1, waited: 1, waits: 1}
	}
	return r
}

// watch takes all samples of one thread.
func (r *Record) watch(t *Truth, c *Sampler, s *stops, id trace.ThreadID, l *life) {
	th, had, seen := &sampled{}, 0, map[int]bool{}
	for k := 0; k <= r.Ticks; k++ {
		for ; had < len(l.events) && l.wall[had] <= s.when(k); had++ {
			th.stack, th.last = apply(th.stack, &l.events[had], had), l.events[had]
		}
		at := l.app(s, k, had, t.Length)
		if k == r.Ticks { // the tick after the last
			at = t.Length + max(0, s.when(k)-l.end)
		}
		stamp := cut(s.when(k)+c.PerTick+c.PerThread*time.Duration(id+1), c.Step)
		r.look(t, c, id, th, stamp, at, k)
		if k == r.Ticks {
			break
		}
		for _, f := range th.stack {
			seen[f.call] = true
		}
	}
	r.CallsSeen += len(seen)
}

// look processes the k-th tick of a thread that has reached an app time.
func (r *Record) look(t *Truth, c *Sampler, id trace.ThreadID, th *sampled, stamp, at time.Duration, k int) {
	cpu := cut(t.cpuAt(th, at), c.Step)
	if k == 0 {
		th.zero = cpu
		r.Tails[id] = Tail{Begin: stamp}
	}
	if k == r.Ticks {
		r.Tails[id].End, r.Tails[id].EndCPU = stamp, cpu-th.zero
		for i := len(th.memory) - 1; c.Leaves && i >= 0; i-- {
			r.Events = append(r.Events, Event{trace.Event{Wall: th.stamp, CPU: th.cpu - th.zero, Thread: id, Method: th.memory[i].method, Action: trace.Exit}, th.app})
		}
		return
	}
	if len(th.stack) > 0 {
		r.Samples++
	}
	e := Event{trace.Event{Wall: stamp, CPU: cpu - th.zero, Thread: id}, at}
	r.compare(c, th, e, Event{trace.Event{Wall: th.stamp, CPU: th.cpu - th.zero}, th.app})
	th.stamp, th.cpu, th.app = stamp, cpu, at
}

// compare writes the events that lead from the stack at the previous tick to the current one.
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

// cpuAt returns the CPU time that a thread has used by an app time. Since its last event it runs,
// unless its innermost method waits or it has none.
func (t *Truth) cpuAt(th *sampled, at time.Duration) time.Duration {
	if n := len(th.stack); n == 0 || t.Symbols.Methods[th.stack[n-1].method].Wait != trace.Running {
		return th.last.CPU
	}
	return th.last.CPU + at - th.last.Wall
}

// SleepTicks returns the ticks of a loop that sleeps and samples: from phase on, or from the end of
// the first sleep if phase is 0. Sleeps are longer by an overshoot from a normal distribution, but
// never shorter. Each tick but the first delays the app by resume. Samplers with the same seed draw
// the same numbers.
func SleepTicks(phase, interval, overshoot, spread, resume time.Duration, seed uint64) func() time.Duration {
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
	return ticks(phase, func() time.Duration { return sleep() - resume })
}

// PoissonTicks returns ticks at exponentially distributed distances.
func PoissonTicks(interval time.Duration, seed uint64) func() time.Duration {
	random := source(seed)
	gap := func() time.Duration { return max(1, time.Duration(random.ExpFloat64()*float64(interval))) }
	return ticks(gap(), gap)
}

// CoreDraws returns the random numbers that decide whether a core is free. The second seed is
// "cores" in ASCII.
func CoreDraws(seed uint64) func() float64 { return rand.New(rand.NewPCG(seed, 0x636f726573)).Float64 }

// source returns the random source of samplers. The second seed is "sampler" in ASCII.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x73616d706c6572)) }

func ticks(at time.Duration, gap func() time.Duration) func() time.Duration {
	begun := false
	return func() time.Duration {
		if begun {
			at += gap()
		}
		begun = true
		return at
	}
}
