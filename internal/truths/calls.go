package truths

import (
	"time"

	"artifice/trace"
)

// Calls returns the events that have their other half, an enter its exit and an
// exit its enter, and a time after which all of them can come again: what a
// benchmark needs to make a long trace of a real one.
func Calls(events []trace.Event) (calls []trace.Event, span time.Duration) {
	whole := make([]bool, len(events))
	open := make(map[trace.ThreadID][]int)
	for i, e := range events {
		stack := open[e.Thread]
		if e.Action == trace.Enter {
			open[e.Thread] = append(stack, i)
		} else if n := len(stack); n > 0 {
			whole[i], whole[stack[n-1]] = true, true
			open[e.Thread] = stack[:n-1]
		}
	}
	for i, e := range events {
		if whole[i] {
			calls = append(calls, e)
			span = max(span, e.Wall, e.CPU)
		}
	}
	return calls, span + time.Microsecond
}

// Shift makes events come later by that much, on both clocks.
func Shift(events []trace.Event, by time.Duration) {
	for i := range events {
		events[i].Wall += by
		events[i].CPU += by
	}
}
