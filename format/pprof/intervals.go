package pprof

import (
	"errors"
	"time"

	"artifice/internal/profileproto"
	"artifice/internal/protobuf"
	"artifice/trace"
)

// errNotSampled is the error for intervals of a trace without sampling error.
var errNotSampled = errors.New("the trace is not recognized as sampled, so there are no confidence intervals to add")

// Intervals estimates the sampling error of a recording's times from its events or samples. Package
// report/estimate implements it.
type Intervals interface {
	trace.Writer
	trace.SnapshotWriter

	// Finish ends the recording and reports whether it is known to be sampled. The other methods
	// are called after it.
	Finish() (sampled bool)

	// Factors returns the lower and upper limits of the 95 % intervals of a method's self time,
	// as multiples of that time.
	Factors(m trace.MethodID) (wall, cpu [2]float64)

	// Comments returns sentences about the longest times for readers of the profile.
	Comments() []string
}

// finishIntervals ends the estimate of intervals.
func (p *Writer) finishIntervals() error {
	known := p.Counts() == "samples" || p.Sampled()
	if !p.intervals.Finish() || !known {
		return errNotSampled
	}
	return nil
}

// intervalTypes writes the sample types of the limits.
func (p *profileFile) intervalTypes() {
	if p.clock.HasWall() {
		p.w.ValueType(profileproto.SampleType, "wall-low", "nanoseconds")
		p.w.ValueType(profileproto.SampleType, "wall-high", "nanoseconds")
	}
	if p.clock.HasCPU() {
		p.w.ValueType(profileproto.SampleType, "cpu-low", "nanoseconds")
		p.w.ValueType(profileproto.SampleType, "cpu-high", "nanoseconds")
	}
}

// appendLimits appends the limits of a stack's times to its values: the stack's share of the limits
// of its innermost method, so that the sum over stacks equals those of the method.
func (p *profileFile) appendLimits(frames []trace.MethodID, wall, cpu time.Duration) {
	w, c := [2]float64{1, 1}, [2]float64{1, 1}
	if n := len(frames); n > 0 {
		w, c = p.intervals.Factors(frames[n-1])
	}
	if p.clock.HasWall() {
		p.appendScaled(wall, w)
	}
	if p.clock.HasCPU() {
		p.appendScaled(cpu, c)
	}
}

func (p *profileFile) appendScaled(t time.Duration, factors [2]float64) {
	for _, factor := range factors {
		p.values = protobuf.AppendVarint(p.values, uint64(int64(factor*float64(t)+0.5)))
	}
}
