package diff

import (
	"fmt"
	"math"
	"slices"
	"time"

	"artifice/internal/words"
	"artifice/report"
	"artifice/trace"
)

// Basis is the source of the errors of a difference.
type Basis uint8

const (
	// Sampling is the sampling error alone. At least one side has a single trace, so between-run
	// variance is unknown.
	Sampling Basis = iota

	// Runs is the variance between several runs on each side, which includes sampling error.
	Runs

	// Nothing is no error: a side has a single trace, and all traces contain every call or the
	// sampling period of one is unknown.
	Nothing
)

// Test is the test of several traces a side.
type Test uint8

const (
	// Student is Student's t test of the mean times, which detects small changes with few
	// traces. It assumes equal variances, and a standard deviation of at least half a sample:
	// equal sample counts may be a coincidence. Times of a method in runs of one app are nearly
	// normal. An outlier reduces the power.
	Student Test = iota

	// Welch is Welch's t test, which allows unequal variances. Its standard error is at least the
	// sampling error. It has little power with three traces a side.
	Welch

	// MannWhitney is the Mann-Whitney U test of ranks, which assumes no distribution and is robust
	// to outliers. With five traces a side p is at least 0.008: to test hundreds of methods, it
	// needs ten or more.
	MannWhitney
)

var testWords = []string{"student", "welch", "mann-whitney"}

// ParseTest parses the name of a test: student, welch or mann-whitney.
func ParseTest(s string) (Test, error) { return words.Parse[Test]("test", testWords, s) }

// String returns the name of the test as text shows it: "Student's t".
func (t Test) String() string {
	return words.Of([]string{"Student's t", "Welch's t", "Mann-Whitney U"}, t)
}

// MethodChange is the change of one method.
type MethodChange struct {
	Name                 string // of Of with its signature, until [Diff.Rename]
	Of                   report.Overload
	Exclusive, Inclusive Change
	OldCalls, NewCalls   float64 // reported, per trace
	OnlyOld, OnlyNew     bool
	Waits                bool // threads wait in the method, in one of the traces

	method *trace.Method // from one of the traces; nil: only Of is known
}

// Diff is the difference of two sides.
type Diff struct {
	Basis              Basis
	NoPeriod           bool // the sampling period of one of the traces is unknown
	Test               Test // where Basis is Runs
	OldTraces          int
	NewTraces          int
	Methods            []MethodChange // largest change of exclusive time first
	Tested             int            // methods with a tested exclusive time
	Matched            float64        // share of time in methods of both sides
	OldTotal, NewTotal time.Duration  // of all methods' exclusive times, per trace

	// Unlike is set if tracing slowed the traces differently, so that their times are not
	// comparable. Shares is set if shares of time are compared instead.
	Unlike            Unlike
	Shares            bool
	Shortest, Longest time.Duration // between samples

	Threads string // description of the compared threads; "": none
	Others  int    // other threads that ran in the first trace
	Named   bool   // a single method, named beforehand, is tested

	Quantity trace.Quantity // of all traces, if they are profiles of another quantity than time
}

// Compare compares two sides of one or more traces each, on one clock. Methods are matched by
// [trace.Naming]. The test applies if both sides have several traces. Compare returns an error if a
// trace does not have the clock.
func Compare(old, now []*report.View, clock trace.Clock, test Test) (*Diff, error) {
	quantity, err := quantityOf(old, now)
	if err != nil {
		return nil, err
	}
	s, name := Sides{Test: test}, report.Naming(old, now)
	for side, views := range [2][]*report.View{old, now} {
		for _, v := range views {
			s.Add(v, side)
		}
	}
	if clock.HasWall() && s.NoWall || clock.HasCPU() && s.NoCPU {
		return nil, fmt.Errorf("a trace does not have the clock %s", clock)
	}
	of := shares(old, now, clock, s.unlike())
	methods, symbols := map[string]*[2][]Place{}, map[string]*trace.Method{}
	for side, views := range [2][]*report.View{old, now} {
		for i, v := range views {
			for key, m := range report.TimesBy(v, func(m *trace.Method) string {
				key := name(m)
				symbols[key] = m
				return key
			}) {
				if methods[key] == nil {
					methods[key] = &[2][]Place{}
				}
				m.Scale(of[side][i])
				places := &methods[key][side]
				*places = append(*places, Place{i, m})
			}
		}
	}
	var changes []MethodChange
	for name, places := range methods {
		c := s.Compare(report.Overload{Name: name}, places[0], places[1], clock)
		if c.method = symbols[name]; s.unlike() != Alike && clock.HasWall() && c.Waits {
			c.Exclusive.P = math.NaN() // a share of running time excludes waiting
		}
		changes = append(changes, c)
	}
	d := s.Conclude(changes)
	d.Shares, d.Quantity = s.unlike() != Alike, quantity
	return d, nil
}

// quantityOf returns the quantity that all traces are of. It fails if they are of different ones. A
// difference can be compared with profiles of its quantity.
func quantityOf(old, now []*report.View) (trace.Quantity, error) {
	all := slices.Concat(old, now)
	if len(all) == 0 {
		return trace.Quantity{}, nil
	}
	q := all[0].Profile.Quantity
	for _, v := range all[1:] {
		other := v.Profile.Quantity
		if other.IsSet() != q.IsSet() || other.Unit != q.Unit || other.Name != q.Name {
			return q, fmt.Errorf("the profiles contain %s and %s: select the same value of all profiles with --value NAME", describe(q), describe(other))
		}
		q.Signed = q.Signed || other.Signed
	}
	return q, nil
}

// describe returns a description of a trace or profile.
func describe(q trace.Quantity) string {
	if !q.IsSet() {
		return "times of threads"
	}
	return q.Describe()
}
