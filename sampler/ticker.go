package sampler

import (
	"math"
	"math/rand/v2"
	"time"
)

// Schedule determines the times of samples.
type Schedule uint8

const (
	// SleepLoop is the loop of ART and Dalvik: sleep, sample, sleep. Gaps are the interval plus the
	// overshoot.
	SleepLoop Schedule = iota

	// Poisson draws exponential gaps with mean interval, so that samples are independent of the
	// app. No profiler of Android samples this way: it is an emulation-only baseline. The overshoot
	// is not added.
	Poisson
)

// ticker draws the times of a sampler's ticks and the time from each tick to the walk of its first
// thread.
type ticker struct {
	cfg   *Config
	rng   *rand.Rand
	cores *rand.Rand // used by NoCore only, so that sleeps do not depend on it
}

// newTicker returns the ticker of a sampler.
func newTicker(cfg *Config) ticker {
	return ticker{cfg, rand.New(rand.NewPCG(cfg.Seed, 0x73616d706c6572)), rand.New(rand.NewPCG(cfg.Seed, 0x636f726573))}
}

// NeedsCore reports whether ticks may have to wait for a core.
func (s *ticker) NeedsCore() bool { return s.cfg.Cost.NoCore > 0 && s.cfg.Schedule == SleepLoop }

// DrawCoreWait draws whether no core is free when a sleep ends, and returns the maximum wait for
// one. It is called once for each tick.
func (s *ticker) DrawCoreWait() (most time.Duration, none bool) {
	return s.cfg.Cost.NoCoreMax, s.cores.Float64() < s.cfg.Cost.NoCore
}

// First returns the app time of the first tick.
func (s *ticker) First() time.Duration {
	switch {
	case s.cfg.Phase > 0:
		return s.cfg.Phase
	case s.cfg.Runtime != nil && s.cfg.Runtime.SamplesFirst && s.cfg.Schedule == SleepLoop:
		return 0
	}
	return s.sleep()
}

// Gap returns the time the app runs between two ticks. It is at least 1 ns, so that time advances.
func (s *ticker) Gap() time.Duration { return max(1, s.sleep()-s.resume()) }

// resume returns the part of a sleep during which the app does not run. Poisson gaps are app time.
func (s *ticker) resume() time.Duration {
	if s.cfg.Schedule == Poisson {
		return 0
	}
	return s.cfg.Cost.Resume
}

// sleep draws the duration of the sampling thread's sleep.
func (s *ticker) sleep() time.Duration {
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

// PerTick draws the time for stopping all threads at one tick.
func (s *ticker) PerTick() time.Duration {
	if table := s.cfg.Cost.PerTicks; len(table) > 0 {
		return table.At(s.rng.Float64())
	}
	return s.cfg.Cost.PerTick
}

// PerTicks draws the total of PerTick for n ticks: the sum of n quantiles, or one normal variable
// if n is very large.
func (s *ticker) PerTicks(n int64) time.Duration {
	table := s.cfg.Cost.PerTicks
	switch {
	case len(table) == 0:
		return time.Duration(n) * s.cfg.Cost.PerTick
	case n > minSkipGaps:
		mean, deviation := table.Moments()
		return max(0, time.Duration(n)*mean+time.Duration(math.Sqrt(float64(n))*float64(deviation)*s.rng.NormFloat64()))
	}
	sum := time.Duration(0)
	for range n {
		sum += s.PerTick()
	}
	return sum
}

// Constant reports whether all gaps are equal, and all pauses for equal walks.
func (s *ticker) Constant() bool {
	c := &s.cfg.Cost
	return s.cfg.Schedule == SleepLoop && c.OvershootSpread == 0 && len(c.Overshoots)+len(c.PerTicks) == 0
}

// Moments returns the mean and the standard deviation of a gap.
func (s *ticker) Moments() (mean, deviation float64) {
	mean, deviation = s.sleepMoments()
	return max(1, mean-float64(s.resume())), deviation
}

// sleepMoments returns the mean and the standard deviation of a sleep.
func (s *ticker) sleepMoments() (mean, deviation float64) {
	interval := float64(s.cfg.Interval)
	if s.cfg.Schedule == Poisson {
		return interval, interval
	}
	if table := s.cfg.Cost.Overshoots; len(table) > 0 {
		m, d := table.Moments()
		return interval + float64(m), float64(d)
	}
	m, d := float64(s.cfg.Cost.Overshoot), float64(s.cfg.Cost.OvershootSpread)
	if d == 0 {
		return interval + m, 0
	}
	// Moments of a normal variable censored at 0.
	below := math.Erfc(m/d/math.Sqrt2) / 2
	density := math.Exp(-m*m/(2*d*d)) / math.Sqrt(2*math.Pi)
	first := m*(1-below) + d*density
	second := (m*m+d*d)*(1-below) + m*d*density
	return interval + first, math.Sqrt(max(0, second-first*first))
}

// minSkipGaps is the number of gaps from which skipping pays. Below it, gaps are drawn one by one.
// A real trace has fewer between two events.
const minSkipGaps = 1 << 14

// MinSkip returns the shortest time for Skip.
func (s *ticker) MinSkip() time.Duration {
	mean, deviation := s.Moments()
	return time.Duration(min(mean*minSkipGaps*max(1, deviation*deviation/(mean*mean)), math.MaxInt64/2))
}

// Skip returns a number of ticks, at least 2, and the time from the first of them to the last,
// which is less than limit. The sum of that number of gaps is normal, with the sums of their means
// and variances. The number leaves a margin of eight standard deviations, so that the remaining
// ticks before limit are drawn one by one.
func (s *ticker) Skip(limit time.Duration) (ticks int64, took time.Duration) {
	mean, deviation := s.Moments()
	gaps := float64(limit) / mean
	gaps = math.Floor(gaps - 8*math.Sqrt(gaps)*deviation/mean - 32)
	sum := gaps*mean + math.Sqrt(gaps)*deviation*s.rng.NormFloat64()
	return int64(gaps) + 1, min(time.Duration(sum), limit-1)
}

// Gaps draws the app times between the samples of one sampler, for callers that need no samples.
type Gaps struct{ ticker ticker }

// NewGaps returns the gaps of a sampler.
func NewGaps(cfg *Config) *Gaps {
	own := *cfg
	return &Gaps{newTicker(&own)}
}

// Next returns the next gap, at least 1 ns.
func (g *Gaps) Next() time.Duration { return g.ticker.Gap() }

// Mean returns the mean of the gaps.
func (g *Gaps) Mean() time.Duration {
	mean, _ := g.ticker.Moments()
	return time.Duration(mean)
}
