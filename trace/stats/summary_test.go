package stats

import (
	"strings"
	"testing"
	"time"

	"artifice/trace"
)

// TestSummary checks the counts of eight events of two threads, by hand. Thread 0 leaves a frame
// that was open before the trace. Then it leaves a method other than its innermost one, which
// closes the innermost one. One of its frames is open at the end. Thread 1 is listed and has no
// event. A method is added while the events are read.
func TestSummary(t *testing.T) {
	rec := &trace.Recording{Symbols: &trace.Symbols{
		Threads: make([]trace.Thread, 3), Methods: make([]trace.Method, 3),
	}}
	s := NewSummary(rec)
	us := func(n int) time.Duration { return time.Duration(n) * time.Microsecond }
	s.WriteEvents([]trace.Event{
		{Wall: us(10), Method: 2, Action: trace.Exit},
		{Wall: us(20), Method: 0},
		{Wall: us(30), Method: 1},
		{Wall: us(40), Method: 0, Action: trace.Exit},
		{Wall: us(5), Thread: 2, Method: 0},
		{Wall: us(90), Thread: 2, Method: 0, Action: trace.Unwind},
	})
	rec.Symbols.AddMethod(trace.Method{})
	rec.Symbols.AddMethod(trace.Method{})
	s.WriteEvents([]trace.Event{{Wall: us(50), Method: 4}, {Wall: us(60), Method: 4, Action: trace.Exit}})

	if want := [4]int64{4, 3, 1, 0}; s.Actions != want {
		t.Errorf("actions %v, want %v", s.Actions, want)
	}
	if first, last := s.Span(); first != us(5) || last != us(90) {
		t.Errorf("from %s to %s, want 5µs to 90µs", first, last)
	}
	if threads, methods := s.Used(); threads != 2 || methods != 4 {
		t.Errorf("%d threads and %d methods are used, want 2 and 4", threads, methods)
	}
	if open := s.Open(); open != 1 || s.Groups.Nesting().Orphans != 1 || s.Groups.Nesting().Mismatches != 1 {
		t.Errorf("%d frames open, %d orphans, %d mismatches; want one of each", open, s.Groups.Nesting().Orphans, s.Groups.Nesting().Mismatches)
	}
	threads := s.Threads()
	if len(threads) != 3 || threads[0].Events != 6 || threads[1].Events != 0 || threads[2].Events != 2 ||
		threads[0].First.Wall != us(10) || threads[0].Last.Wall != us(60) {
		t.Errorf("threads %+v", threads)
	}
}

// TestSummaryOfATruth checks that a truth states its technique, independent of its timestamps.
func TestSummaryOfATruth(t *testing.T) {
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Truth}, Symbols: &trace.Symbols{
		Threads: make([]trace.Thread, 1), Methods: make([]trace.Method, 2),
	}}
	s := NewSummary(rec)
	s.WriteEvents(sampledEvents(200))
	if technique, why := s.Technique(); technique != trace.Truth || why != "stated in the source" {
		t.Errorf("technique %s: %s", technique, why)
	}
	rec.Info.Technique = trace.UnknownTechnique
	if technique, _ := s.Technique(); technique != trace.Sampled {
		t.Errorf("technique %s, want sampled", technique)
	}
}

// TestSummaryFollowedBy checks that a summary with FollowedBy returns the same counts as one that
// tracks stacks itself, and distinguishes rare actions.
func TestSummaryFollowedBy(t *testing.T) {
	events := []trace.Event{{Action: trace.Exit}, {Wall: 1}, {Wall: 2, Method: 1, Action: trace.Unwind}, {Wall: 3}, {Wall: 4, Action: 3}}
	rec := &trace.Recording{Symbols: &trace.Symbols{Threads: make([]trace.Thread, 1), Methods: make([]trace.Method, 2)}}
	own, other := NewSummary(rec), NewSummary(rec)
	var n trace.Nesting
	other.Groups.FollowedBy(&n)
	n.Add(events)
	own.WriteEvents(events)
	other.WriteEvents(events)
	for _, s := range []*Summary{own, other} {
		technique, evidence := s.Technique()
		if want, _ := own.Technique(); technique != want || s.Open() != 0 || s.Actions != [4]int64{2, 1, 1, 1} ||
			!strings.Contains(evidence, "1 exits without entry, 1 unwinds") || s.Groups.Nesting().Mismatches != 1 {
			t.Errorf("%s (%s), %d open, actions %v, %+v", technique, evidence, s.Open(), s.Actions, s.Groups.Nesting())
		}
	}
}
