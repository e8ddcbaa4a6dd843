package main

import (
	"testing"

	"artifice/bench"
	"artifice/cmd/internal/command"
)

// TestRequestedGoal: a budget without a goal asks for the most accurate configuration within it, by
// the CPU time correctly attributed. A goal has its own measure, even of 100 %.
func TestRequestedGoal(t *testing.T) {
	for _, c := range []struct {
		goal   bench.Goal
		budget float64
		want   bench.Goal
		asked  bool
	}{
		{asked: false},
		{budget: 0.05, want: bench.Goal{Measure: bench.OverlapRunning, Budget: 0.05}, asked: true},
		{goal: bench.Goal{Measure: bench.RecallRunning, Wanted: 1}, want: bench.Goal{Measure: bench.RecallRunning, Wanted: 1}, asked: true},
		{goal: bench.Goal{Measure: bench.RecallRunning, Wanted: 0.9}, budget: 0.1, want: bench.Goal{Measure: bench.RecallRunning, Wanted: 0.9, Budget: 0.1}, asked: true},
	} {
		f := benchFlags{goal: goalValue{Goal: c.goal}}
		f.budget = command.Percent(c.budget)
		if got, asked := f.requestedGoal(); asked != c.asked || got.Measure != c.want.Measure || got.Wanted != c.want.Wanted || got.Budget != c.want.Budget {
			t.Errorf("goal %+v, budget %g: %+v, asked %t; want %+v", c.goal, c.budget, got, asked, c.want)
		}
	}
}
