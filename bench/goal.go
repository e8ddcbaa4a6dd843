package bench

import (
	"fmt"
	"math"
	"strings"

	"artifice/bench/score"
	"artifice/internal/words"
)

// Goal is the accuracy that a trace must have and the cost that it may have. The zero value means
// [AssumedGoal].
type Goal struct {
	// Measure is the measure of accuracy: HottestInOrder, RecallRunning, OverlapRunning or
	// NamedSeen.
	Measure Measure

	// Wanted is the value that a single trace must reach, 0 to 1. A mode meets the goal if a share
	// of [Sure] of its traces does. 0: no requirement; the most accurate mode within the budget
	// wins.
	Wanted float64

	// Methods are the names for NamedSeen: CLASS.NAME or a suffix of it.
	Methods []string

	// Budget is the largest allowed slowdown minus 1. 0: any.
	Budget float64

	// assumed is set for the default goal.
	assumed bool
}

// AssumedGoal is the goal of a sweep without one. The trace must contain the five methods with the
// most CPU time and rank them correctly; methods that differ by at most a tenth may swap. Rows are
// measured by this goal, but nothing is recommended because of it.
var AssumedGoal = Goal{Measure: HottestInOrder, Wanted: 1, assumed: true}

// Sure is the share of traces that must meet a goal.
const Sure = 0.95

// check returns an error for an invalid goal.
func (g *Goal) check() error {
	switch {
	case g.Measure != HottestInOrder && g.Measure != RecallRunning && g.Measure != OverlapRunning && g.Measure != NamedSeen:
		return fmt.Errorf("%s cannot be a goal", g.Measure.Key())
	case !(g.Wanted >= 0 && g.Wanted <= 1):
		return fmt.Errorf("a goal of %v is not from 0 to 1", g.Wanted)
	case !(g.Budget >= 0) || math.IsInf(g.Budget, 1):
		return fmt.Errorf("a budget of %v: must be a share of at least 0", g.Budget)
	case (g.Measure == NamedSeen) != (len(g.Methods) > 0):
		return fmt.Errorf("method names are required for %s and for no other goal", NamedSeen.Key())
	}
	return nil
}

// String returns the goal as the predicate of "Goal:".
func (g Goal) String() string { return g.text("a slowdown of at most " + slowdown(1+g.Budget)) }

// text returns the goal with this limit of the cost.
func (g *Goal) text(limit string) string {
	s := ""
	switch {
	case g.Wanted == 0:
		return "best accuracy at " + limit
	case g.Measure == HottestInOrder:
		s = "the five methods with the most CPU time in the right order (methods with times within 10 % may swap)"
	case g.Measure == OverlapRunning:
		s = fmt.Sprintf("at least %s of CPU time correctly attributed", inPercent(g.Wanted))
	case g.Measure == NamedSeen:
		s = strings.Join(g.Methods, " and ") + " seen"
	default:
		s = fmt.Sprintf("at least %s of the methods with 1 %% of CPU time or more seen", inPercent(g.Wanted))
	}
	s += fmt.Sprintf(", in %s of traces", inPercent(Sure))
	if g.Budget > 0 {
		s += ", at " + limit
	}
	return s
}

// rounding bounds the rounding error of a mean of equal values.
const rounding = 1e-9

// reachedBy reports whether a trace with this value of the measure meets the goal.
func (g *Goal) reachedBy(value float64) bool { return value >= g.Wanted-rounding }

// Reached reports whether a row meets the goal regardless of its cost: a share of [Sure] of its
// traces does and, if validation runs were made, so do theirs.
func (g *Goal) Reached(row Row) bool {
	return row.Reaching >= Sure-rounding && (row.confirmed == nil || row.confirmed.holds)
}

// Fits reports whether a row is within the budget.
func (g *Goal) Fits(row Row) bool {
	cost := row.Cost()
	return cost.Fits(g.Budget)
}

// UnknownMethodError reports a goal with a method that the truth does not call.
type UnknownMethodError struct {
	Name  string
	Known []string // names of the methods that it calls
}

func (e *UnknownMethodError) Error() string { return fmt.Sprintf("no method %s is called", e.Name) }

// checkNamed returns an error if the truth does not call a method that the goal names.
func (g *Goal) checkNamed(r *score.Reference) error {
	for i, ids := range r.Named(g.Methods) {
		if len(ids) == 0 {
			return &UnknownMethodError{g.Methods[i], r.CalledNames()}
		}
	}
	return nil
}

// inPercent formats a share with three significant digits.
func inPercent(v float64) string { return inDigits(v) + " %" }

// inDigits formats a share in percent with three significant digits; a share below 1 is never
// rounded to 100.
func inDigits(v float64) string {
	s := fmt.Sprintf("%.3g", 100*v)
	switch {
	case s == "100" && v < 1-rounding:
		return "99.9"
	case v > 0 && v < 0.001:
		return "less than 0.1"
	}
	return s
}

// slowdown formats a slowdown, with a third decimal below 1.1.
func slowdown(v float64) string {
	if v < 1.1 {
		return fmt.Sprintf("%.3f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// ParseGoal parses the goal of a command line: hottest (the five hottest methods in order),
// overlap=95 (% of CPU time correctly attributed), recall=95 (% of the methods with at least 1 % of
// CPU time seen) or methods=NAME,NAME (all of them seen).
func ParseGoal(text string) (g Goal, err error) {
	name, value, _ := strings.Cut(text, "=")
	if text == "hottest" {
		g = AssumedGoal
		g.assumed = false
		return g, nil
	}
	switch name {
	case "overlap", "recall":
		share, err := words.ParsePercent(strings.TrimSuffix(value, "%") + "%")
		if err != nil || share <= 0 || share > 1 {
			return g, fmt.Errorf("%s is not a percentage above 0 and up to 100; write %s=95", words.Quote(value), name)
		}
		g.Measure, g.Wanted = RecallRunning, share
		if name == "overlap" {
			g.Measure = OverlapRunning
		}
	case "methods":
		g.Measure, g.Wanted, g.Methods = NamedSeen, 1, strings.Split(value, ",")
		for _, m := range g.Methods {
			if strings.TrimSpace(m) == "" {
				return g, fmt.Errorf("empty method name; write methods=Class.name,Other.name")
			}
		}
	default:
		return g, fmt.Errorf("%s is not a goal; write hottest, overlap=95, recall=95 or methods=NAME,NAME", words.Quote(text))
	}
	return g, nil
}
