package diff

import (
	"time"

	"artifice/report"
	"artifice/trace"
)

// Unlike is how tracing slowed the traces of a comparison differently.
type Unlike uint8

const (
	Alike           Unlike = iota
	Intervals              // they are sampled at different intervals
	CallsAndSamples        // some are sampled, and others have every call
	TimesOfCPU             // some are sampled by CPU time, and others otherwise, or have every call
)

// unlikeIntervals is how many times as long as the shortest time between samples the longest is
// where traces count as recorded at different intervals. Those of one interval differ by less,
// as a busy phone takes its samples late.
const unlikeIntervals = 1.25

// Unlike returns how tracing slowed the traces differently.
func (s *Sides) Unlike() Unlike {
	switch {
	case s.mixed():
		return TimesOfCPU
	case s.Sampled && s.Called:
		return CallsAndSamples
	}
	return UnlikePeriods(s.Shortest, s.Period)
}

// UnlikePeriods returns how traces with two times between samples were slowed differently; 0 is that of a trace of
// every call.
func UnlikePeriods(a, b time.Duration) Unlike {
	shorter, longer := min(a, b), max(a, b)
	switch {
	case shorter == 0 && longer > 0:
		return CallsAndSamples
	case float64(longer) > unlikeIntervals*float64(shorter):
		return Intervals
	}
	return Alike
}

// shares returns by what to multiply the times of each trace so that their busy times are
// alike, the mean of the old side's: then times are shares of it. Of traces that are alike it is 1.
func shares(old, now []*report.View, clock trace.Clock, unlike Unlike) (of [2][]float64) {
	mean := 0.0
	for _, v := range old {
		mean += float64(v.Busy(clock)) / float64(len(old))
	}
	for side, views := range [2][]*report.View{old, now} {
		for _, v := range views {
			factor := 1.0
			if busy := v.Busy(clock); unlike != Alike && busy > 0 && mean > 0 {
				factor = mean / float64(busy)
			}
			of[side] = append(of[side], factor)
		}
	}
	return of
}
