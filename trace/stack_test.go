package trace

import "testing"

// TestDepthAfter: the depth is the one that a stack has after the same event.
func TestDepthAfter(t *testing.T) {
	for action := range Action(4) {
		for depth := range 3 {
			for method := range MethodID(2) { // that of the open frames, and another
				var s Stack[struct{}]
				for range depth {
					s.Apply(&Event{}, struct{}{})
				}
				e := Event{Method: method, Action: action}
				s.Apply(&e, struct{}{})
				if got := DepthAfter(&e, depth); got != s.Depth() {
					t.Errorf("%s of method %d at depth %d: %d, want %d", action, method, depth, got, s.Depth())
				}
			}
		}
	}
}
