package sampler

import (
	"math/rand/v2"
	"time"
)

// schedule gives the app times of a sampler's ticks.
type schedule struct {
	cfg *Config
	rng *rand.Rand
}

func newSchedule(cfg *Config) schedule {
	return schedule{cfg, rand.New(rand.NewPCG(cfg.Seed, 0x73616d706c6572))}
}

// first returns the app time of the first tick.
func (s *schedule) first() time.Duration {
	switch {
	case s.cfg.Phase > 0:
		return s.cfg.Phase
	case s.cfg.Runtime.SamplesFirst && s.cfg.Schedule == SleepLoop:
		return 0
	}
	return s.gap()
}

// gap returns how long the app runs between two ticks: at least 1 ns, so that
// time goes on.
func (s *schedule) gap() time.Duration {
	if s.cfg.Schedule == Poisson {
		return max(1, time.Duration(s.rng.ExpFloat64()*float64(s.cfg.Interval)))
	}
	overshoot := s.cfg.Cost.Overshoot
	if spread := s.cfg.Cost.OvershootSpread; spread > 0 {
		overshoot = max(0, overshoot+time.Duration(s.rng.NormFloat64()*float64(spread)))
	}
	return s.cfg.Interval + overshoot
}

// constant reports whether all gaps are equal.
func (s *schedule) constant() bool {
	return s.cfg.Schedule == SleepLoop && s.cfg.Cost.OvershootSpread == 0
}

// due is a sampler's next tick. Of ticks at the same time any can come first:
// samplers do not see each other.
type due struct {
	at      time.Duration
	sampler int32 // index among the samplers of the pass
}

// tickQueue is a binary heap of ticks, the earliest first. It has at most one
// per sampler.
type tickQueue []due

func (q *tickQueue) push(d due) {
	h := append(*q, d)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if d.at >= h[parent].at {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = d
	*q = h
}

// pop removes the earliest tick.
func (q *tickQueue) pop() {
	h := *q
	last := h[len(h)-1]
	*q = h[:len(h)-1]
	if len(*q) > 0 {
		q.replace(last)
	}
}

// replace puts d in the place of the earliest tick.
func (q *tickQueue) replace(d due) {
	h := *q
	i := 0
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if right := child + 1; right < len(h) {
			// Which of the two is earlier cannot be foretold: a sum is faster than
			// a branch. Times are not negative.
			child += int(uint64(h[right].at-h[child].at) >> 63)
		}
		if d.at <= h[child].at {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = d
}
