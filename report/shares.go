package report

import (
	"math"
	"time"

	"artifice/calltree"
	"artifice/estimate"
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
func shares(old, now []*View, clock trace.Clock, unlike Unlike) (of [2][]float64) {
	mean := 0.0
	for _, v := range old {
		mean += float64(v.busy(clock)) / float64(len(old))
	}
	for side, views := range [2][]*View{old, now} {
		for _, v := range views {
			factor := 1.0
			if busy := v.busy(clock); unlike != Alike && busy > 0 && mean > 0 {
				factor = mean / float64(busy)
			}
			of[side] = append(of[side], factor)
		}
	}
	return of
}

// busy returns how long the threads ran: wall time without waiting, or CPU time.
func (v *View) busy(clock trace.Clock) (sum time.Duration) {
	t := v.Profile.Tree
	if v.Profile.OfCPU {
		clock = trace.ThreadCPU
	}
	for n := calltree.Node(1); int(n) < t.Len(); n++ {
		switch {
		case t.IsRoot(n):
		case !clock.HasWall():
			sum += t.At(n).Self.CPU
		case !v.waits(n):
			sum += t.At(n).Self.Wall
		}
	}
	return sum
}

// scale multiplies all times by a factor.
func (t *MethodTimes) scale(factor float64) {
	if factor == 1 {
		return
	}
	for _, c := range []*estimate.Clocks{&t.Exclusive, &t.Inclusive} {
		for _, one := range []*estimate.Time{&c.Wall, &c.CPU} {
			for _, d := range []*time.Duration{&one.Value, &one.Low, &one.High} {
				*d = time.Duration(math.Round(factor * float64(*d)))
			}
		}
	}
}
