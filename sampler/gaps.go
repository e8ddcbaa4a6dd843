package sampler

import "time"

// Gaps are the app times between the samples of one sampler, drawn one after the other, for who needs no
// sampler.
type Gaps struct{ schedule }

// NewGaps returns the gaps of a sampler of that configuration, of which Interval, Schedule, Cost and Seed
// count.
func NewGaps(cfg *Config) *Gaps { return &Gaps{newSchedule(cfg)} }

// Next returns the next gap, 1 ns or more.
func (g *Gaps) Next() time.Duration { return g.gap() }

// Mean returns the mean of the gaps.
func (g *Gaps) Mean() time.Duration {
	mean, _ := g.moments()
	return time.Duration(mean)
}

// Pause returns how long a sample of so many threads, that have so many frames together, stops the app.
func (c *Cost) Pause(threads, frames int64) time.Duration { return c.PerTick + c.stop(threads, frames) }
