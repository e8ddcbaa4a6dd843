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

// AlignMethod is the method that aligns an observed trace with the truth.
type AlignMethod string

const (
	// ByHeader subtracts the time that a runtime may need between the zero of a trace and its first
	// event: the headers of both traces state it ([art.StartOffset]), and their first events have
	// to agree.
	ByHeader AlignMethod = "header"

	// ByOffset takes the given offset.
	ByOffset AlignMethod = "offset"

	// BySearch searches for the offset. Candidates are the offsets at which most calls begin on
	// both sides, and those that the headers allow; the one with most correct frames is taken.
	BySearch AlignMethod = "search"

	// ByNothing is for stacks without times, as in profiles and folded stacks. Only sums are
	// compared; measures that depend on the time of calls are unknown.
	ByNothing AlignMethod = "none"
)

// Config configures the alignment of an observed trace with the truth. The zero value aligns by the
// headers.
type Config struct {
	By     AlignMethod
	Offset time.Duration // for ByOffset: the observed trace's time when the truth's is 0

	// Dumps returns the number of stack dumps that the observed trace consists of, after they have
	// been read; nil for other traces. Dumps contain neither the begin nor the end of the run.
	// Their time is assumed to have the scale of the truth, and there is no slowdown.
	Dumps func() int64
}

// Alignment is the result of aligning: the truth's time t is the observed trace's time
// Offset + Scale t.
type Alignment struct {
	By     AlignMethod   `json:"by"`
	Offset time.Duration `json:"offset_ns"`
	Scale  float64       `json:"scale"` // assumed ratio of the lengths of the observed run and the truth
	Rival  float64       `json:"rival"` // by search: share of correct frames ([artifice/bench/measure.Timeline.DepthWeighted]) at the next best offset; else 0
}

// ToTruth converts a time of the observed trace to a time of the truth.
func (a *Alignment) ToTruth(observed time.Duration) time.Duration {
	return time.Duration(math.Round(float64(observed-a.Offset) / a.Scale))
}

// candidates returns the possible alignments, after both traces have been read. thread returns the
// thread of a calling context of the truth.
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
			offsets = nil // no header
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

// headerOffsets returns the offsets that the headers allow and that agree best with the first
// events. It returns several if the sampling period is too long to distinguish them. Either trace
// may begin with work of the runtime, with a duration from its header. If the observed trace is an
// emulation of the truth, its time includes the truth's. No file states whether the runtime did
// this work.
func headerOffsets(cfg Config, r runLengths, known, seen *summary) (list []time.Duration) {
	own, truths := seen.startOffset(), known.startOffset()
	technique, lag := seen.technique(), seen.lag(cfg.Dumps)
	least := time.Duration(math.MaxInt64)
	for _, offset := range []time.Duration{0, own - truths, own, -truths} {
		scale := 1. // instrumentation does not slow the app before its first event
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

// ErrNothingInCommon is the error of a search without calls in common.
var ErrNothingInCommon = errors.New("the traces cannot be aligned: no call starts in both traces; set the offset")

// worthScaling is the difference in length from which the observed run is scaled, as a share.
const worthScaling = 0.01

// runLengths contains the lengths of two runs of an app, each from its time zero.
type runLengths struct {
	truth, observed time.Duration
	floating        bool // the lengths cannot be compared
	together        bool // also, both end at the same instant, which the observed trace does not contain
}

// newRunLengths returns the lengths of both runs. The truth ends at end, with its last event; the
// observed run ends later by the difference of the stop times. If a trace does not contain its stop
// time, the last events are used instead. The last event of a sampled trace can be early, because
// an unchanged stack leaves no event: then both runs are assumed to end together.
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

// delay returns the delay of the end of the observed run, if it begins at offset.
func (r runLengths) delay(offset time.Duration) time.Duration {
	if r.together {
		return 0
	}
	return r.observed - offset - r.truth
}

// scale returns the assumed ratio of the lengths of the runs if the observed one begins at offset.
func (r runLengths) scale(offset time.Duration) float64 {
	scale := stats.Slowdown(r.truth, r.observed-offset-r.truth)
	if r.floating || scale <= 0 || math.Abs(scale-1) < worthScaling {
		return 1
	}
	return scale
}
