package reference

import (
	"math"
	"slices"
	"time"

	"artifice/trace"
)

// stops are the instants of the wall clock at which a sampler stops the app, each for the
// same time.
type stops struct {
	next  func() time.Duration // app time of one after the other, in which no stop takes any
	app   []time.Duration      // what it has said
	at    []time.Duration
	lasts time.Duration
	holds []hold
	cores []time.Duration // how long one after the other waits for a core; those behind them come never, until all is known
	known bool            // all is known: those behind them wait for none
}

// hold is the time of a collection, by the wall clock: a stop that would begin in it begins
// at its end.
type hold struct{ from, to time.Duration }

// never is later than all times of a truth.
const never = time.Duration(math.MaxInt64 / 4)

// when returns when the k-th stop begins, from 0; never, or later, where a collection holds it up that
// does not end.
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

// from returns which stop is the first that begins at a time or later.
func (s *stops) from(wall time.Duration) (k int) {
	for len(s.at) == 0 || s.at[len(s.at)-1] < wall {
		s.when(len(s.at))
	}
	k, _ = slices.BinarySearch(s.at, wall)
	return k
}

// run returns when work is done that begins at a time of the wall clock: it stands still
// in each stop that begins before it is done.
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

// wake returns when a thread goes on that wants to at a time of the wall clock: not
// within a stop.
func (s *stops) wake(wall time.Duration) time.Duration {
	if k := s.from(wall); k > 0 && wall < s.when(k-1)+s.lasts {
		return s.when(k-1) + s.lasts
	}
	return wall
}

// doing is what a thread does between two events: it runs managed code, where the zero value is that it
// does, or not.
type doing struct {
	wait   *trace.Method // that it waits in, or whose native code it runs; nil: it runs managed code
	native bool
	idle   bool // it waits in a thread that has collected garbage, until there is some again
}

// life is what a thread does while a sampler stops it again and again.
type life struct {
	events   []trace.Event // of the thread, by the app's time
	number   []int         // of each, among all events
	wall     []time.Duration
	does     []doing // by event: what the thread does from it to the next one
	runs     []bool  // by event: whether it runs from then on, whatever its time is lost by
	begin    time.Duration
	end      time.Duration // of the truth, when the thread has got there
	overhead overhead
}

// toll is how long threads run and wait, in the truth and when they are stopped, and which of
// their frames are late: a frame is a wait for a tick, which the thread may miss.
type overhead struct {
	known                    bool
	ran, runs, waited, waits time.Duration
	frames, late             int
	lateBy                   time.Duration
}

// spend adds a time of a thread, and how long it lasts now.
func (l *overhead) spend(what doing, inTruth, now time.Duration) {
	if what.wait == nil || what.native {
		l.ran, l.runs = l.ran+inTruth, l.runs+now
	} else {
		l.waited, l.waits = l.waited+inTruth, l.waits+now
	}
}

// frame adds a frame to which a thread comes at a time, that is due then.
func (l *overhead) frame(m *trace.Method, came, due time.Duration) {
	l.frames++
	if came > due || came == due && !m.AtOnce {
		l.late++
		l.lateBy += came - due
	}
}

// add adds the toll of another thread.
func (l *overhead) add(o overhead) {
	l.ran, l.runs, l.waited, l.waits = l.ran+o.ran, l.runs+o.runs, l.waited+o.waited, l.waits+o.waits
	l.frames, l.late, l.lateBy = l.frames+o.frames, l.late+o.late, l.lateBy+o.lateBy
}

// live lets a thread live through the stops. Work takes as long as it takes, without the
// stops. A wait goes on in them, and so does native code: for the same time or, where the method waits for the next
// tick of a clock, until that comes; a thread that comes too late for it waits for the one
// after, or goes on at once. It wakes when the stop is over in which it would. Some events, by their numbers, come no
// earlier than at a time. With one clock all that a thread does is as work is.
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
		if last := len(l.events) - 1; len(stack) == 0 && last >= 0 && e.CPU > l.events[last].CPU { // CPU time says that it runs
			what = doing{}
			l.does[last], l.runs[last] = what, true
		}
		done := s.pass(now, app, e.Wall, what)
		if what.wait != nil && what.wait.Period > 0 { // it began in the truth when the tick before came, or later
			l.overhead.frame(what.wait, now, e.Wall+lost)
			if !what.wait.AtOnce {
				lost = (max(now, e.Wall-1) - e.Wall + what.wait.Period) / what.wait.Period * what.wait.Period
			}
		}
		l.overhead.spend(what, e.Wall-app, done-now)
		now = max(done, earliest[number])
		l.overhead.waits += now - done // for the app
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
	case what.wait == nil: // with its last instant
		l.end = s.run(now, t.Length-app+1) - 1
	case what.idle || what.wait.Period > 0:
		l.end = max(now, t.Length)
	default:
		l.end = now + t.Length - app
	}
	l.overhead.spend(what, t.Length-app, l.end-now)
	return l
}

// pass returns when a thread has done what it does from one app
// time to another, if it begins at now.
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

// lives lets all threads live through the stops. A collection begins when all threads have got
// there, since the app as a whole has made the garbage; where it holds, it holds up the stops that come while it runs.
// The thread that collects waits for it: it goes on, from the wait before its first collection and all waits after that,
// when all threads have got there. So such events are gone through one after the other, and for each the threads live anew.
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

// before returns how far a thread has got by the wall clock before an event of the truth, at
// its app time.
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

// app returns how far a thread has got in the truth at the k-th stop, where it has had so
// many events by then: before the next of them, or the end of the truth.
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
