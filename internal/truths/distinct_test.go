package truths_test

import (
	"testing"

	"artifice/internal/truths"
	"artifice/trace"
)

// TestDistinct: each exit is the innermost call's, and the stack, once grown, has 7 to 40
// frames (at 8 an exit may come, at 7 none).
func TestDistinct(t *testing.T) {
	events := make([]trace.Event, 10000)
	if n, err := truths.NewDistinct().ReadEvents(events); n != len(events) || err != nil {
		t.Fatal(n, err)
	}
	var open []trace.MethodID
	var most int
	for i, e := range events {
		if e.Action == trace.Enter {
			open = append(open, e.Method)
		} else {
			if n := len(open); n == 0 || open[n-1] != e.Method {
				t.Fatalf("event %d ends %d in %v", i, e.Method, open)
			}
			open = open[:len(open)-1]
		}
		if i >= 8 && len(open) < 7 {
			t.Fatalf("after event %d the stack has %d frames", i, len(open))
		}
		most = max(most, len(open))
	}
	if most != 40 {
		t.Errorf("the deepest stack has %d frames, want 40", most)
	}
}
