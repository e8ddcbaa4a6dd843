package thread

import (
	"math/rand/v2"
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// thread is the sampling state of one thread of the truth.
type thread struct {
	begun     bool          // it has had an event
	wall, cpu time.Duration // of its last event
	base      time.Duration // its CPU time at its first event
	frames    trace.Stack[struct{}]
	waits     bool // its innermost method waits, or it has none

	recorder.Delay
	tick          time.Duration // first tick of its core
	due           time.Duration // the timer's reading at its next expiration
	unknown       time.Duration // part of the cost that the timer has not counted yet
	pendingSample bool          // a sample is due at its next yield point
	last          moment        // its last sample

	// With Hooks: when it was last sampled, and whether that was at the end of a blocking call.
	looked   time.Duration
	blocking bool
	entered  bool // its last event was an enter
	opened   int  // frames from before the truth that have been entered

	kept    int64            // samples not lost
	memory  []trace.MethodID // stack of the last of them
	changed bool             // the stack has changed since then
	shown   int              // outermost frames of the stack that some sample has reported
	seen    []bool           // the same by frame, if samples can contain parts of stacks
	random  *rand.Rand       // nil until needed
}

// apply updates the stack of an event's thread.
func (t *Tracer) apply(th *thread, e *trace.Event) {
	th.SetState(t.truth, e, th.wall)
	if !t.unseen[e.Method] {
		th.frames.Apply(e, struct{}{})
		th.shown, th.changed = min(th.shown, th.frames.Depth()), true
		if t.cuts {
			th.seen = append(th.seen[:min(len(th.seen), th.frames.Depth())], make([]bool, max(0, th.frames.Depth()-len(th.seen)))...)
		}
	}
	if e.Action == trace.Enter {
		th.waits = t.waits[e.Method]
		return
	}
	innermost, any := th.frames.Innermost()
	th.waits = !any || t.waits[innermost]
}

// unyielding reports whether a thread runs in a method without yield points.
func (th *thread) unyielding(noYield []bool) bool {
	innermost, any := th.frames.Innermost()
	return any && noYield[innermost]
}

// threadSeed is the first seed of each thread's random numbers: "thread" in ASCII, and two bytes
// for its number.
const threadSeed = 0x746872656164 << 16

// rng returns a thread's random numbers.
func (c *Config) rng(th *thread, id trace.ThreadID) *rand.Rand {
	if th.random == nil {
		th.random = rand.New(rand.NewPCG(c.Seed, threadSeed+uint64(id)))
	}
	return th.random
}

// first returns the reading of a thread's timer at its first expiration.
func (c *Config) first(th *thread, id trace.ThreadID) time.Duration {
	switch {
	case c.RandomFirst:
		return 1 + time.Duration(c.rng(th, id).Uint64N(uint64(c.Interval)))
	case c.Phase > 0:
		return c.Phase
	}
	return c.Interval
}

// draw returns the cost of a sample with a number of frames.
func (c *Config) draw(th *thread, id trace.ThreadID, frames int) time.Duration {
	cost := c.Cost.Sample
	if c.Cost.SampleMax > c.Cost.Sample {
		cost = min(c.Cost.SampleMax, time.Duration(c.rng(th, id).ExpFloat64()*float64(c.Cost.Sample)))
	}
	return cost + c.Cost.PerFrame*time.Duration(frames)
}

// unsteady reports whether intervals differ in length.
func (c *Config) unsteady() bool {
	return c.Timer == ThreadTimer && c.Jitter > 0 || (c.Timer == WallTimer || c.Timer == SamplerThread) && c.Overshoot > 0
}

// deviation draws the deviation of an interval.
func (c *Config) deviation(random *rand.Rand) time.Duration {
	if c.Timer == ThreadTimer {
		return max(1-c.Interval, time.Duration(random.NormFloat64()*float64(c.Jitter)))
	}
	return time.Duration(random.ExpFloat64() * float64(c.Overshoot))
}

// queue is the state of a [Buffer].
type queue struct {
	Buffer
	now  time.Duration // latest arrival
	done time.Duration // when all queued samples are processed
}

// admit queues an arriving sample and reports whether there was room for it.
func (q *queue) admit(at time.Duration) bool {
	if q.Slots == 0 || q.Drain == 0 {
		return true
	}
	q.now = max(q.now, at)
	if q.done-q.now > q.Drain*time.Duration(q.Slots-1) {
		return false
	}
	q.done = max(q.done, q.now) + q.Drain
	return true
}
