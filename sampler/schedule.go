package sampler

import (
	"math/rand/v2"
	"time"

	"artifice/internal/eventlog"
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
	if table := s.cfg.Cost.Overshoots; len(table) > 0 {
		return max(1, s.cfg.Interval+table.At(s.rng.Float64()))
	}
	overshoot := s.cfg.Cost.Overshoot
	if spread := s.cfg.Cost.OvershootSpread; spread > 0 {
		overshoot = max(0, overshoot+time.Duration(s.rng.NormFloat64()*float64(spread)))
	}
	return s.cfg.Interval + overshoot
}

// constant reports whether all gaps are equal.
func (s *schedule) constant() bool {
	return s.cfg.Schedule == SleepLoop && s.cfg.Cost.OvershootSpread == 0 && len(s.cfg.Cost.Overshoots) == 0
}

// tickAt returns a tick of a sampler as the queue of a pass has it. Which of two
// at the same time comes first does not matter: samplers do not see each other.
func tickAt(at time.Duration, sampler int32) eventlog.Item[int32] {
	return eventlog.Item[int32]{At: at, Tie: uint64(sampler), Value: sampler}
}
