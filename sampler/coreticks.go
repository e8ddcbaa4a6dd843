package sampler

import (
	"fmt"
	"time"

	"artifice/art"
	"artifice/internal/recorder"

	"artifice/trace"
)

// coreConfig configures coreTicks.
type coreConfig struct {
	cost         Cost
	ticks        *ticker       // its first tick has been drawn
	first        time.Duration // when the first tick is due
	together     bool          // all threads have the same delay ([Config.OneClock])
	waitsForGC   bool          // ticks wait for the end of a collection
	holdsThreads bool          // ended threads are still walked ([art.Runtime].HoldsThreads)
	absorbs      bool          // WaitsAbsorb
	byRule       bool          // WaitsByRule
}

// coreTicks computes the ticks of a sampler with a sampling thread that may have to wait for a core
// ([Cost.NoCore]): the tick then comes when, at its due time or later, a thread of the app begins
// to wait or ends.
//
// Each thread has its own delay. If a thread has a delay of a second, a pass in the truth's order
// would have to replay a whole second of other threads' events before the thread's next tick.
// Therefore coreTicks runs ahead of the pass: it follows the threads in the order of wall time, by
// the pass's rules but without samples, and provides the ticks. The lookahead keeps the events in
// memory; the largest delay determines their number.
type coreTicks struct {
	ahead *lookahead
	read  int // number of the next event that is in no thread's queue

	// windowEnds are the app times of the last events of the windows that have been read.
	windowEnds []time.Duration
	truth      *trace.Recording
	cfg        coreConfig

	due       time.Duration   // when the next sleep ends, by the wall clock
	upcoming  []coreTick      // the next tick last; more than one after untake
	held      bool            // the next tick waits for a collection that does not end
	idleTicks int             // ticks since a thread did something
	endless   bool            // idleTicks exceeds maxIdleTicks
	lates     []time.Duration // wait for a core of each tick taken

	threads   []*coreThread
	next      []time.Duration // by thread, wall time of its next step, if known
	list      art.ThreadList
	now       time.Duration // by the wall clock
	last      tickTime      // the last tick
	lastWait  time.Duration // when a thread last began to wait
	runs      int           // running threads
	running   int           // frames of the garbage collector
	late      time.Duration // delay of all threads, with together
	ended     time.Duration // when the last thread or collection so far ended
	handedOff map[int]time.Duration
	recorded  *recorder.RecordedWaits // nil: the truth states how waits end
	before    time.Duration           // app time of the last event read
	endKnown  bool                    // all events have been read
}

// coreTick is a tick and the time that it waited for a core.
type coreTick struct {
	tickTime
	late time.Duration
}

// coreThread is a thread of the app.
type coreThread struct {
	queue    []numberedEvent
	stack    trace.Stack[struct{}]
	hidden   trace.Stack[int] // each with the number of reported frames below it
	app, cpu time.Duration    // of its last event
	late     time.Duration
	runTo    time.Duration // as in delays
	wait     recorder.WaitRule
	state    recorder.State
	living   bool
	over     bool // it has reached its end
	runs     bool
	collects bool // it has collected garbage
	awaits   bool // its next step waits until all threads have reached its time
}

// numberedEvent is an event with its number in the truth.
type numberedEvent struct {
	linkedEvent
	number int
}

// newCoreTicks returns the ticks of one sampler of a truth that is read ahead.
func newCoreTicks(a *lookahead, cfg coreConfig) *coreTicks {
	c := &coreTicks{ahead: a, truth: a.truth, cfg: cfg, due: cfg.first, lastWait: -1, handedOff: map[int]time.Duration{}}
	c.list.CountsFrames = cfg.cost.PerFrame > 0
	if a.truth.Info.Technique != trace.Truth {
		c.recorded = recorder.NewRecordedWaits(a.truth)
	}
	a.cores = append(a.cores, c)
	return c
}

// maxIdleTicks is the maximum number of ticks without an event: they are computed one by one.
const maxIdleTicks = 20_000_000

// synthetic reports whether the truth states when threads start, end and wait.
func (c *coreTicks) synthetic() bool { return c.recorded == nil }

// peek returns the wall time of the next tick. If the tick waits for a collection that does not
// end, ok is false and the time is when the tick is due.
func (c *coreTicks) peek() (wall time.Duration, ok bool) {
	if len(c.upcoming) == 0 && !c.held {
		c.plan()
	}
	if n := len(c.upcoming); n > 0 {
		return c.upcoming[n-1].Wall, true
	}
	return c.due, false
}

// take returns the next tick. A tick that waits for a collection comes at held.
func (c *coreTicks) take(held time.Duration) coreTick {
	if _, ok := c.peek(); !ok {
		c.held = false
		c.come(held, 0)
	}
	n := len(c.upcoming) - 1
	tick := c.upcoming[n]
	c.upcoming, c.lates = c.upcoming[:n], append(c.lates, tick.late)
	return tick
}

// plan computes the next tick.
func (c *coreTicks) plan() {
	if c.idleTicks++; c.idleTicks > maxIdleTicks {
		c.endless, c.held = true, true
		return
	}
	at := c.due
	c.run(at, toLimit)
	if most, none := c.cfg.ticks.DrawCoreWait(); none && c.runs > 0 && c.lastWait != at {
		at = c.run(at+most, toWait)
	}
	late := at - c.due
	for c.running > 0 && c.cfg.waitsForGC {
		if at = c.run(never, toCollectionEnd); at == never {
			c.held = true
			return
		}
	}
	c.come(at, late)
}

// come adds the next tick, at a wall time.
func (c *coreTicks) come(at, late time.Duration) {
	tick := tickTime{Wall: at, PerTick: c.cfg.ticks.PerTick()}
	tick.Pause = tick.PerTick + c.cfg.cost.Stop(c.list.Threads(), c.list.Frames)
	c.due = tick.Wall + tick.Pause + c.cfg.ticks.Gap()
	c.upcoming = append(c.upcoming, coreTick{tick, late})
	c.now, c.last = at, tick
	if c.cfg.together {
		c.late += tick.Pause
	}
	for i := range c.threads {
		th := c.threads[i]
		if th.runs && th.state.LosesToPause() && !c.cfg.together {
			th.late += tick.Pause
		}
		c.next[i] = c.nextOf(i)
	}
}

// until selects where coreTicks.run stops before its limit.
type until uint8

const (
	toLimit         until = iota // nowhere
	toWait                       // at the start of a wait
	toCollectionEnd              // when no garbage collection runs
)

// run runs the threads up to a wall time, that time included, or to the end of the first instant at
// which the condition holds. It returns the time reached.
func (c *coreTicks) run(limit time.Duration, to until) time.Duration {
	for {
		i, wall := c.first()
		if !c.readTo(min(wall, limit)) {
			continue // maybe another thread comes first
		}
		if i < 0 && limit == never && c.readMore() {
			continue
		}
		if i < 0 || wall > limit {
			return limit
		}
		c.now, c.idleTicks = wall, 0
		th := c.threads[i]
		ran := th.runs
		c.step(i, wall)
		begun := ran && !th.runs
		if begun {
			c.lastWait = wall
		}
		if to == toWait && begun || to == toCollectionEnd && c.running == 0 {
			c.run(wall, toLimit)
			return wall
		}
	}
}

// first returns the thread with the next step, and its wall time; -1 and never if there is none.
func (c *coreTicks) first() (thread int, wall time.Duration) {
	thread, wall = -1, never
	for i, at := range c.next {
		th := c.threads[i]
		if th.awaits || at == never && th.living { // the other threads or the lookahead may have determined it
			at = c.nextOf(i)
			c.next[i] = at
		}
		if at < wall {
			thread, wall = i, at
		}
	}
	return thread, wall
}

// readTo queues the events up to an app time in their threads, and reports whether there were none.
// The wall time of an event is never before its app time.
func (c *coreTicks) readTo(app time.Duration) bool {
	none := !c.addThreads()
	for app < never && c.ahead.load(c.read) && c.ahead.at(c.read).Wall <= app {
		c.queueOne()
		none = false
	}
	if c.over() && !c.endKnown {
		c.endKnown, none = true, false
	}
	return none
}

// readMore queues the next event in its thread, and reports whether there was one.
func (c *coreTicks) readMore() bool {
	if !c.ahead.load(c.read) {
		return false
	}
	c.queueOne()
	return true
}

// over reports whether all events have been read.
func (c *coreTicks) over() bool {
	return c.ahead.err != nil && c.read == c.ahead.base+len(c.ahead.events)
}

// queueOne queues the next event, which is loaded, in its thread.
func (c *coreTicks) queueOne() {
	e := numberedEvent{*c.ahead.at(c.read), c.read}
	c.read++
	if c.read%windowSize == 0 {
		c.windowEnds = append(c.windowEnds, e.Wall)
	}
	c.before = max(c.before, e.Wall)
	c.addThreads()
	if int(e.Thread) >= len(c.threads) || int(e.Method) >= len(c.truth.Symbols.Methods) {
		return // the pass returns the error
	}
	th := c.threads[e.Thread]
	if c.recorded != nil {
		c.recorded.Learn([]trace.Event{e.Event})
	}
	th.queue = append(th.queue, e)
	if len(th.queue) == 1 {
		c.next[e.Thread] = c.nextOf(int(e.Thread))
	}
}

// addThreads adds the new threads of the symbols, and reports whether there are any.
func (c *coreTicks) addThreads() (any bool) {
	symbols := c.truth.Symbols
	for id := len(c.threads); id < len(symbols.Threads); id++ {
		any = true
		c.threads, c.next = append(c.threads, &coreThread{}), append(c.next, never)
		c.list.Grow(id + 1)
		if !c.synthetic() {
			c.list.Add(id)
		}
		c.next[id] = c.nextOf(id)
	}
	return any
}

// untake returns the last taken tick to the queue.
func (c *coreTicks) untake(tick tickTime) {
	last := len(c.lates) - 1
	c.upcoming, c.lates = append(c.upcoming, coreTick{tick, c.lates[last]}), c.lates[:last]
}

// waited returns the total time that the given number of ticks, from the first on, waited for a
// core.
func (c *coreTicks) waited(ticks int64) (all time.Duration) {
	for _, late := range c.lates[:min(ticks, int64(len(c.lates)))] {
		all += late
	}
	return all
}

// checkIdle returns an error if there were too many ticks without an event.
func (c *coreTicks) checkIdle() error {
	if c == nil || !c.endless {
		return nil
	}
	return fmt.Errorf("no event for %d samples from about %s on: a device whose sampler waits for a core (no-core) cannot sample an app that is idle for so long", maxIdleTicks, c.now)
}
