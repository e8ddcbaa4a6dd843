package diff

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"artifice/report"
	"artifice/report/estimate"
	"artifice/trace"
)

// Sides summarizes all traces of a comparison. The zero value contains no traces.
type Sides struct {
	Traces        [2]int        // old and new
	Sampled       bool          // a trace is sampled
	OfCPU, OfWall bool          // a trace is sampled by CPU time; a trace is not
	UnsureCPU     bool          // a trace is sampled, but not by CPU time
	NoPeriod      bool          // the sampling period of a trace is unknown
	NoWall, NoCPU bool          // a trace lacks this clock
	Called        bool          // a trace contains every call
	Period        time.Duration // longest sampling period
	Shortest      time.Duration // shortest sampling period; 0: unknown
	Test          Test          // for several traces a side

	Signatures trace.Signatures // which traces distinguish overloads
}

// Add adds a trace to the old side (0) or to the new one (1).
func (s *Sides) Add(v *report.View, side int) {
	p := v.Profile
	s.Traces[side]++
	s.Signatures.Add(v.Symbols)
	s.Sampled = s.Sampled || p.Sampled()
	s.OfCPU, s.OfWall = s.OfCPU || p.OfCPU, s.OfWall || !p.OfCPU
	s.UnsureCPU = s.UnsureCPU || p.Sampled() && !p.OfCPU
	s.NoPeriod = s.NoPeriod || p.Sampled() && p.Period == 0
	s.NoWall, s.NoCPU = s.NoWall || !p.Clock.HasWall(), s.NoCPU || !p.Clock.HasCPU()
	s.Called = s.Called || p.Technique == trace.Instrumented
	s.addPeriods(p.Period, p.Period)
}

// addPeriods adds the shortest and the longest sampling period of some traces; 0: unknown.
func (s *Sides) addPeriods(shortest, longest time.Duration) {
	if s.Shortest == 0 || shortest > 0 && shortest < s.Shortest {
		s.Shortest = shortest
	}
	s.Period = max(s.Period, longest)
}

// Join adds the traces of other.
func (s *Sides) Join(other Sides) {
	s.Traces[0], s.Traces[1] = s.Traces[0]+other.Traces[0], s.Traces[1]+other.Traces[1]
	s.Signatures.Join(other.Signatures)
	s.Sampled, s.NoPeriod = s.Sampled || other.Sampled, s.NoPeriod || other.NoPeriod
	s.OfCPU, s.OfWall = s.OfCPU || other.OfCPU, s.OfWall || other.OfWall
	s.UnsureCPU = s.UnsureCPU || other.UnsureCPU
	s.NoWall, s.NoCPU = s.NoWall || other.NoWall, s.NoCPU || other.NoCPU
	s.Called = s.Called || other.Called
	s.addPeriods(other.Shortest, other.Period)
}

// basis returns the source of the errors of a difference.
func (s *Sides) basis() Basis {
	switch {
	case s.Traces[0] > 1 && s.Traces[1] > 1:
		return Runs
	case !s.Sampled || s.NoPeriod:
		return Nothing
	}
	return Sampling
}

// mixed reports whether some traces are sampled by CPU time and others are not.
func (s *Sides) mixed() bool { return s.OfCPU && s.OfWall }

// Clock returns the clock to compare. want is "wall", "cpu" or empty for the default: CPU time if
// all traces have it and none is sampled by wall time, because such a trace does not attribute the
// CPU time between two samples to methods; else wall time. If only some traces are sampled by CPU
// time, the default is CPU time, and wall compares it with the running time of the others. Clock
// returns an error if a trace lacks the clock.
func (s *Sides) Clock(want string) (trace.Clock, error) {
	switch {
	case want != "" && want != "wall" && want != "cpu":
		return 0, fmt.Errorf("clock %q: must be wall or cpu", want)
	case want == "wall" && s.OfCPU && !s.OfWall:
		return 0, errors.New("clock wall: the traces are sampled by CPU time and do not contain waiting time")
	case want == "" && s.mixed() && s.NoCPU:
		return 0, errors.New("some traces are sampled by CPU time, and others have only wall time: --clock wall compares shares of CPU time with shares of wall time, without methods that wait")
	case want == "wall" && !s.NoWall, want == "" && !s.NoWall && (s.NoCPU || s.UnsureCPU) && !s.mixed():
		return trace.Wall, nil
	case want == "cpu" && !s.NoCPU, want == "" && !s.NoCPU:
		return trace.ThreadCPU, nil
	case want == "":
		return 0, errors.New("the traces have no clock in common: some have wall time only, others CPU time only; record all with both clocks (dual)")
	}
	return 0, fmt.Errorf("a trace does not have the clock %s; use the other clock, or record with both clocks (dual)", want)
}

// Place contains the times of a method in one trace; Trace is the index of the trace on its side.
type Place struct {
	Trace int
	Times *report.MethodTimes
}

// Compare compares one method. old and now contain the traces with the method, in order; in other
// traces its time is 0. Compare does not set Q: see Conclude.
func (s *Sides) Compare(of report.Overload, old, now []Place, clock trace.Clock) MethodChange {
	c := MethodChange{Name: of.Name + of.Signature, Of: of, OnlyOld: len(now) == 0, OnlyNew: len(old) == 0}
	sides := [2]side{newSide(old, s.Traces[0], clock), newSide(now, s.Traces[1], clock)}
	c.OldCalls, c.NewCalls = sides[0].calls, sides[1].calls
	c.Waits = sides[0].waits || sides[1].waits
	enough := max(sides[0].samples, sides[1].samples) >= minSamples
	if s.basis() == Runs {
		enough = sides[0].all+sides[1].all >= minSamplesOfAll
	}
	c.Exclusive = s.compare(&sides[0].exclusive, &sides[1].exclusive, enough)
	c.Inclusive = s.compare(&sides[0].inclusive, &sides[1].inclusive, enough)
	return c
}

// side is one method in all traces of a side.
type side struct {
	exclusive, inclusive measured
	calls                float64
	waits                bool  // in one of the traces
	samples, all         int64 // maximum in a trace, and sum of all traces
}

func newSide(places []Place, traces int, clock trace.Clock) side {
	s := side{exclusive: newMeasured(traces), inclusive: newMeasured(traces)}
	for _, p := range places {
		s.exclusive.set(p.Trace, p.Times.Exclusive, p.Times.NoCPU[0], clock)
		s.inclusive.set(p.Trace, p.Times.Inclusive, p.Times.NoCPU[1], clock)
		s.waits = s.waits || p.Times.Waits
		s.calls += float64(p.Times.Calls) / float64(traces)
		s.samples = max(s.samples, p.Times.Samples)
		s.all += p.Times.Samples
	}
	return s
}

func newMeasured(traces int) measured {
	return measured{make([]estimate.Time, traces), true}
}

// set sets a method's time in trace i.
func (m *measured) set(i int, c estimate.Clocks, noCPU bool, clock trace.Clock) {
	m.times[i] = c.On(clock)
	if noCPU && !clock.HasWall() {
		m.known = false
	}
}

// minSamples is the minimum number of samples in one trace for a method to be tested if a side has
// a single trace, and minSamplesOfAll that over all traces if both sides have several. Tests of
// methods with fewer samples have no power, and every test reduces the power of the others.
const (
	minSamples      = 5
	minSamplesOfAll = 10
)

func (s *Sides) compare(old, now *measured, enough bool) Change {
	var v verdict
	switch {
	case s.basis() == Runs && s.Test == MannWhitney:
		v = rankRuns(old, now)
	case s.basis() == Runs && s.Test == Welch:
		v = compareRuns(old, now)
	case s.basis() == Runs:
		v = pooledRuns(old, now, s.Period)
	default:
		v = compareSampled(old, now, s.Period)
	}
	if s.basis() == Runs {
		v.sampling = partOfSampling(old, now, v.below, s.Period)
	}
	if s.basis() == Nothing || s.Sampled && !enough {
		v.p = math.NaN()
	}
	ns := func(f float64) time.Duration { return time.Duration(math.Round(f)) }
	if old.mean() == 0 && now.mean() == 0 {
		v.p = math.NaN()
	}
	return Change{Old: ns(old.mean()), New: ns(now.mean()), P: v.p, Q: math.NaN(), Below: ns(v.below), Above: ns(v.above), Step: ns(v.step), Freedom: v.freedom, Sampling: v.sampling, Steady: v.steady}
}

// Conclude returns the difference of all methods. It corrects for the number of tests and sorts the
// methods.
func (s *Sides) Conclude(methods []MethodChange) *Diff {
	d := &Diff{Basis: s.basis(), NoPeriod: s.NoPeriod, Test: s.Test, OldTraces: s.Traces[0], NewTraces: s.Traces[1], Methods: methods, Unlike: s.unlike(), Shortest: s.Shortest, Longest: s.Period}
	slices.SortFunc(d.Methods, func(a, b MethodChange) int {
		return cmp.Or(cmp.Compare(b.Exclusive.Difference().Abs(), a.Exclusive.Difference().Abs()), cmp.Compare(a.Name, b.Name))
	})
	d.correct()
	var both time.Duration
	for i := range d.Methods {
		m := &d.Methods[i]
		d.OldTotal += m.Exclusive.Old
		d.NewTotal += m.Exclusive.New
		if !m.OnlyOld && !m.OnlyNew {
			both += m.Exclusive.Old + m.Exclusive.New
		}
	}
	if all := d.OldTotal + d.NewTotal; all > 0 {
		d.Matched = float64(both) / float64(all)
	}
	return d
}

// Unlike classifies a comparison of traces that tracing slowed differently.
type Unlike uint8

const (
	Alike           Unlike = iota
	Intervals              // sampled at different intervals
	CallsAndSamples        // some sampled, others with every call
	TimesOfCPU             // some sampled by CPU time, others not
)

// unlikeIntervals is the ratio of the longest to the shortest sampling period above which intervals
// are considered different. Periods of the same interval differ by less, for example on a busy
// phone that delays samples.
const unlikeIntervals = 1.25

// unlike classifies the comparison.
func (s *Sides) unlike() Unlike {
	switch {
	case s.mixed():
		return TimesOfCPU
	case s.Sampled && s.Called:
		return CallsAndSamples
	}
	return UnlikePeriods(s.Shortest, s.Period)
}

// UnlikePeriods classifies two traces by their sampling periods; 0 is a trace of every call.
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

// shares returns the factor of each trace that scales its busy time to the old side's mean, so that
// times are shares of it. The factors of alike traces are 1.
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
