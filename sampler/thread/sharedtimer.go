package thread

import (
	"fmt"
	"math/rand/v2"
	"time"

	"artifice/internal/recorder"
	"artifice/trace"
)

// sharedTimer is the state of a timer that threads share. As it costs them nothing, they are on time.
type sharedTimer struct {
	due time.Duration // a SamplerThread's next expiry, by the truth's time; what a ProcessTimer shows at its next

	// Of a SamplerThread: the thread that was sampled last, as one that runs and as one in native
	// code, and one more; and what draws how late it is.
	next, nextNative int
	random           *rand.Rand
	expiries         int // so far, with or without a thread to sample

	// Of a ProcessTimer.
	now, shows time.Duration   // the truth's time, and what the timer shows then
	ticks      []time.Duration // by thread: when its core ticks next
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
			return fmt.Errorf("more than %d expiries by %s; cut the recording with artifice convert --from --to, or use a longer interval than %s", maxExpiries, t.shared.due, t.cfg.Interval)
		}
		t.shared.next = t.takeTurns(t.shared.next, t.cfg.Turns, false)
		t.shared.nextNative = t.takeTurns(t.shared.nextNative, t.cfg.NativeTurns, true)
	}
	return nil
}

// maxExpiries bounds the expiries of a SamplerThread: each one draws its overshoot, so that a stretch
// without a running thread cannot be skipped. It is a month of sleeps of 20 ms.
const maxExpiries = 1 << 27

// overshoot draws how much too long a SamplerThread sleeps.
func (t *Tracer) overshoot() time.Duration {
	if !t.cfg.unsteady() {
		return 0
	}
	if t.shared.random == nil {
		t.shared.random = rand.New(rand.NewPCG(t.cfg.Seed, sleepSeed))
	}
	return t.cfg.deviation(t.shared.random)
}

// sleepSeed is where the random numbers of a SamplerThread begin: "sleep" in ASCII, and two bytes of zeros.
const sleepSeed = 0x736c656570 << 16

// takeTurns samples so many of the threads that run, in native code or not, from one on, and returns
// from which one on the next expiry does.
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

// runs reports whether a thread is, at a time, in a method that does not wait.
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
			if late := s.now - s.ticks[i]; late > 0 { // those that found nothing
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

// tickSeed is where the random numbers of cores' ticks begin: "ticks" in ASCII, and two bytes for
// the thread.
const tickSeed = 0x7469636b73 << 16
