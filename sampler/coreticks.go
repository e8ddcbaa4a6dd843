package sampler

import (
	"fmt"
	"time"

	"artifice/art"
	"artifice/internal/recorder"

	"artifice/trace"
)

// Config says how a sampler treats the app.
type CoresConfig struct {
	Cost         Cost
	Ticks        *Times        // of which the first has been drawn
	First        time.Duration // which is due then
	Together     bool          // all threads are late together
	WaitsForGC   bool          // ticks wait for the end of a collection
	HoldsThreads bool          // threads that end are walked on
	ToElapsed    bool          // the truth lasts as long as it says, also if it was recorded
	Absorbs      bool          // all waits of a recorded truth make up for what was lost before them
	Ruled        bool          // those do that [recorder.RecordedWaits] says
}

// Cores says when the ticks of one sampler come.
type Cores struct {
	ahead *Ahead
	read  int // number of the next event that no thread has in its queue
	truth *trace.Recording
	cfg   CoresConfig

	due      time.Duration   // when the next sleep ends, by the wall clock
	upcoming []Tick          // the next one last: more than one where the pass has taken some back
	held     bool            // the next one waits for a collection that does not end
	quiet    int             // ticks since a thread did something
	endless  bool            // they are too many
	lates    []time.Duration // of all ticks that have been taken

	threads  []*coresThread
	next     []time.Duration // by thread, when it does something next by the wall clock, as far as is known
	list     art.ThreadList
	now      time.Duration // by the wall clock
	last     TicksTick     // the last one
	lastWait time.Duration // when a thread has begun to wait last
	runs     int           // threads that run
	running  int           // frames of the garbage collector
	late     time.Duration // of all threads, if they are late together
	ended    time.Duration // when the thread ended that ended last, or the last collection did
	given    map[int]time.Duration
	recorded *recorder.RecordedWaits // nil: a truth that tells how waits end
	before   time.Duration           // app time of the last event read
	endKnown bool                    // there are no more
}

// Tick is a tick that comes, and by how much later than it is due.
type Tick struct {
	TicksTick
	Late time.Duration
}

// thread is a thread of the app.
type coresThread struct {
	queue    []event
	stack    trace.Stack[struct{}]
	hidden   trace.Stack[int] // with how many reported frames are below
	app, cpu time.Duration    // of its last event
	late     time.Duration
	runTo    time.Duration // as in delays
	wait     recorder.LatenessWait
	does     recorder.Doing
	living   bool
	over     bool // it has got to its end
	runs     bool
	collects bool // it has collected garbage
	awaits   bool // what it does next, it does when all threads have got there
}

// event is an event with its number in the truth.
type event struct {
	linked
	number int
}

// New returns the cores of one sampler of what is read ahead.
func CoresNew(a *Ahead, cfg CoresConfig) *Cores {
	c := &Cores{ahead: a, truth: a.truth, cfg: cfg, due: cfg.First, lastWait: -1, given: map[int]time.Duration{}}
	c.list.CountsFrames = cfg.Cost.PerFrame > 0
	if a.truth.Info.Technique != trace.Truth {
		c.recorded = recorder.NewRecordedWaits(a.truth)
	}
	a.cores = append(a.cores, c)
	return c
}

// mostQuiet is how many ticks there may be while nothing happens: they come one by one.
const mostQuiet = 20_000_000

// synthetic reports whether the truth tells when threads start, end and wait.
func (c *Cores) synthetic() bool { return c.recorded == nil }

// Peek returns when the next tick comes, or is due if a collection holds it up that does not end: ok is false then.
func (c *Cores) Peek() (wall time.Duration, ok bool) {
	if len(c.upcoming) == 0 && !c.held {
		c.plan()
	}
	if n := len(c.upcoming); n > 0 {
		return c.upcoming[n-1].Wall, true
	}
	return c.due, false
}

// Take returns the next tick. One that a collection holds up comes at a time.
func (c *Cores) Take(held time.Duration) Tick {
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
func (c *Cores) plan() {
	if c.quiet++; c.quiet > mostQuiet {
		c.endless, c.held = true, true
		return
	}
	at := c.due
	c.run(at, never)
	if most, none := c.cfg.Ticks.NoCore(); none && c.runs > 0 && c.lastWait != at {
		at = c.run(at+most, (*Cores).waits)
	}
	late := at - c.due
	for c.running > 0 && c.cfg.WaitsForGC {
		if at = c.run(Never, (*Cores).collected); at == Never {
			c.held = true
			return
		}
	}
	c.come(at, late)
}

// come has the next tick come at a time.
func (c *Cores) come(at, late time.Duration) {
	tick := TicksTick{Wall: at, PerTick: c.cfg.Ticks.PerTick()}
	tick.Pause = tick.PerTick + c.cfg.Cost.Stop(c.list.Threads(), c.list.Frames)
	c.due = tick.Wall + tick.Pause + c.cfg.Ticks.Gap()
	c.upcoming = append(c.upcoming, Tick{tick, late})
	c.now, c.last = at, tick
	if c.cfg.Together {
		c.late += tick.Pause
	}
	for i := range c.threads {
		th := c.threads[i]
		if th.runs && th.does.LosesToPause() && !c.cfg.Together {
			th.late += tick.Pause
		}
		c.next[i] = c.nextOf(i)
	}
}

// never, waits and collected say when run stops: not, when a thread has begun to wait, when no garbage is collected.
func never(*Cores, bool) bool              { return false }
func (c *Cores) waits(begun bool) bool     { return begun }
func (c *Cores) collected(begun bool) bool { return c.running == 0 }

// run lets the threads do what they do up to a time of the wall clock, and all that they do then, or until something
// has happened, and all else at that time. It returns when that is.
func (c *Cores) run(limit time.Duration, stop func(c *Cores, begun bool) bool) time.Duration {
	for {
		i, wall := c.first()
		if !c.readTo(min(wall, limit)) {
			continue // maybe another thread comes first
		}
		if i < 0 && limit == Never && c.readMore() {
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
			c.run(wall, never)
			return wall
		}
	}
}

// first returns the thread that does something next, and when; -1 and Never: none.
func (c *Cores) first() (thread int, wall time.Duration) {
	thread, wall = -1, Never
	for i, at := range c.next {
		th := c.threads[i]
		if th.awaits || at == Never && th.living { // with what the others have done, or the truth says by now
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
func (c *Cores) readTo(app time.Duration) bool {
	none := !c.addThreads()
	for app < Never && c.ahead.has(c.read) && c.ahead.at(c.read).Wall <= app {
		c.queueOne()
		none = false
	}
	if c.over() && !c.endKnown {
		c.endKnown, none = true, false
	}
	return none
}

// readMore puts another event into the queue of its thread, and reports whether there was one.
func (c *Cores) readMore() bool {
	if !c.ahead.has(c.read) {
		return false
	}
	c.queueOne()
	return true
}

// over reports whether all events have been read.
func (c *Cores) over() bool {
	return c.ahead.err != nil && c.read == c.ahead.base+len(c.ahead.events)
}

// queueOne puts the next event into the queue of its thread.
func (c *Cores) queueOne() {
	e := event{*c.ahead.at(c.read), c.read}
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
func (c *Cores) addThreads() (any bool) {
	symbols := c.truth.Symbols
	for id := len(c.threads); id < len(symbols.Threads); id++ {
		any = true
		c.threads, c.next = append(c.threads, &coresThread{}), append(c.next, Never)
		c.list.Grow(id + 1)
		if !c.synthetic() {
			c.list.Add(id)
		}
		c.next[id] = c.nextOf(id)
	}
	return any
}

// Untake gives back the tick that was taken last. It comes again.
func (c *Cores) Untake(tick TicksTick) {
	last := len(c.lates) - 1
	c.upcoming, c.lates = append(c.upcoming, Tick{tick, c.lates[last]}), c.lates[:last]
}

// Waited returns for how long so many ticks waited for a core.
func (c *Cores) Waited(ticks int64) (all time.Duration) {
	for _, late := range c.lates[:min(ticks, int64(len(c.lates)))] {
		all += late
	}
	return all
}

// Err returns the error of a truth in which nothing happens for too many ticks; nil: there is none.
func (c *Cores) Err() error {
	if c == nil || !c.endless {
		return nil
	}
	return fmt.Errorf("nothing happens for %d samples from about %s on: a device whose sampler waits for a core does not pass over so long a time", mostQuiet, c.now)
}

// Late returns by how much a thread is late by itself at the last tick that has been found.
func (c *Cores) Late(thread int) time.Duration { return c.threads[thread].late }
