package diff

import (
	"errors"
	"math"
	"time"

	"artifice/internal/words"
	"artifice/report"
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

// MethodChange is one method on both sides.
type MethodChange struct {
	Name                 string // that of Of and its signature, until [Diff.Rename]
	Of                   report.Overload
	Exclusive, Inclusive Change
	OldCalls, NewCalls   float64 // reported, per trace
	OnlyOld, OnlyNew     bool

	method *trace.Method // of one of the traces; nil: Of is all that is known
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

	// Unlike says that the traces cannot be compared as they are, since tracing has slowed them
	// differently, and Shares that they are compared by shares of the time.
	Unlike            Unlike
	Shares            bool
	Shortest, Longest time.Duration // between samples

	Threads string // whose times these are, in words; "" says nothing
	Others  int    // how many other threads ran in the first trace
	Named   bool   // one method was named beforehand, and the others were left out
}

// Compare compares two sides of one or more traces, on one clock. Methods match as
// [trace.Naming] says; the test is of several traces a side. It fails when a trace does
// not have the clock.
func Compare(old, now []*report.View, clock trace.Clock, test Test) (*Diff, error) {
	s, name := Sides{Test: test}, report.Naming(old, now)
	for side, views := range [2][]*report.View{old, now} {
		for _, v := range views {
			s.Add(v, side)
		}
	}
	if clock.HasWall() && s.NoWall || clock.HasCPU() && s.NoCPU {
		return nil, errors.New("not all traces have the clock")
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
		if c.method = symbols[name]; s.unlike() != Alike && clock.HasWall() && c.method.Waits() {
			c.Exclusive.P = math.NaN() // waiting is no share of running
		}
		changes = append(changes, c)
	}
	d := s.Conclude(changes)
	d.Shares = s.unlike() != Alike
	return d, nil
}
