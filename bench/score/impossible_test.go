package score_test

import (
	"io"
	"testing"
	"time"

	"artifice/bench/score"
	"artifice/trace"
)

// TestImpossible checks stacks against a truth in which A calls B and C, C never calls B, and
// kernel does not occur. The observed stacks A/C/B and A/C/B/A are impossible; A/kernel and
// A/kernel/B are not.
func TestImpossible(t *testing.T) {
	const A, B, C, kernel = 0, 1, 2, 3
	record := func(methods []string, stacks ...[]trace.MethodID) func() (*trace.Recording, error) {
		return func() (*trace.Recording, error) {
			s := &trace.Symbols{}
			s.AddThread(trace.Thread{Name: "main", End: 10 * time.Duration(len(stacks)) * time.Millisecond})
			for _, name := range methods {
				s.AddMethod(trace.Method{Class: "x.Y", Name: name})
			}
			var events []trace.Event
			for i, stack := range stacks {
				at := time.Duration(10*i) * time.Millisecond
				for _, m := range stack {
					events = append(events, trace.Event{Wall: at, CPU: at, Method: m, Action: trace.Enter})
				}
				at += 10 * time.Millisecond
				for j := len(stack) - 1; j >= 0; j-- {
					events = append(events, trace.Event{Wall: at, CPU: at, Method: stack[j], Action: trace.Exit})
				}
			}
			return &trace.Recording{Symbols: s, Info: trace.Info{Technique: trace.Truth}, Events: &list{events}}, nil
		}
	}
	truth := record([]string{"A", "B", "C"}, []trace.MethodID{A, B}, []trace.MethodID{A, C})
	for _, c := range []struct {
		stacks [][]trace.MethodID
		want   score.Impossible
	}{
		{[][]trace.MethodID{{A, B}, {A, C}, {C}, {B}}, score.Impossible{}},
		{[][]trace.MethodID{{A, kernel}, {A, kernel, B}}, score.Impossible{}},
		{[][]trace.MethodID{{A, B}, {A, C, B}, {A, C, B, A}, {A, C, B}}, score.Impossible{Stacks: 2, Time: 0.75, First: "x.Y.C → x.Y.B"}},
	} {
		s, err := score.Compare(truth, record([]string{"A", "B", "C", "kernel"}, c.stacks...), score.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if s.Impossible != c.want {
			t.Errorf("%v: %+v, want %+v", c.stacks, s.Impossible, c.want)
		}
	}
}

// list is a Reader of events.
type list struct{ left []trace.Event }

func (l *list) ReadEvents(p []trace.Event) (int, error) {
	n := copy(p, l.left)
	l.left = l.left[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}
