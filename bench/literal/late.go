package literal

import (
	"slices"
	"time"

	"artifice/trace"
)

// stops are the instants of the wall clock at which a sampler stops the app, each for the
// same time.
type stops struct {
	next  func() time.Duration // app time of one after the other, in which no stop takes any
	at    []time.Duration
	lasts time.Duration
}

// when returns when the k-th stop begins, from 0.
func (s *stops) when(k int) time.Duration {
	for len(s.at) <= k {
		s.at = append(s.at, s.next()+time.Duration(len(s.at))*s.lasts)
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

// life is what a thread does while a sampler stops it again and again.
type life struct {
	events []trace.Event // of the thread, by the app's time
	wall   []time.Duration
	runs   []bool        // by event: whether the thread runs from it to the next one
	end    time.Duration // of the truth, when the thread has got there
}

// live lets a thread live through the stops. Work takes as long as it takes, without the
// stops. A wait goes on in them: for the same time or, where the method waits for the next
// tick of a clock, until that comes; a thread that comes too late for it waits for the one
// after, or goes on at once. It wakes when the stop is over in which it would. With one clock all that it does is as work is.
func (t *Truth) live(id trace.ThreadID, s *stops, oneClock bool) *life {
	l := &life{}
	for _, e := range t.Events {
		if e.Thread == id {
			l.events = append(l.events, e)
		}
	}
	waits := func(m *trace.Method) *trace.Method {
		if oneClock || m.Wait == trace.Running {
			return nil
		}
		return m
	}
	now, app, wait := s.wake(0), time.Duration(0), waits(&trace.Method{Wait: trace.Sleep})
	var stack []frame
	for i, e := range l.events {
		if len(stack) == 0 && i > 0 && e.CPU > l.events[i-1].CPU { // CPU time says that it runs
			wait, l.runs[i-1] = nil, true
		}
		now = s.pass(now, app, e.Wall, wait)
		app = e.Wall
		if stack = apply(stack, &e, 0); len(stack) == 0 {
			wait = waits(&trace.Method{Wait: trace.Sleep})
		} else {
			wait = waits(&t.Symbols.Methods[stack[len(stack)-1].method])
		}
		l.wall, l.runs = append(l.wall, now), append(l.runs, wait == nil)
	}
	switch {
	case wait == nil: // with its last instant
		l.end = s.run(now, t.Length-app+1) - 1
	case wait.Period > 0:
		l.end = max(now, t.Length)
	default:
		l.end = now + t.Length - app
	}
	return l
}

// pass returns when a thread has worked, or waited in a method, that does so from one app
// time to another, if it begins at now.
func (s *stops) pass(now, from, to time.Duration, wait *trace.Method) time.Duration {
	switch {
	case wait == nil:
		return s.run(now, to-from)
	case wait.Period == 0:
		return s.wake(now + to - from)
	case wait.AtOnce:
		return s.wake(max(now, to))
	}
	tick := to
	for tick <= now {
		tick += wait.Period
	}
	return s.wake(tick)
}

// app returns how far a thread has got in the truth at the k-th stop, where it has had so
// many events by then: before the next of them, or the end of the truth.
func (l *life) app(s *stops, k, had int, length time.Duration) time.Duration {
	at, last := s.when(k), time.Duration(0)
	if had > 0 {
		last = l.events[had-1].Wall
		at += last - l.wall[had-1]
		if l.runs[had-1] {
			at -= time.Duration(k-s.from(l.wall[had-1])) * s.lasts
		}
	}
	switch {
	case had < len(l.events):
		at = min(at, l.events[had].Wall-1)
	case at > length:
		at = max(last, length-1)
	}
	return at
}
