package report

import (
	"errors"
	"slices"
	"time"

	"artifice/internal/words"
	"artifice/trace"
)

// Basis is what the errors of a difference are from.
type Basis uint8

const (
	// Sampling is the error of sampling alone: at least one side has one trace only,
	// which does not show how much runs vary.
	Sampling Basis = iota

	// Runs is the variation between several runs on each side, error of sampling included.
	Runs

	// Nothing is two single traces of every call: they differ exactly as they do.
	Nothing
)

// Test is how several traces a side are compared.
type Test uint8

const (
	// Welch is Welch's t-test of the mean times, which finds small changes with few
	// traces. The times of a method in runs of one app are nearly normal; an outlier hides a
	// change from it.
	Welch Test = iota

	// MannWhitney is the test of the times' ranks, which assumes no distribution, and which an
	// outlier does not mislead. Five traces a side cannot have a p below 0.008, however large
	// the change: with hundreds of methods tested, it needs ten and more.
	MannWhitney
)

var testWords = []string{"welch", "mann-whitney"}

// ParseTest returns what a word stands for: welch or mann-whitney.
func ParseTest(s string) (Test, error) { return words.Parse[Test]("test", testWords, s) }

// String returns the test's name in sentences.
func (t Test) String() string { return words.Of([]string{"Welch", "Mann-Whitney"}, t) }

// Significant is the q-value up to which a change counts as one.
const Significant = 0.05

// Change is how a method's time differs, per trace on average.
type Change struct {
	Old, New  time.Duration
	Low, High time.Duration // 95 % interval of New − Old
	P, Q      float64       // probability by chance, and corrected for the number of methods; NaN: unknown
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
	NoPeriod           bool // the sampling period of one of the traces is unknown
	Test               Test // where Basis is Runs
	OldTraces          int
	NewTraces          int
	Methods            []MethodChange // largest change of exclusive time first
	Tested             int            // methods whose exclusive time was tested
	Matched            float64        // share of the time in methods that both sides have
	OldTotal, NewTotal time.Duration  // of all methods' exclusive times, per trace
}

// Compare compares two sides of one or more traces, on one clock. Methods match as
// [trace.Naming] says; the test is of several traces a side. It fails when a trace does
// not have the clock.
func Compare(old, now []*View, clock trace.Clock, test Test) (*Diff, error) {
	s, name := Sides{Test: test}, naming(old, now)
	methods := map[string]*[2][]Place{}
	for side, views := range [2][]*View{old, now} {
		for i, v := range views {
			s.Add(v, side)
			for name, m := range timesBy(v, name) {
				if methods[name] == nil {
					methods[name] = &[2][]Place{}
				}
				places := &methods[name][side]
				*places = append(*places, Place{i, m})
			}
		}
	}
	if clock.HasWall() && s.NoWall || clock.HasCPU() && s.NoCPU {
		return nil, errors.New("not all traces have the clock")
	}
	var changes []MethodChange
	for name, places := range methods {
		changes = append(changes, s.Compare(name, places[0], places[1], clock))
	}
	return s.Conclude(changes), nil
}

// naming returns what methods of two sides match by.
func naming(old, now []*View) func(*trace.Method) string {
	var all []*trace.Symbols
	for _, v := range slices.Concat(old, now) {
		all = append(all, v.symbols)
	}
	name, _ := trace.Naming(all...)
	return name
}
