package reference

import (
	"math"
	"slices"
	"time"

	"artifice/trace"
)

// stops are the wall times at which a sampler stops the app, each for the same duration.
type stops struct {
	next  func() time.Duration // app time of each stop in turn, without the time of the stops
	app   []time.Duration      // the times returned by next
	at    []time.Duration
	lasts time.Duration
	holds []hold
	cores []time.Duration // time that each stop waits for a core; until all are known, later stops never come
	known bool            // all are known: later stops wait for none
}

// hold is the wall time of a collection: a stop that would begin in it begins at its end.
type hold struct{ from, to time.Duration }

// never is later than all times of a truth.
const never = time.Duration(math.MaxInt64 / 4)

// when returns when the k-th stop begins, counted from 0. The result is at least never if a
// collection delays the stop and does not end.
func (s *stops) when(k int) time.Duration {
	for len(s.at) <= k {
		n := len(s.at)
		if n == len(s.app) {
			s.app = append(s.app, s.next())
		}
		at := s.app[n]
		if n > 0 {
			at = s.at[n-1] + s.lasts + s.app[n] - s.app[n-1]
		}
		switch {
		case n < len(s.cores):
			at += s.cores[n]
		case s.cores != nil && !s.known:
			at = never
		}
		for _, h := range s.holds {
			if h.from <= at && at < h.to {
				at = h.to
			}
		}
		s.at = append(s.at, at)
	}
	return s.at[k]
}

// from returns the first stop that begins at wall or later.
func (s *stops) from(wall time.Duration) (k int) {
	for len(s.at) == 0 || s.at[len(s.at)-1] < wall {
		s.when(len(s.at))
	}
	k, _ = slices.BinarySearch(s.at, wall)
	return k
}

// run returns the end of work that begins at a wall time: the work is suspended in each stop that
// begins before its end.
func (s *stops) run(wall, work time.Duration) time.Duration {
	if work == 0 {
		return wall
	}
	for k := s.from(wall); s.when(k) < wall+work; k++ {
		work -= s.when(k) - wall
		wall = s.when(k) + s.lasts
	}
	return wall + work
}

// wake returns when a thread resumes that is due at a wall time: not within a stop.
func (s *stops) wake(wall time.Duration) time.Duration {
	if k := s.from(wall); k > 0 && wall < s.when(k-1)+s.lasts {
		return s.when(k-1) + s.lasts
	}
	return wall
}

// doing is what a thread does between two events. In the zero value it runs managed code.
type doing struct {
	wait   *trace.Method // method that it waits in or runs native code of; nil: it runs managed code
	native bool
	idle   bool // it waits in a thread that collects garbage, until the next collection
}

// life is the run of a thread that a sampler stops repeatedly.
type life struct {
	events   []trace.Event // of the thread, by the app's time
	number   []int         // of each, among all events
	wall     []time.Duration
	does     []doing // by event: activity of the thread from it to the next one
	runs     []bool  // by event: whether the thread runs from then on, whatever causes its delay
	begin    time.Duration
	end      time.Duration // of the truth, when the thread reaches it
	overhead overhead
}

// overhead contains how long threads run and wait, in the truth and when they are stopped, and
// which of their frames are delayed: a frame is a wait for a tick, which the thread can miss.
type overhead struct {
	known                    bool
	ran, runs, waited, waits time.Duration
	frames, late             int
	lateBy                   time.Duration
}

// spend adds a time of a thread, as in the truth and as delayed.
func (l *overhead) spend(what doing, inTruth, now time.Duration) {
	if what.wait == nil || what.native {
		l.ran, l.runs = l.ran+inTruth, l.runs+now
	} else {
		l.waited, l.waits = l.waited+inTruth, l.waits+now
	}
}

// frame adds a frame that the thread reaches at came and that was due at due.
func (l *overhead) frame(m *trace.Method, came, due time.Duration) {
	l.frames++
	if came > due || came == due && !m.AtOnce {
		l.late++
		l.lateBy += came - due
	}
}

// add adds the overhead of another thread.
func (l *overhead) add(o overhead) {
	l.ran, l.runs, l.waited, l.waits = l.ran+o.ran, l.runs+o.runs, l.waited+o.waited, l.waits+o.waits
	l.frames, l.late, l.lateBy = l.frames+o.frames, l.late+o.late, l.lateBy+o.lateBy
}

// live runs a thread through the stops. Work keeps its duration, excluding the stops. A wait
// continues during stops, and so does native code: for the same time or, if the method waits for
// the next tick of a clock, until that tick. A thread that reaches the wait too late for its tick
// waits for the next one, or continues at once. A thread that would wake within a stop wakes at its
// end. Some events, given by number, occur no earlier than a given time. With one clock, every
// activity is delayed as work is.
func (t *Truth) live(id trace.ThreadID, s *stops, oneClock bool, earliest map[int]time.Duration) *life {
	l := &life{begin: s.wake(0)}
	does := func(m *trace.Method, idle bool) doing {
		native := m.Wait == trace.Running && m.Flags&trace.Native != 0
		if oneClock || m.Wait == trace.Running && !native {
			return doing{}
		}
		return doing{m, native, idle && !native}
	}
	now, app, what := l.begin, time.Duration(0), does(&trace.Method{Wait: trace.Sleep}, false)
	var stack []frame
	collected, lost := false, time.Duration(0) // periods lost
	for number, e := range t.Events {
		if e.Thread != id {
			continue
		}
		if last := len(l.events) - 1; len(stack) == 0 && last >= 0 && e.CPU > l.events[last].CPU { // the CPU time shows that it runs
			what = doing{}
			l.does[last], l.runs[last] = what, true
		}
		done := s.pass(now, app, e.Wall, what)
		if what.wait != nil && what.wait.Period > 0 { // in the truth it began when the tick before came, or later
			l.overhead.frame(what.wait, now, e.Wall+lost)
			if !what.wait.AtOnce {
				lost = (max(now, e.Wall-1) - e.Wall + what.wait.Period) / what.wait.Period * what.wait.Period
			}
		}
		l.overhead.spend(what, e.Wall-app, done-now)
		now = max(done, earliest[number])
		l.overhead.waits += now - done // for the app, not for the thread
		app, collected = e.Wall, collected || t.collects(&e)
		stack = apply(stack, &e, 0)
		method := &trace.Method{Wait: trace.Sleep}
		if n := len(stack); n > 0 {
			method = &t.Symbols.Methods[stack[n-1].method]
		}
		what = does(method, collected)
		l.events, l.number, l.wall, l.does = append(l.events, e), append(l.number, number), append(l.wall, now), append(l.does, what)
		l.runs = append(l.runs, method.Wait == trace.Running)
	}
	switch {
	case what.wait == nil: // including its last instant
		l.end = s.run(now, t.Length-app+1) - 1
	case what.idle || what.wait.Period > 0:
		l.end = max(now, t.Length)
	default:
		l.end = now + t.Length - app
	}
	l.overhead.spend(what, t.Length-app, l.end-now)
	return l
}

// pass returns when a thread completes its activity between two app times, if it begins at now.
func (s *stops) pass(now, from, to time.Duration, what doing) time.Duration {
	switch {
	case what.wait == nil:
		return s.run(now, to-from)
	case what.idle:
		return s.wake(max(now, to))
	case what.wait.Period == 0:
		return s.wake(now + to - from)
	case what.wait.AtOnce:
		return s.wake(max(now, to))
	}
	tick := to
	for tick <= now {
		tick += what.wait.Period
	}
	return s.wake(tick)
}

// collects reports whether an event begins a collection.
func (t *Truth) collects(e *trace.Event) bool {
	return e.Action == trace.Enter && t.Symbols.Methods[e.Method].Flags&trace.Collector != 0
}

// lives runs all threads through the stops. A collection begins when all threads have reached its
// app time, since the app as a whole has allocated the garbage; with holds, it delays the stops
// that would begin while it runs. The collecting thread waits for it: it leaves the wait before its
// first collection, and all later waits, when all threads have reached that time. Such events are
// therefore processed one after the other, and all threads are run again for each.
func (t *Truth) lives(s *stops, oneClock, holds bool) (all []*life) {
	earliest := map[int]time.Duration{}
	again := func() {
		s.at, all = nil, nil
		for id := range t.Symbols.Threads {
			all = append(all, t.live(trace.ThreadID(id), s, oneClock, earliest))
		}
	}
	again()
	if !holds {
		return all
	}
	stacks, collected, running := make([][]frame, len(t.Symbols.Threads)), make([]bool, len(t.Symbols.Threads)), 0
	for number, e := range t.Events {
		stack := stacks[e.Thread]
		stacks[e.Thread] = apply(stack, &e, 0)
		begins := t.collects(&e)
		ends := e.Action != trace.Enter && t.Symbols.Methods[stack[len(stack)-1].method].Flags&trace.Collector != 0
		waited := len(stack) == 0 || t.Symbols.Methods[stack[len(stack)-1].method].Wait != trace.Running
		soon := func() bool {
			for _, next := range t.Events[number:] {
				if next.Wall == e.Wall && next.Thread == e.Thread && t.collects(&next) {
					return true
				}
			}
			return false
		}
		awaited := waited && (collected[e.Thread] || soon())
		collected[e.Thread] = collected[e.Thread] || begins
		if begins || awaited {
			latest := time.Duration(0)
			for _, l := range all {
				latest = max(latest, l.before(s, number, e.Wall))
			}
			earliest[number] = s.wake(latest)
		}
		if begins {
			if running++; running == 1 {
				s.holds = append(s.holds, hold{earliest[number], never})
			}
		}
		if ends {
			if running--; running == 0 {
				l := all[e.Thread]
				s.holds[len(s.holds)-1].to = l.wall[slices.Index(l.number, number)]
			}
		}
		if begins || awaited || ends {
			again()
		}
	}
	return all
}

// before returns the wall time that a thread has reached before an event of the truth, at the
// event's app time.
func (l *life) before(s *stops, number int, app time.Duration) time.Duration {
	had, _ := slices.BinarySearch(l.number, number)
	if had == 0 {
		return l.begin + app
	}
	wall, last := l.wall[had-1], l.events[had-1].Wall
	switch does := l.does[had-1]; {
	case does.wait == nil:
		return s.run(wall, app-last)
	case does.idle:
		return max(wall, app)
	}
	return wall + app - last
}

// app returns the app time that a thread has reached at the k-th stop, when it has had a number of
// events: no later than the next event or the end of the truth.
func (l *life) app(s *stops, k, had int, length time.Duration) time.Duration {
	at, last := s.when(k), time.Duration(0)
	if had > 0 {
		last = l.events[had-1].Wall
		switch does := l.does[had-1]; {
		case does.idle:
			at = max(at, last)
		case does.wait == nil:
			at -= l.wall[had-1] - last + time.Duration(k-s.from(l.wall[had-1]))*s.lasts
		default:
			at -= l.wall[had-1] - last
		}
	}
	switch {
	case had < len(l.events):
		at = max(last, min(at, l.events[had].Wall-1))
	case at > length:
		at = max(last, length-1)
	}
	return at
}
