package sampler

import "time"

// Gaps are the app times between the samples of one sampler, drawn one after the other, for callers
// that need the times alone.
type Gaps struct{ schedule }

// NewGaps returns the gaps of a sampler. Of its configuration only Interval, Schedule, Cost and Seed
// matter.
func NewGaps(cfg *Config) *Gaps { return &Gaps{newSchedule(cfg)} }

// Next returns the next gap, 1 ns or more.
func (g *Gaps) Next() time.Duration { return g.gap() }

// Mean returns the mean of the gaps.
func (g *Gaps) Mean() time.Duration {
	mean, _ := g.moments()
	return time.Duration(mean)
}

// Pause returns for how long a sample stops the app, given the number of threads and of all their frames.
func (c *Cost) Pause(threads, frames int64) time.Duration { return c.PerTick + c.stop(threads, frames) }
