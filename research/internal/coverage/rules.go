package coverage

import (
	"math"
	"time"

	"artifice/report/estimate"
)

// Rule is what an interval is made by.
type Rule int

const (
	SqrtN Rule = iota // gprof's manual: the error of n samples is √n of them
	Plain             // runs of one sample are independent hits, longer ones T²/6 each
	Ours              // package estimate

	// Of the number of calls.
	AtLeast // what is reported is a lower bound
	Thinned // what thinning makes of it, where that agrees with its form
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
