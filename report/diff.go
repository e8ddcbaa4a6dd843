package report

import (
	"errors"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

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
	// Student is Student's t-test of the mean times, which finds small changes with few
	// traces. It takes both sides to vary alike, by half a sample at least: counts of
	// samples that agree by luck say nothing. The times of a method in runs of one app are
	// nearly normal; an outlier hides a change from it.
	Student Test = iota

	// Welch is Welch's, which lets sides vary differently, and is as wide as the error of
	// sampling at least. With three traces a side it finds next to nothing.
	Welch

	// MannWhitney is the test of the times' ranks, which assumes no distribution, and which an
	// outlier does not mislead. Five traces a side cannot have a p below 0.008, however large
	// the change: with hundreds of methods tested, it needs ten and more.
	MannWhitney
)

var testWords = []string{"student", "welch", "mann-whitney"}

// ParseTest returns what a word stands for: student, welch or mann-whitney.
func ParseTest(s string) (Test, error) { return words.Parse[Test]("test", testWords, s) }

// String returns the test's name in sentences.
func (t Test) String() string { return words.Of([]string{"Student", "Welch", "Mann-Whitney"}, t) }

// Significant is the q-value up to which a change counts as one.
const Significant = 0.05

// Change is how a method's time differs, per trace on average.
type Change struct {
	Old, New  time.Duration
	Low, High time.Duration // 95 % interval of New − Old
	P, Q      float64       // probability by chance, and corrected for the number of methods; NaN: unknown

	// Error is the standard error of New − Old, and Freedom its degrees of freedom, of
	// several traces a side; else 0.
	Error   time.Duration
	Freedom float64
}

// Difference returns New − Old.
func (c Change) Difference() time.Duration { return c.New - c.Old }

// IsSignificant reports whether the change is more than chance.
func (c Change) IsSignificant() bool { return c.Q <= Significant }

// Seen returns the smallest change that a comparison of this error finds in 80 of 100 cases, where
// it is one of so many that are tested: (t(1−α/2) + t(0.8)) times the error, with
// α = 0.05/tests. 0: the error is not known.
func (c Change) Seen(tests int) time.Duration {
	if c.Freedom <= 0 || tests < 1 {
		return 0
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: c.Freedom}
	return time.Duration((t.Quantile(1-Significant/2/float64(tests)) + t.Quantile(0.8)) * float64(c.Error))
}

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
