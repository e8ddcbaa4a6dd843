package sampler

import "time"

// Gaps are the app times between the samples of one sampler, drawn one after the other, for callers
// that need the times alone.
type Gaps struct{ Times }

// NewGaps returns the gaps of a sampler.
func NewGaps(cfg TicksConfig) *Gaps { return &Gaps{TicksNew(cfg)} }

// Next returns the next gap, 1 ns or more.
func (g *Gaps) Next() time.Duration { return g.Gap() }

// Mean returns the mean of the gaps.
func (g *Gaps) Mean() time.Duration {
	mean, _ := g.Moments()
	return time.Duration(mean)
}
