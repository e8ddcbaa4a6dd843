package truths_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/internal/truths"
	"artifice/trace"
)

func TestCalls(t *testing.T) {
	events := []trace.Event{
		{Method: 9, Action: trace.Exit, Wall: 1}, // no enter
		{Method: 1, Wall: 2},                     // no exit
		{Method: 2, Wall: 3},
		{Method: 3, Wall: 3, Thread: 1}, // no exit
		{Method: 2, Wall: 4, Action: trace.Unwind},
	}
	calls, span := truths.Calls(events)
	if diff := cmp.Diff([]trace.Event{events[2], events[4]}, calls); diff != "" {
		t.Error(diff)
	}
	if span != 4+time.Microsecond {
		t.Errorf("span %v", span)
	}
	truths.Shift(calls, 10)
	if calls[0].Wall != 13 || calls[1].CPU != 10 {
		t.Errorf("shifted %v", calls)
	}
}
