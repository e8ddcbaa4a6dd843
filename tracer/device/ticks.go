package device

import (
	"time"

	"artifice/trace"
)

// Ticks are the times at which a program was sampled, and the durations of its pauses, as stack
// dumps can state them. The events of a trace contain neither the gaps between samples without
// changes nor the pauses themselves. The zero value has no ticks.
type Ticks struct {
	at         []time.Duration
	stopped    []time.Duration // one per tick, or none if a tick lacks it
	incomplete bool            // a tick lacks its pause
}

// Add adds a tick: its time and the duration of its pause, or 0 if that is unknown. Only the first
// 262144 ticks are kept. Add can serve as [format.DumpConfig.Tick].
func (t *Ticks) Add(at, stopped time.Duration) {
	if len(t.at) == maxSamples {
		return
	}
	t.at = append(t.at, at)
	if t.incomplete = t.incomplete || stopped <= 0 || stopped > maxCost; t.incomplete {
		t.stopped = nil
		return
	}
	t.stopped = append(t.stopped, stopped)
}

// Calibrate is [Calibrate] for a trace sampled at t. t must be complete when rec has been read.
func (t *Ticks) Calibrate(rec *trace.Recording) (*Calibration, error) { return calibrate(rec, t) }

// gaps returns the times from tick to tick. It excludes those longer than any cost, in which the
// program or its machine was asleep.
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

// HasPauses reports whether the trace states the duration of each pause.
func (t *SampledTiming) HasPauses() bool { return len(t.stops) > 1 }

// useTicks replaces the estimates from events by those from ticks.
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
