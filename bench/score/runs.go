package score

import (
	"math"
	"time"

	"artifice/trace"
	"artifice/trace/stats"
)

// worthScaling is by how much two runs differ in length before one is scaled.
const worthScaling = 0.01

// runLengths are two runs of an app: their lengths, each from its time zero.
type runLengths struct {
	truth, observed time.Duration
	floating        bool // their lengths cannot be compared
	together        bool // of these, they end at the same instant, of which the observed trace does not tell
}

// newRunLengths returns when both runs end: the truth at end, with its last event, and the observed
// one as much later as it was stopped later. Where one does not say when that was,
// the last events have to do. That of a sampled trace can be early, as an unchanged
// stack leaves none; then both are taken to end together, wherever the observed trace has
// its time 0.
func newRunLengths(cfg Config, end time.Duration, truth, observed *summary) runLengths {
	known, seen := truth.rec.Info.Elapsed, observed.rec.Info.Elapsed
	if known < truth.span || seen < observed.span {
		known, seen = truth.span, observed.span
	}
	early := seen == observed.span && seen < known && observed.technique() == trace.Sampled
	if known == 0 || seen == 0 || early {
		seen = known
	}
	together := early && cfg.By == BySearch
	return runLengths{end, end + seen - known, cfg.Dumps != nil || together, together}
}

// delay returns how much later the observed run ends, where it began at an offset.
func (r runLengths) delay(offset time.Duration) time.Duration {
	if r.together {
		return 0
	}
	return r.observed - offset - r.truth
}

// scale returns how many times longer the observed run is taken to be when it
// begins at an offset.
func (r runLengths) scale(offset time.Duration) float64 {
	scale := stats.Slowdown(r.truth, r.observed-offset-r.truth)
	if r.floating || scale <= 0 || math.Abs(scale-1) < worthScaling {
		return 1
	}
	return scale
}
