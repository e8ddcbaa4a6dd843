package trace

import (
	"slices"
	"testing"
)

// TestCheckerReportsNormal checks that breaches that occur in undamaged real traces are reported
// once per orphan exit, and once per thread with open frames.
func TestCheckerReportsNormal(t *testing.T) {
	symbols := &Symbols{Threads: make([]Thread, 4), Methods: make([]Method, 2)}
	counts := map[Rule]int{}
	c := NewChecker(&Info{Clock: Wall}, symbols, func(v *Violation) { counts[v.Rule]++ })
	c.WriteEvents([]Event{
		{Wall: 1000}, {Wall: 1500, Thread: 1}, {Wall: 1700, Thread: 2, Method: 1}, // the last has no exit
		{Wall: 1800, Thread: 1, Action: Unwind}, {Wall: 1900, Thread: 3, Method: 1, Action: Exit}, // the last has no frame
		{Wall: 2000, Action: Exit},
	})
	c.Close()
	if len(counts) != 2 || counts[EnterPresent] != 1 || counts[ExitPresent] != 1 {
		t.Errorf("reported %v", counts)
	}
}

// TestCheckerOrder checks that breaches are reported in the order of events, with the index of the
// event, independent of batches. Here one event breaks two rules, and those around it break one or
// none.
func TestCheckerOrder(t *testing.T) {
	symbols := &Symbols{Threads: make([]Thread, 2), Methods: make([]Method, 3)}
	events := []Event{
		{Wall: 5}, {Wall: 6, Method: 1}, {Wall: 7, Method: 2, Action: Exit}, // 2: not the innermost
		{Thread: 1, Wall: 1, Action: Exit}, // 3: an orphan
		{Wall: 4, Method: 1, Action: Exit}, // 4: earlier, and not the innermost
		{Thread: 2}, {Method: 3},           // 5, 6: unknown; change nothing
		{Wall: 4, Action: 3},                 // 7: unknown action, an orphan
		{Wall: 9, CPU: 3}, {Wall: 9, CPU: 2}, // 9: earlier CPU time
	}
	type breach struct {
		rule  Rule
		event int64
	}
	want := []breach{{ExitMatches, 2}, {EnterPresent, 3}, {WallForward, 4}, {ExitMatches, 4}, {KnownThread, 5}, {KnownMethod, 6},
		{KnownAction, 7}, {EnterPresent, 7}, {CPUForward, 9}, {ExitPresent, 10}}
	for batch := 1; batch <= len(events); batch++ {
		var got []breach
		c := NewChecker(&Info{Clock: Dual}, symbols, func(v *Violation) { got = append(got, breach{v.Rule, v.Event}) })
		for p := events; len(p) > 0; p = p[min(batch, len(p)):] {
			c.WriteEvents(p[:min(batch, len(p))])
		}
		c.Close()
		if !slices.Equal(got, want) {
			t.Errorf("in batches of %d: %v, want %v", batch, got, want)
		}
		if n := c.Nesting(); n.Orphans != 2 || n.Mismatches != 2 || n.Deepest() != 2 {
			t.Errorf("in batches of %d: %d orphans, %d mismatches, %d frames; want 2 each", batch, n.Orphans, n.Mismatches, n.Deepest())
		}
	}
}
