package reference

import (
	"math/rand/v2"
	"slices"
	"time"

	"artifice/trace"
)

// SampleShared takes the samples of a timer shared by all threads. With c.Turns, the timer follows
// the wall clock and samples threads in turn; without, it counts the CPU time of all threads.
func (t *Truth) SampleShared(c *ThreadTimer) *Record {
	r := &Record{Tails: make([]Tail, len(t.Symbols.Threads))}
	s := &sharing{truth: t, timer: c, record: r, threads: make([]timed, len(t.Symbols.Threads)), seen: map[int]bool{}, expires: c.Phase}
	for id := range t.Symbols.Threads {
		if c.Turns == 0 {
			s.offsets = append(s.offsets, c.firstTick(trace.ThreadID(id)))
		}
	}
	s.random = rand.New(rand.NewPCG(c.Seed, 0x736c6565700000))
	calls, last := 0, time.Duration(0)
	for i := range t.Events {
		e := &t.Events[i]
		s.between(last, e.Wall)
		last = e.Wall
		th := &s.threads[e.Thread]
		if !th.met {
			th.begin(c, e)
		}
		if e.Action == trace.Enter {
			calls++
		}
		th.stack = apply(th.stack, e, calls)
	}
	s.between(last, t.Length)
	for id := range s.threads {
		r.conclude(c, trace.ThreadID(id), &s.threads[id], t)
	}
	r.CallsSeen, r.Stop = len(s.seen), t.Length
	return r
}

// sharing is the state of a shared timer.
type sharing struct {
	truth   *Truth
	timer   *ThreadTimer
	record  *Record
	threads []timed
	seen    map[int]bool
	expires time.Duration   // next expiry: on the wall clock, or in CPU time of all threads
	ran     time.Duration   // CPU time of all threads
	offsets []time.Duration // of the ticks of each thread's core
	random  *rand.Rand
	turn    [2]int // first thread to consider at the next expiry: of those in managed and in native code
}

// between takes the samples of a period in which no thread has an event.
func (s *sharing) between(from, to time.Duration) {
	if s.timer.Turns > 0 {
		for ; s.expires < to; s.expires += s.timer.Interval {
			s.inTurn(0, s.timer.Turns)
			s.inTurn(1, s.timer.Native)
			if s.timer.Overshoot > 0 {
				s.expires += time.Duration(float64(s.timer.Overshoot) * s.random.ExpFloat64())
			}
		}
		return
	}
	type tick struct {
		at     time.Duration
		thread int
	}
	var running []int
	var ticks []tick
	for id := range s.threads {
		if s.doing(id) < 0 {
			continue
		}
		running = append(running, id)
		at := s.offsets[id]
		if from > at {
			at += (from - at + s.timer.Tick - 1) / s.timer.Tick * s.timer.Tick
		}
		for ; at < to; at += s.timer.Tick {
			ticks = append(ticks, tick{at, id})
		}
	}
	slices.SortStableFunc(ticks, func(a, b tick) int { return int(a.at - b.at) })
	for _, tick := range ticks {
		if ran := s.ran + time.Duration(len(running))*(tick.at-from); ran >= s.expires {
			s.look(tick.thread, tick.at)
			for s.expires <= ran {
				s.expires += s.timer.Interval
			}
		}
	}
	s.ran += time.Duration(len(running)) * (to - from)
}

// doing returns a thread's activity: 0 it runs managed code, 1 native code, below 0 it waits.
func (s *sharing) doing(id int) int {
	stack := s.threads[id].stack
	if len(stack) == 0 {
		return -1
	}
	m := &s.truth.Symbols.Methods[stack[len(stack)-1].method]
	switch {
	case m.Wait != trace.Running:
		return -1
	case m.Flags&trace.Native != 0:
		return 1
	}
	return 0
}

// inTurn samples up to most threads with the given activity.
func (s *sharing) inTurn(what, most int) {
	var order []int
	for id := range s.threads {
		order = append(order, (s.turn[what]+id)%len(s.threads))
	}
	order = slices.DeleteFunc(order, func(id int) bool { return s.doing(id) != what })
	for _, id := range order[:min(most, len(order))] {
		s.turn[what] = id + 1
		s.look(id, s.expires)
	}
}

// look samples a thread.
func (s *sharing) look(id int, at time.Duration) {
	th, c := &s.threads[id], s.timer
	if c.Lose > 0 && th.random.Float64() < c.Lose {
		return
	}
	now := Event{trace.Event{Wall: at, CPU: time.Duration(th.samples) * c.Interval, Thread: trace.ThreadID(id)}, at}
	s.record.show(c, th, s.seen, now, nil)
}
