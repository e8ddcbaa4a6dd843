package bench

import (
	"fmt"
	"math"
	"strings"

	"artifice/bench/score"
	"artifice/internal/words"
)

// Goal is what a trace is wanted for. The zero value stands for [AssumedGoal].
type Goal struct {
	// Measure is the one that decides: HottestInOrder, RecallRunning, OverlapRunning, or
	// NamedSeen.
	Measure Measure

	// Wanted is what one trace is to reach, 0 to 1, as people record one: it is reached
	// where a share of [Sure] of all traces does. 0: none; the best within the budget is
	// wanted.
	Wanted float64

	// Methods are the names for NamedSeen: class and name with a dot between, or the
	// end of that.
	Methods []string

	// Budget is how much longer than without tracing the run may be, as a share. 0: any.
	Budget float64

	// assumed says that nobody set the goal.
	assumed bool
}

// AssumedGoal is the goal of a sweep that was given none: the five methods with the most running
// time, in the right order where they differ by more than a tenth.
var AssumedGoal = Goal{Measure: HottestInOrder, Wanted: 1, assumed: true}

// Sure is the share of all traces that are to reach a goal, for it to be reached by one.
const Sure = 0.95

// check refuses goals that make no sense.
func (g *Goal) check() error {
	switch {
	case g.Measure != HottestInOrder && g.Measure != RecallRunning && g.Measure != OverlapRunning && g.Measure != NamedSeen:
		return fmt.Errorf("%s is not for a goal", g.Measure.Key())
	case !(g.Wanted >= 0 && g.Wanted <= 1):
		return fmt.Errorf("a goal of %v is not from 0 to 1", g.Wanted)
	case !(g.Budget >= 0) || math.IsInf(g.Budget, 1):
		return fmt.Errorf("a budget of %v is not a share", g.Budget)
	case (g.Measure == NamedSeen) != (len(g.Methods) > 0):
		return fmt.Errorf("%s needs names of methods, and no other goal does", NamedSeen.Key())
	}
	return nil
}

// String says what is wanted, as the end of a sentence.
func (g Goal) String() string {
	s := ""
	switch {
	case g.Wanted == 0:
		return fmt.Sprintf("the best accuracy at a slowdown of at most %s", slowdown(1+g.Budget))
	case g.Measure == HottestInOrder:
		s = "the five methods with the most running time, in the right order where they differ by more than a tenth,"
	case g.Measure == OverlapRunning:
		s = fmt.Sprintf("%s of the running time in the right method", inPercent(g.Wanted))
	case g.Measure == NamedSeen:
		s = strings.Join(g.Methods, " and ")
	default:
		s = fmt.Sprintf("%s of the methods with 1 %% of the running time or more", inPercent(g.Wanted))
	}
	s += fmt.Sprintf(" in %s of all traces", inPercent(Sure))
	if g.Budget > 0 {
		s += fmt.Sprintf(", at a slowdown of at most %s", slowdown(1+g.Budget))
	}
	return s
}

// rounding is by how much a mean of equal values may be off them.
const rounding = 1e-9

// reachedBy reports whether a trace with this value of the measure reaches the goal.
func (g *Goal) reachedBy(value float64) bool { return value >= g.Wanted-rounding }

// Reached reports whether a row reaches the goal, whatever it costs: enough of its traces do, each
// by itself, and so do those of other runs where these were tried.
func (g *Goal) Reached(row Row) bool {
	return row.Reaching >= Sure-rounding && (row.confirmed == nil || row.confirmed.holds)
}

// Fits reports whether a row is within the budget.
func (g *Goal) Fits(row Row) bool {
	return g.Budget == 0 || row.added() <= g.Budget+rounding
}

// UnknownMethodError reports a goal with a method that the truth does not call.
type UnknownMethodError struct {
	Name  string
	Known []string // names of those it does
}

func (e *UnknownMethodError) Error() string { return fmt.Sprintf("no method %s is called", e.Name) }

// checkNamed returns an error when the truth does not call a method that is named.
func (g *Goal) checkNamed(r *score.Reference) error {
	for i, ids := range r.Named(g.Methods) {
		if len(ids) == 0 {
			return &UnknownMethodError{g.Methods[i], r.CalledNames()}
		}
	}
	return nil
}

// inPercent writes a share in three digits.
func inPercent(v float64) string { return inDigits(v) + " %" }

// inDigits writes a share in percent, in three digits that do not claim to be all
// when they are not.
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

// slowdown writes how many times longer a run is.
func slowdown(v float64) string {
	if v < 1.1 {
		return fmt.Sprintf("%.3f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// ParseGoal returns the goal of a command line: hottest (the five hottest methods, in order),
// overlap=95 (% of the running time in the
// right method), recall=95 (% of the methods with 1 % of it seen) or methods=NAME,NAME
// (all of them seen).
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
			return g, fmt.Errorf("%s is not a share above 0 and up to 100 percent; write %s=95", words.Quote(value), name)
		}
		g.Measure, g.Wanted = RecallRunning, share
		if name == "overlap" {
			g.Measure = OverlapRunning
		}
	case "methods":
		g.Measure, g.Wanted, g.Methods = NamedSeen, 1, strings.Split(value, ",")
		for _, m := range g.Methods {
			if strings.TrimSpace(m) == "" {
				return g, fmt.Errorf("a name is empty; write methods=Class.name,Other.name")
			}
		}
	default:
		return g, fmt.Errorf("%s is not a goal; write hottest, overlap=95, recall=95 or methods=NAME,NAME", words.Quote(text))
	}
	return g, nil
}
