package score

import (
	"errors"
	"math"
	"slices"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
	"artifice/trace/stats"
)

// Way is how the times of an observed trace are aligned with the truth's.
type Way string

const (
	// ByHeader subtracts the time that a runtime may need between the zero of a trace and its first
	// event: the headers of both traces state it ([art.StartOffset]), and their first events have to
	// agree.
	ByHeader Way = "header"

	// ByOffset takes the given offset.
	ByOffset Way = "offset"

	// BySearch finds the offset: of those at which most calls begin on both sides, and
	// those that the headers allow, the one that makes most frames right.
	BySearch Way = "search"

	// ByNothing is for stacks without times, as in profiles and folded stacks: only
	// sums are compared. What depends on when calls began or ended is not known.
	ByNothing Way = "none"
)

// Config says how package score aligns an observed trace with the truth. The zero value does it by
// the headers.
type Config struct {
	By     Way
	Offset time.Duration // for ByOffset: the observed trace's time when the truth's is 0

	// Dumps tells that the observed trace was made of stack dumps, and how many, once
	// they have been read; else nil. Dumps say neither when the run began nor when it
	// ended. Their time is taken to run as the truth's does, and there is no slowdown.
	Dumps func() int64
}

// Alignment is how the traces were aligned: the truth's time t is the observed trace's time
// Offset + Scale t.
type Alignment struct {
	By     Way           `json:"by"`
	Offset time.Duration `json:"offset_ns"`
	Scale  float64       `json:"scale"` // how many times longer the observed run is taken to be
	Rival  float64       `json:"rival"` // by search: frames right ([artifice/bench/measure.Timeline.DepthWeighted]) at the next best offset; else 0
}

// ToTruth returns the truth's time of a time of the observed trace.
func (a *Alignment) ToTruth(observed time.Duration) time.Duration {
	return time.Duration(math.Round(float64(observed-a.Offset) / a.Scale))
}

// candidates returns how the observed trace may lie on the truth, once both have
// been read. thread is that of a calling context of the truth.
func candidates(cfg Config, r runLengths, known, seen *summary, thread func(calltree.Node) trace.ThreadID) ([]Alignment, error) {
	by, offsets := cfg.By, headerOffsets(cfg, r, known, seen)
	switch by {
	case ByOffset:
		offsets = []time.Duration{cfg.Offset}
	case BySearch:
		found := searchOffsets(r, seen.lag(cfg.Dumps), known.lag(nil), known.starts, seen.starts, thread)
		if len(found) == 0 {
			return nil, ErrNothingInCommon
		}
		if cfg.Dumps != nil {
			offsets = nil // there is no header
		}
		offsets = append(offsets, found...)
	default:
		by = ByHeader
	}
	var list []Alignment
	for _, offset := range offsets {
		list = append(list, Alignment{By: by, Offset: offset, Scale: r.scale(offset)})
	}
	return list, nil
}

// headerOffsets returns the offsets that the headers allow and the first events
// agree with best, more than one where the sampling period is too long to decide.
// Either trace may begin with the runtime's own work, of the length that its header
// tells, which the time of the truth has in it where the observed trace is an
// emulation of it. Whether a runtime worked at all then, no file says.
func headerOffsets(cfg Config, r runLengths, known, seen *summary) (list []time.Duration) {
	own, truths := seen.startOffset(), known.startOffset()
	technique, lag := seen.technique(), seen.lag(cfg.Dumps)
	least := time.Duration(math.MaxInt64)
	for _, offset := range []time.Duration{0, own - truths, own, -truths} {
		scale := 1. // instrumented, an app is not slower until its first event
		if technique == trace.Sampled {
			scale = r.scale(offset)
		}
		late := seen.first - offset - time.Duration(scale*float64(known.first))
		off := max(-late, late-lag, 0)
		if off < least {
			least, list = off, nil
		}
		if off == least && !slices.Contains(list, offset) {
			list = append(list, offset)
		}
	}
	return list
}

// ErrNothingInCommon is the error of a search that finds no calls in common.
var ErrNothingInCommon = errors.New("the traces cannot be aligned: no call begins in both; set the offset")

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
