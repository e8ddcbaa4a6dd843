package sampler

import (
	"sort"
	"time"

	"artifice/internal/recorder"

	"artifice/trace"
)

// nextOf returns the wall time of a thread's next step: its start, an event, the beginning of a
// wait without an event, or its end. It returns never if the step is not known yet.
func (c *coreTicks) nextOf(i int) time.Duration {
	th := c.threads[i]
	th.awaits = false
	var e *numberedEvent
	if len(th.queue) > 0 {
		e = &th.queue[0]
	}
	switch {
	case th.over:
		return never
	case !th.living && !c.synthetic():
		if e == nil {
			return never
		}
		return c.notBefore(c.wake(e.Wall + c.late))
	case !th.living:
		return c.notBefore(c.wake(c.truth.Symbols.Threads[i].Start + c.late))
	}
	at := c.endOf(i)
	if e != nil {
		at = max(e.Wall, th.app)
	}
	switch {
	case at == never && (!th.runs || th.runTo == never):
		return never
	case th.runs && th.runTo < at:
		return c.notBefore(th.runTo + th.late + c.late)
	case c.cfg.together || e == nil || th.runs && th.state == recorder.Managed && !c.collects(&e.Event):
		return c.notBefore(at + th.late + c.late)
	}
	return c.notBefore(c.arrives(th, e, at))
}

// notBefore returns the later of a wall time and now.
func (c *coreTicks) notBefore(wall time.Duration) time.Duration { return max(wall, c.now) }

// wake returns the time at which a thread that is ready at a wall time resumes. During a pause this
// is the end of the pause. With one clock all threads already have that delay.
func (c *coreTicks) wake(wall time.Duration) time.Duration {
	if end := c.last.Wall + c.last.Pause; !c.cfg.together && c.last.Wall < wall && wall < end {
		return end
	}
	return wall
}

// arrives returns the wall time of the next event of a thread that waits, runs native code or is
// about to collect garbage.
func (c *coreTicks) arrives(th *coreThread, e *numberedEvent, at time.Duration) time.Duration {
	switch {
	case c.collects(&e.Event) || th.state == recorder.Waiting && (th.collects || c.collectsAt(th, at)):
		th.awaits = true
		if c.behind(e.number) {
			return never
		}
		return c.wake(c.reached(at))
	case th.wait.Absorbs():
		wall := th.wait.End(th.runTo, at, th.late)
		if e.handoff > 0 && !e.gives {
			given, ok := c.handedOff[e.handoff]
			if !ok {
				return never
			}
			wall = max(wall, given)
		}
		return c.wake(wall)
	}
	return c.wake(at + th.late)
}

// collects reports whether an event begins a method of the garbage collector.
func (c *coreTicks) collects(e *trace.Event) bool {
	return !c.cfg.together && e.Action == trace.Enter && c.truth.Symbols.Methods[e.Method].Flags&trace.Collector != 0
}

// collectsAt reports whether a thread's next events, at one instant, begin such a method.
func (c *coreTicks) collectsAt(th *coreThread, at time.Duration) bool {
	for k := range th.queue {
		if th.queue[k].Wall > at {
			break
		}
		if c.collects(&th.queue[k].Event) {
			return true
		}
	}
	return false
}

// behind reports whether an event with a lower number is still pending.
func (c *coreTicks) behind(number int) bool {
	for _, th := range c.threads {
		if len(th.queue) > 0 && th.queue[0].number < number {
			return true
		}
	}
	return false
}

// reached returns when the thread with the largest delay reaches an app time.
func (c *coreTicks) reached(app time.Duration) time.Duration {
	wall := max(app, c.ended)
	for i := range c.threads {
		if th := c.threads[i]; th.living {
			wall = max(wall, app+th.late)
		}
	}
	return wall
}

// endOf returns the app time right after the end of a thread, or of the truth.
func (c *coreTicks) endOf(i int) time.Duration {
	if end := c.truth.Symbols.Threads[i].End; end > 0 {
		return end + 1
	}
	if !c.over() {
		return never
	}
	return c.truth.Stop(c.before) + 1
}

// step executes the next step of a thread, at a wall time.
func (c *coreTicks) step(i int, wall time.Duration) {
	th := c.threads[i]
	at := c.endOf(i)
	if len(th.queue) > 0 {
		at = max(th.queue[0].Wall, th.app)
	}
	switch {
	case !th.living:
		c.start(i, wall)
	case th.runs && th.runTo < at:
		c.setRuns(th, false)
	case len(th.queue) == 0:
		c.end(i, wall)
	default:
		c.happens(i, wall)
	}
	c.next[i] = c.nextOf(i)
}

func (c *coreTicks) setRuns(th *coreThread, runs bool) {
	if th.runs != runs {
		th.runs = runs
		if runs {
			c.runs++
		} else {
			c.runs--
		}
	}
}

// start starts a thread, without a delay.
func (c *coreTicks) start(i int, wall time.Duration) {
	th := c.threads[i]
	th.living = true
	var number int
	if c.synthetic() {
		th.app = c.truth.Symbols.Threads[i].Start
		number = c.windowAt(th.app) * windowSize
		c.list.Add(i)
	} else {
		th.app, number = th.queue[0].Wall, th.queue[0].number
	}
	th.late = c.lateAt(wall, th.app)
	c.setState(th, number, false)
}

// lateAt returns the thread's own delay when it reaches an app time at a wall time.
func (c *coreTicks) lateAt(wall, app time.Duration) time.Duration {
	if c.cfg.together {
		return 0
	}
	return wall - app
}

// end ends a thread. A thread that lives to the end of the truth is still walked there.
func (c *coreTicks) end(i int, wall time.Duration) {
	th := c.threads[i]
	th.over = true
	c.setRuns(th, false)
	if c.truth.Symbols.Threads[i].End == 0 {
		return
	}
	c.ended = max(c.ended, wall-1)
	c.list.Set(i, 0) // frames
	if c.cfg.holdsThreads {
		return
	}
	th.living = false
	if c.synthetic() {
		c.list.Remove(i)
	}
}

// happens executes the next event of a thread.
func (c *coreTicks) happens(i int, wall time.Duration) {
	th := c.threads[i]
	e := th.queue[0]
	if th.queue = th.queue[1:]; len(th.queue) == 0 {
		th.queue = nil
	}
	th.app, th.cpu = max(th.app, e.Wall), max(th.cpu, e.CPU)
	th.late = c.lateAt(wall, th.app)
	th.collects = th.collects || c.collects(&e.Event)
	c.apply(th, &e.Event)
	if c.list.CountsFrames {
		c.list.Set(i, th.stack.Depth())
	}
	if e.handoff > 0 && e.gives {
		c.handOff(e.handoff, wall)
	}
	c.setState(th, e.number, true)
}

// handOff records a handoff and updates the threads that wait for it.
func (c *coreTicks) handOff(handoff int, wall time.Duration) {
	c.handedOff[handoff] = wall
	for k := range c.threads {
		if th := c.threads[k]; len(th.queue) > 0 && th.queue[0].handoff == handoff && !th.queue[0].gives {
			c.next[k] = c.nextOf(k)
		}
	}
}

// apply updates a stack and the number of the collector's frames.
func (c *coreTicks) apply(th *coreThread, e *trace.Event) {
	methods := c.truth.Symbols.Methods
	var closed trace.MethodID
	var effect trace.Effect
	if methods[e.Method].Flags&trace.RuntimeInternal != 0 {
		var frame trace.Frame[int]
		frame, effect = th.hidden.Apply(e, th.stack.Depth())
		closed = frame.Method
	} else {
		var frame trace.Frame[struct{}]
		frame, effect = th.stack.Apply(e, struct{}{})
		closed = frame.Method
	}
	switch {
	case effect == trace.Pushed && methods[e.Method].Flags&trace.Collector != 0:
		c.running++
	case effect.Closes() && methods[closed].Flags&trace.Collector != 0:
		c.running--
	}
}

// innermost returns the running method, reported or not.
func (th *coreThread) innermost() (m trace.MethodID, ok bool) {
	if n := th.hidden.Depth(); n > 0 && th.hidden.Values()[n-1] >= th.stack.Depth() {
		return th.hidden.Innermost()
	}
	return th.stack.Innermost()
}

// setState sets the state of a thread after the event with a number, or after its start before that
// event; see pass.setState.
func (c *coreTicks) setState(th *coreThread, number int, begun bool) {
	th.runTo, th.wait, th.state = never, recorder.WaitRule{}, recorder.Managed
	m, ok := th.innermost()
	switch {
	case !c.synthetic():
		c.setRecordedState(th, number, begun, m, ok)
	case !ok:
		if next := c.near(th, number); next == nil || next.CPU <= th.cpu {
			th.runTo, th.state = th.app, recorder.Waiting
		}
	default:
		if th.state, th.wait = recorder.StateOf(&c.truth.Symbols.Methods[m]); th.state == recorder.Waiting {
			th.runTo = th.app
		}
	}
	if th.collects && th.state == recorder.Waiting {
		c.ended = max(c.ended, th.app+th.late)
		th.late = 0
	}
	c.setRuns(th, th.state != recorder.Waiting && th.runTo > th.app)
}

// setRecordedState is setState for a recorded truth.
func (c *coreTicks) setRecordedState(th *coreThread, number int, begun bool, m trace.MethodID, ok bool) {
	if !begun { // it has its first event immediately
		th.runTo = th.app
		return
	}
	next := c.near(th, number)
	switch {
	case c.truth.Info.Clock.HasCPU():
		limit := th.cpu
		if next != nil {
			limit = next.CPU
		}
		th.runTo = th.app + max(0, limit-th.cpu)
	case !ok || c.truth.Symbols.Methods[m].Waits():
		th.runTo = th.app
	}
	if th.runTo == never || next == nil || next.Wall < th.runTo+recorder.MinWait {
		return
	}
	switch {
	case c.cfg.absorbs:
		th.wait = recorder.WaitRule{Period: 1, AtOnce: true}
	case c.cfg.byRule:
		th.wait = c.recorded.Classify(recorder.WakeEvent{Thread: next.Thread, Method: next.Method, Action: next.Action}, th.runTo, next.Wall)
	}
}

// windowAt returns the number of the window that contains the first event after an app time, up to
// which all events have been read. Events beyond it may have been read too, by near.
func (c *coreTicks) windowAt(app time.Duration) int {
	return sort.Search(len(c.windowEnds), func(i int) bool { return c.windowEnds[i] > app })
}

// near returns the next event of a thread after a number, if the pass has read it by then: it is in
// the same window or the next one.
func (c *coreTicks) near(th *coreThread, number int) *numberedEvent {
	window := number/windowSize + 2
	for c.read < window*windowSize && c.readMore() {
	}
	if len(th.queue) == 0 || th.queue[0].number >= window*windowSize {
		return nil
	}
	return &th.queue[0]
}
