package sampler

import (
	"fmt"
	"time"

	"artifice/art"
	"artifice/internal/recorder"

	"artifice/trace"
)

// Config says how a sampler treats the app.
type coreConfig struct {
	cost         Cost
	ticks        *ticker       // of which the first has been drawn
	first        time.Duration // which is due then
	together     bool          // all threads are late together
	waitsForGC   bool          // ticks wait for the end of a collection
	holdsThreads bool          // threads that end are walked on
	toElapsed    bool          // the truth lasts as long as it says, also if it was recorded
	absorbs      bool          // all waits of a recorded truth make up for what was lost before them
	byRule       bool          // those do that [recorder.RecordedWaits] says
}

// coreTicks says when the ticks of one sampler come.
type coreTicks struct {
	ahead *lookahead
	read  int // number of the next event that no thread has in its queue
	truth *trace.Recording
	cfg   coreConfig

	due      time.Duration   // when the next sleep ends, by the wall clock
	upcoming []coreTick      // the next one last: more than one where the pass has taken some back
	held     bool            // the next one waits for a collection that does not end
	quiet    int             // ticks since a thread did something
	endless  bool            // they are too many
	lates    []time.Duration // of all ticks that have been taken

	threads   []*coreThread
	next      []time.Duration // by thread, when it does something next by the wall clock, as far as is known
	list      art.ThreadList
	now       time.Duration // by the wall clock
	last      tickTime      // the last one
	lastWait  time.Duration // when a thread has begun to wait last
	runs      int           // threads that run
	running   int           // frames of the garbage collector
	late      time.Duration // of all threads, if they are late together
	ended     time.Duration // when the thread ended that ended last, or the last collection did
	handedOff map[int]time.Duration
	recorded  *recorder.RecordedWaits // nil: a truth that tells how waits end
	before    time.Duration           // app time of the last event read
	endKnown  bool                    // there are no more
}

// coreTick is a tick that comes, and by how much later than it is due.
type coreTick struct {
	tickTime
	Late time.Duration
}

// thread is a thread of the app.
type coreThread struct {
	queue    []numberedEvent
	stack    trace.Stack[struct{}]
	hidden   trace.Stack[int] // with how many reported frames are below
	app, cpu time.Duration    // of its last event
	late     time.Duration
	runTo    time.Duration // as in delays
	wait     recorder.WaitRule
	state    recorder.State
	living   bool
	over     bool // it has got to its end
	runs     bool
	collects bool // it has collected garbage
	awaits   bool // what it does next, it does when all threads have got there
}

// numberedEvent is an event with its number in the truth.
type numberedEvent struct {
	linkedEvent
	number int
}

// New returns the cores of one sampler of what is read ahead.
func newCoreTicks(a *lookahead, cfg coreConfig) *coreTicks {
	c := &coreTicks{ahead: a, truth: a.truth, cfg: cfg, due: cfg.first, lastWait: -1, handedOff: map[int]time.Duration{}}
	c.list.CountsFrames = cfg.cost.PerFrame > 0
	if a.truth.Info.Technique != trace.Truth {
		c.recorded = recorder.NewRecordedWaits(a.truth)
	}
	a.cores = append(a.cores, c)
	return c
}

// mostQuiet is how many ticks there may be while nothing happens: they come one by one.
const mostQuiet = 20_000_000

// synthetic reports whether the truth tells when threads start, end and wait.
func (c *coreTicks) synthetic() bool { return c.recorded == nil }

// Peek returns when the next tick comes, or is due if a collection holds it up that does not end: ok is false then.
func (c *coreTicks) Peek() (wall time.Duration, ok bool) {
	if len(c.upcoming) == 0 && !c.held {
		c.plan()
	}
	if n := len(c.upcoming); n > 0 {
		return c.upcoming[n-1].Wall, true
	}
	return c.due, false
}

// Take returns the next tick. One that a collection holds up comes at a time.
func (c *coreTicks) Take(held time.Duration) coreTick {
	if _, ok := c.Peek(); !ok {
		c.held = false
		c.come(held, 0)
	}
	n := len(c.upcoming) - 1
	tick := c.upcoming[n]
	c.upcoming, c.lates = c.upcoming[:n], append(c.lates, tick.Late)
	return tick
}

// plan finds out when the next tick comes.
func (c *coreTicks) plan() {
	if c.quiet++; c.quiet > mostQuiet {
		c.endless, c.held = true, true
		return
	}
	at := c.due
	c.run(at, neverStop)
	if most, none := c.cfg.ticks.DrawCoreWait(); none && c.runs > 0 && c.lastWait != at {
		at = c.run(at+most, (*coreTicks).waits)
	}
	late := at - c.due
	for c.running > 0 && c.cfg.waitsForGC {
		if at = c.run(never, (*coreTicks).collected); at == never {
			c.held = true
			return
		}
	}
	c.come(at, late)
}

// come has the next tick come at a time.
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

// never, waits and collected say when run stops: not, when a thread has begun to wait, when no garbage is collected.
func neverStop(*coreTicks, bool) bool          { return false }
func (c *coreTicks) waits(begun bool) bool     { return begun }
func (c *coreTicks) collected(begun bool) bool { return c.running == 0 }

// run lets the threads do what they do up to a time of the wall clock, and all that they do then, or until something
// has happened, and all else at that time. It returns when that is.
func (c *coreTicks) run(limit time.Duration, stop func(c *coreTicks, begun bool) bool) time.Duration {
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
		c.now, c.quiet = wall, 0
		th := c.threads[i]
		ran := th.runs
		c.step(i, wall)
		begun := ran && !th.runs
		if begun {
			c.lastWait = wall
		}
		if stop(c, begun) {
			c.run(wall, neverStop)
			return wall
		}
	}
}

// first returns the thread that does something next, and when; -1 and never: none.
func (c *coreTicks) first() (thread int, wall time.Duration) {
	thread, wall = -1, never
	for i, at := range c.next {
		th := c.threads[i]
		if th.awaits || at == never && th.living { // with what the others have done, or the truth says by now
			at = c.nextOf(i)
			c.next[i] = at
		}
		if at < wall {
			thread, wall = i, at
		}
	}
	return thread, wall
}

// readTo puts the events up to an app time into the queues of their threads. It reports whether there were none:
// no event comes before its app time by the wall clock.
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

// readMore puts another event into the queue of its thread, and reports whether there was one.
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

// queueOne puts the next event into the queue of its thread.
func (c *coreTicks) queueOne() {
	e := numberedEvent{*c.ahead.at(c.read), c.read}
	c.read++
	c.before = max(c.before, e.Wall)
	c.addThreads()
	if int(e.Thread) >= len(c.threads) || int(e.Method) >= len(c.truth.Symbols.Methods) {
		return // the pass says that there is no such thread, or method
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

// addThreads adds the threads that the symbols have got, and reports whether there are any.
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

// Untake gives back the tick that was taken last. It comes again.
func (c *coreTicks) Untake(tick tickTime) {
	last := len(c.lates) - 1
	c.upcoming, c.lates = append(c.upcoming, coreTick{tick, c.lates[last]}), c.lates[:last]
}

// Waited returns for how long so many ticks waited for a core.
func (c *coreTicks) Waited(ticks int64) (all time.Duration) {
	for _, late := range c.lates[:min(ticks, int64(len(c.lates)))] {
		all += late
	}
	return all
}

// Err returns the error of a truth in which nothing happens for too many ticks; nil: there is none.
func (c *coreTicks) Err() error {
	if c == nil || !c.endless {
		return nil
	}
	return fmt.Errorf("nothing happens for %d samples from about %s on: a device whose sampler waits for a core does not pass over so long a time", mostQuiet, c.now)
}

// Late returns by how much a thread is late by itself at the last tick that has been found.
func (c *coreTicks) Late(thread int) time.Duration { return c.threads[thread].late }
