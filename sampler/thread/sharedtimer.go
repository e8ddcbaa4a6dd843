package thread

import (
	"fmt"
	"math/rand/v2"
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// sharedTimer is the state of a timer that threads share. It costs the threads nothing, so they
// have no delay.
type sharedTimer struct {
	due time.Duration // a SamplerThread's next expiration, in the truth's time; a ProcessTimer's reading at its next expiration

	// For a SamplerThread: 1 + the thread sampled last, among running threads and among those in
	// native code, and the random source of its overshoot.
	next, nextNative int
	random           *rand.Rand
	expiries         int // so far, with or without a sampled thread

	// For a ProcessTimer:
	now, shows time.Duration   // the truth's time, and the timer's reading at that time
	ticks      []time.Duration // by thread: next tick of its core
}

// expireShared takes the samples that are due before a time of the truth.
func (t *Tracer) expireShared(before time.Duration) error {
	if t.cfg.Timer == ProcessTimer {
		return t.expireProcess(before)
	}
	for ; t.shared.due < before; t.shared.due += t.cfg.Interval + t.overshoot() {
		if err := t.enough(t.shared.due); err != nil {
			return err
		}
		if t.shared.expiries++; t.shared.expiries > maxExpiries {
			return fmt.Errorf("the timer expires more than %d times by %s; cut the recording with artifice convert --from --to, or use a longer interval than %s", maxExpiries, t.shared.due, t.cfg.Interval)
		}
		t.shared.next = t.takeTurns(t.shared.next, t.cfg.Turns, false)
		t.shared.nextNative = t.takeTurns(t.shared.nextNative, t.cfg.NativeTurns, true)
	}
	return nil
}

// maxExpiries is the maximum number of expirations of a SamplerThread: each one draws its
// overshoot, so a time without a running thread cannot be skipped. It allows a month of sleeps of
// 20 ms.
const maxExpiries = 1 << 27

// overshoot draws the time by which a SamplerThread oversleeps.
func (t *Tracer) overshoot() time.Duration {
	if !t.cfg.unsteady() {
		return 0
	}
	if t.shared.random == nil {
		t.shared.random = rand.New(rand.NewPCG(t.cfg.Seed, sleepSeed))
	}
	return t.cfg.deviation(t.shared.random)
}

// sleepSeed is the first seed of a SamplerThread's random numbers: "sleep" in ASCII, and two zero
// bytes.
const sleepSeed = 0x736c656570 << 16

// takeTurns samples up to most threads, in native code or otherwise running, starting at thread
// from. It returns the thread at which the next expiration starts.
func (t *Tracer) takeTurns(from, most int, native bool) (next int) {
	next = from
	for i := range t.threads {
		if most == 0 {
			break
		}
		k := (from + i) % len(t.threads)
		th := &t.threads[k]
		id := trace.ThreadID(k)
		if innermost, ok := th.frames.Innermost(); !ok || t.native[innermost] != native || !t.runs(id, t.shared.due) {
			continue
		}
		next = k + 1
		if most--; !t.drawLost(th, id) {
			t.expire(id, th, t.shared.due, recorder.Waiting)
		}
	}
	return next
}

// runs reports whether a thread is in a method that does not wait at a time.
func (t *Tracer) runs(id trace.ThreadID, at time.Duration) bool {
	th := &t.threads[id]
	end := t.truth.Symbols.Threads[id].End
	return th.begun && !th.waits && (end == 0 || at < end)
}

// expireProcess takes the samples of a process's timer.
func (t *Tracer) expireProcess(before time.Duration) error {
	s := &t.shared
	for id := len(s.ticks); id < len(t.threads); id++ {
		s.ticks = append(s.ticks, t.cfg.firstTick(trace.ThreadID(id)))
	}
	for {
		at, who, running := before, -1, 0
		for i := range t.threads {
			if !t.runs(trace.ThreadID(i), s.now) {
				continue
			}
			running++
			if late := s.now - s.ticks[i]; late > 0 { // ticks without a sample
				s.ticks[i] += (late + t.cfg.Tick - 1) / t.cfg.Tick * t.cfg.Tick
			}
			if s.ticks[i] < at {
				at, who = s.ticks[i], i
			}
		}
		s.shows += time.Duration(running) * (at - s.now)
		s.now = at
		if who < 0 {
			return nil
		}
		s.ticks[who] += t.cfg.Tick
		if s.shows < s.due || !t.runs(trace.ThreadID(who), at) {
			continue
		}
		if err := t.enough(at); err != nil {
			return err
		}
		s.due += ((s.shows-s.due)/t.cfg.Interval + 1) * t.cfg.Interval
		if th := &t.threads[who]; !t.drawLost(th, trace.ThreadID(who)) {
			t.expire(trace.ThreadID(who), th, at, recorder.Waiting)
		}
	}
}

// tickSeed is the first seed of the cores' ticks: "ticks" in ASCII, and two bytes for the thread.
const tickSeed = 0x7469636b73 << 16
