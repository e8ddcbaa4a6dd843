package device

import (
	"time"

	"artifice/trace"
)

// Ticks are when a program was sampled, and for how long it stood still each time, as
// stack dumps can say it. They tell what the events of a trace do not: the gaps
// between samples that found nothing changed, and the pause itself. The zero value
// has none.
type Ticks struct {
	at      []time.Duration
	stopped []time.Duration // as many, or none when a tick did not say it
	silent  bool            // one did not
}

// Add adds a tick: when it was, and how long the program stood still for it, 0 when that
// is not known. Beyond the first 262144 ticks nothing is kept. A Ticks is what
// [format.DumpConfig.Tick] takes.
func (t *Ticks) Add(at, stopped time.Duration) {
	if len(t.at) == maxSamples {
		return
	}
	t.at = append(t.at, at)
	if t.silent = t.silent || stopped <= 0 || stopped > maxCost; t.silent {
		t.stopped = nil
		return
	}
	t.stopped = append(t.stopped, stopped)
}

// Calibrate is [Calibrate] for a trace whose samples were at t. It is complete when
// rec has been read.
func (t *Ticks) Calibrate(rec *trace.Recording) (*Calibration, error) { return calibrate(rec, t) }

// gaps returns the times from tick to tick. Those longer than any cost, in which the
// program or its machine was asleep, are left out.
func (t *Ticks) gaps() []gap {
	var all []gap
	for i := 1; i < len(t.at); i++ {
		g := gap{wall: t.at[i] - t.at[i-1]}
		if len(t.stopped) > 0 {
			g.walk = min(t.stopped[i-1], g.wall)
		}
		if g.wall > 0 && g.wall <= maxCost {
			all = append(all, g)
		}
	}
	return all
}

// SaysStops reports whether the trace says how long each pause was.
func (t *SampledTiming) SaysStops() bool { return len(t.stops) > 1 }

// useTicks puts what the ticks say in the place of what the events say.
func (t *SampledTiming) useTicks(ticks *Ticks) {
	gaps := ticks.gaps()
	if len(gaps) < minPeriods {
		return
	}
	t.gaps, t.countedMean = gaps, 0
	walls := make([]time.Duration, len(gaps))
	for i, g := range gaps {
		walls[i] = g.wall
	}
	periods := ascending(walls)
	t.Period, t.ShortPeriod = quantile(periods, 0.5), quantile(periods, 0.01)
	if len(ticks.stopped) > 0 {
		t.stops = ascending(ticks.stopped)
		t.Pause = mean(t.stops)
		t.PerThread, t.PerFrame, t.PerTick = Estimate{}, Estimate{}, 0
	}
}
