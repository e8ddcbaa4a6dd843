package calibrate

import (
	"errors"
	"fmt"

	"artifice/trace"
)

// Result is what a trace says of the device that recorded it: one of Sampled
// and Instrumented.
type Result struct {
	Sampled      *Sampled
	Instrumented *Instrumented
	Evidence     string // why the trace is taken for one or the other
	Events       int64  // events looked at
}

// minPeriods is how many single-period intervals an estimate needs.
const minPeriods = 20

// Trace reads rec, whose events are in time order, and estimates the timing of
// the device that recorded it. It looks at the first 262144 samples of threads
// (or as many events of an instrumented trace), which takes bounded memory.
//
// It fails when the trace does not show how it was recorded, is a truth, has no
// wall clock, or is too short.
func Trace(rec *trace.Recording) (*Result, error) {
	if rec.Info.Technique == trace.Truth {
		return nil, errors.New("a truth was recorded by no device: there is nothing to calibrate")
	}
	if !rec.Info.Clock.HasWall() {
		return nil, fmt.Errorf("clock %s: periods and pauses show on the wall clock only", rec.Info.Clock)
	}
	var g groups
	if err := g.read(rec); err != nil {
		return nil, err
	}
	technique, evidence := g.technique(&rec.Info)
	r := &Result{Evidence: evidence, Events: g.events}
	switch technique {
	case trace.Sampled:
		r.Sampled = g.sampled(rec)
		if n := r.Sampled.Period.N; n < minPeriods {
			return nil, fmt.Errorf("%d samples of one thread in a row: at least %d are needed", n, minPeriods)
		}
	case trace.Instrumented:
		r.Instrumented = g.gaps.estimate(rec)
	default:
		return nil, fmt.Errorf("it does not show whether the trace was sampled or instrumented: %s", evidence)
	}
	return r, nil
}

// technique tells how the trace was recorded: as it says itself, or by the
// groups of equal stamps.
func (g *groups) technique(info *trace.Info) (trace.Technique, string) {
	if t := info.Technique; t == trace.Sampled || t == trace.Instrumented {
		return t, "the source says so"
	}
	return g.kind.Technique()
}
