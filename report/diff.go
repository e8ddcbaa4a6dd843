package report

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"time"

	"artifice/estimate"
	"artifice/trace"
)

// Basis is what the errors of a difference are from.
type Basis uint8

const (
	// Sampling is the error of sampling alone: at least one side has one trace only,
	// which does not say what runs differ by.
	Sampling Basis = iota

	// Runs is what several runs of each side differ by, sampling included.
	Runs

	// Nothing is two single traces of every call: they differ exactly as they do.
	Nothing
)

// Significant is the q-value up to which a change counts as one.
const Significant = 0.05

// Change is how a method's time differs, per trace on average.
type Change struct {
	Old, New  time.Duration
	Low, High time.Duration // 95 % interval of New − Old
	P, Q      float64       // probability by chance, and corrected for the number of methods; NaN: not to be told
}

// Difference returns New − Old.
func (c Change) Difference() time.Duration { return c.New - c.Old }

// IsSignificant reports whether the change is more than chance.
func (c Change) IsSignificant() bool { return c.Q <= Significant }

// MethodChange is one method on both sides.
type MethodChange struct {
	Name                 string
	Exclusive, Inclusive Change
	OldCalls, NewCalls   float64 // reported, per trace
	OnlyOld, OnlyNew     bool
}

// Diff is the difference of two sides.
type Diff struct {
	Basis              Basis
	OldTraces          int
	NewTraces          int
	Methods            []MethodChange // largest change of exclusive time first
	Tested             int            // methods whose exclusive time was tested
	Matched            float64        // share of the time in methods that both sides have
	OldTotal, NewTotal time.Duration  // of all methods' exclusive times, per trace
}

// Compare compares two sides of one or more traces, on one clock. Methods match
// by class, name and signature. It fails when a trace does not have the clock.
func Compare(old, now []*View, clock trace.Clock) (*Diff, error) {
	for _, v := range append(slices.Clone(old), now...) {
		if has := v.Profile.Clock; clock.HasWall() && !has.HasWall() || clock.HasCPU() && !has.HasCPU() {
			return nil, errors.New("not all traces have the clock")
		}
	}
	d := &Diff{OldTraces: len(old), NewTraces: len(now)}
	switch {
	case len(old) > 1 && len(now) > 1:
		d.Basis = Runs
	case !sampledAny(old) && !sampledAny(now):
		d.Basis = Nothing
	}
	a, b := gather(old, clock), gather(now, clock)
	names := map[string]bool{}
	for name := range a {
		names[name] = true
	}
	for name := range b {
		names[name] = true
	}
	step := max(longestPeriod(old), longestPeriod(now))
	for name := range names {
		d.add(name, a[name], b[name], step)
	}
	d.conclude()
	return d, nil
}

func sampledAny(views []*View) bool {
	return slices.ContainsFunc(views, func(v *View) bool { return v.Profile.Sampled() })
}

func longestPeriod(views []*View) (longest time.Duration) {
	for _, v := range views {
		longest = max(longest, v.Profile.Period)
	}
	return longest
}

// side is one method in all traces of a side.
type side struct {
	exclusive, inclusive measured
	calls                float64
	samples              int64 // most in a trace
}

// gather returns the methods of a side by name. A trace that does not have one has
// 0 of it.
func gather(views []*View, clock trace.Clock) map[string]*side {
	methods := map[string]*side{}
	for i, v := range views {
		certain := !v.Profile.Sampled() && v.Profile.Technique != trace.UnknownTechnique
		for j := range v.Profile.Methods {
			m := &v.Profile.Methods[j]
			name := v.symbols.Method(m.ID).String()
			s := methods[name]
			if s == nil {
				s = &side{exclusive: newMeasured(len(views)), inclusive: newMeasured(len(views))}
				methods[name] = s
			}
			s.exclusive.add(i, &m.Exclusive, clock, certain)
			s.inclusive.add(i, &m.Inclusive, clock, certain)
			s.calls += float64(m.Calls.Reported) / float64(len(views))
			s.samples = max(s.samples, m.Exclusive.Runs.Samples, m.Inclusive.Runs.Samples)
		}
	}
	return methods
}

func newMeasured(traces int) measured {
	return measured{make([]estimate.Time, traces), true}
}

// add adds a method's time in trace i; two methods of one name are one.
func (m *measured) add(i int, s *estimate.Share, clock trace.Clock, certain bool) {
	t := s.On(clock)
	m.times[i].Value += t.Value
	m.times[i].Low += t.Low
	m.times[i].High += t.High
	if !certain && t.Value > 0 && (!clock.HasWall() && s.NoCPU) {
		m.known = false
	}
}

// add compares one method.
func (d *Diff) add(name string, old, now *side, step time.Duration) {
	c := MethodChange{Name: name, OnlyOld: now == nil, OnlyNew: old == nil}
	if old == nil {
		old = &side{exclusive: newMeasured(d.OldTraces), inclusive: newMeasured(d.OldTraces)}
	}
	if now == nil {
		now = &side{exclusive: newMeasured(d.NewTraces), inclusive: newMeasured(d.NewTraces)}
	}
	c.OldCalls, c.NewCalls = old.calls, now.calls
	enough := max(old.samples, now.samples) >= minSamples
	c.Exclusive = d.compare(&old.exclusive, &now.exclusive, step, enough)
	c.Inclusive = d.compare(&old.inclusive, &now.inclusive, step, enough)
	d.Methods = append(d.Methods, c)
}

// minSamples is how many samples a method needs, in one trace, to be tested.
const minSamples = 5

func (d *Diff) compare(old, now *measured, step time.Duration, enough bool) Change {
	var v verdict
	if d.Basis == Runs {
		v = compareRuns(old, now)
	} else {
		v = compareSampled(old, now, step)
		if !enough {
			v.p = math.NaN()
		}
	}
	ns := func(f float64) time.Duration { return time.Duration(math.Round(f)) }
	if old.mean() == 0 && now.mean() == 0 {
		v.p = math.NaN()
	}
	return Change{Old: ns(old.mean()), New: ns(now.mean()), Low: ns(v.low), High: ns(v.high), P: v.p}
}

// conclude corrects for the number of methods and puts them in order.
func (d *Diff) conclude() {
	slices.SortFunc(d.Methods, func(a, b MethodChange) int {
		return cmp.Or(cmp.Compare(b.Exclusive.Difference().Abs(), a.Exclusive.Difference().Abs()), cmp.Compare(a.Name, b.Name))
	})
	correct := func(of func(*MethodChange) *Change) (tested int) {
		p := make([]float64, len(d.Methods))
		for i := range d.Methods {
			p[i] = of(&d.Methods[i]).P
		}
		for i, q := range falseDiscovery(p) {
			of(&d.Methods[i]).Q = q
			if !math.IsNaN(q) {
				tested++
			}
		}
		return tested
	}
	d.Tested = correct(func(m *MethodChange) *Change { return &m.Exclusive })
	correct(func(m *MethodChange) *Change { return &m.Inclusive })
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
}
