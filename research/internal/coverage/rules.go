package coverage

import (
	"math"
	"time"

	"artifice/report/estimate"
)

// Rule is a method to compute an interval.
type Rule int

const (
	SqrtN Rule = iota // gprof's manual: the error of n samples is √n of them
	Plain             // runs of one sample are independent hits, longer ones T²/6 each
	Ours              // package estimate

	// Rules for the number of calls.
	AtLeast // the reported number is a lower bound
	Thinned // extrapolation from thinned samples, if they agree with the form
)

// Rules returns the rules of times in the order of tables.
func Rules() []Rule { return []Rule{SqrtN, Plain, Ours} }

// String returns the rule's name in tables.
func (r Rule) String() string {
	return [...]string{"sqrt(n)", "runs", "ours", "at least", "thinned"}[r]
}

// interval returns the 95 % interval that a rule gives a time.
func (r Rule) interval(t estimate.Time, runs estimate.Runs) estimate.Time {
	if r == Ours {
		return t
	}
	n := float64(runs.Samples)
	if r == Plain {
		n = float64(runs.Single) + float64(runs.Longer)/6
	}
	each := float64(t.Value) / float64(max(1, runs.Samples))
	half := time.Duration(1.96 * each * math.Sqrt(n))
	return estimate.Time{Value: t.Value, Low: t.Value - half, High: t.Value + half}
}
