package report

import (
	"math"
	"time"

	"artifice/report/estimate"
	"artifice/trace"
)

// MethodTimes are the figures of all methods with one name in one trace. In a trace sampled by CPU
// time, CPU time is also used as wall time, because the trace contains only the wall times of its
// samples.
type MethodTimes struct {
	Exclusive, Inclusive estimate.Clocks
	Calls, Samples       int64 // reported calls, and samples with the methods

	Waits bool // threads wait in the methods ([estimate.Profile.Waits])

	// NoCPU is set if the limits of exclusive or inclusive CPU time are not intervals.
	NoCPU [2]bool
}

// Add adds the figures of other methods of the same trace, as if they were one method.
func (t *MethodTimes) Add(other *MethodTimes) {
	t.Exclusive = plus(t.Exclusive, other.Exclusive)
	t.Inclusive = plus(t.Inclusive, other.Inclusive)
	t.Calls += other.Calls
	t.Samples = max(t.Samples, other.Samples)
	t.Waits = t.Waits || other.Waits
	for k, no := range other.NoCPU {
		t.NoCPU[k] = t.NoCPU[k] || no
	}
}

// Overload is a method's full name ([trace.Method.FullName]) and its signature, which distinguishes
// overloads, if the trace has it.
type Overload struct{ Name, Signature string }

// MethodTimes returns the figures of each method.
func (v *View) MethodTimes() map[Overload]*MethodTimes {
	return TimesBy(v, func(m *trace.Method) Overload { return Overload{m.Dotted().FullName(), m.Signature} })
}

// TimesBy returns the figures of methods by key; methods with the same key are summed.
func TimesBy[K comparable](v *View, key func(*trace.Method) K) map[K]*MethodTimes {
	certain := !v.Profile.Sampled() && v.Profile.Technique != trace.UnknownTechnique
	times := map[K]*MethodTimes{}
	for m := range v.Profile.Methods() {
		one := MethodTimes{
			Exclusive: m.Exclusive.Clocks, Inclusive: m.Inclusive.Clocks,
			Calls: m.Calls.Reported, Samples: max(m.Exclusive.Runs.Samples, m.Inclusive.Runs.Samples), Waits: v.Profile.Waits(m.ID),
		}
		if v.Profile.OfCPU {
			one.Exclusive.Wall, one.Inclusive.Wall = one.Exclusive.CPU, one.Inclusive.CPU
		}
		for k, share := range []*estimate.Share{&m.Exclusive, &m.Inclusive} {
			one.NoCPU[k] = !certain && share.NoCPU && share.CPU.Value > 0
		}
		name := key(v.Symbols.Method(m.ID))
		if times[name] == nil {
			times[name] = &MethodTimes{}
		}
		times[name].Add(&one)
	}
	return times
}

// plus adds two estimates.
func plus(a, b estimate.Clocks) estimate.Clocks {
	time := func(a, b estimate.Time) estimate.Time {
		return estimate.Time{Value: a.Value + b.Value, Low: a.Low + b.Low, High: a.High + b.High}
	}
	return estimate.Clocks{Wall: time(a.Wall, b.Wall), CPU: time(a.CPU, b.CPU)}
}

// Scale multiplies all times by a factor.
func (t *MethodTimes) Scale(factor float64) {
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
