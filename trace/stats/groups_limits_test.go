package stats

import (
	"testing"
	"time"

	"artifice/trace"
)

// TestGroupsCloserThanASampler: the comment of Groups and the message that info
// prints say that no sampler leaves less than 50 us between two samples of a
// thread. Groups of one event that are that far apart are a sampler's, and any
// that are closer an instrumented app's.
func TestGroupsCloserThanASampler(t *testing.T) {
	for _, c := range []struct {
		gap  time.Duration
		want trace.Technique
	}{
		{49999 * time.Nanosecond, trace.Instrumented},
		{50 * time.Microsecond, trace.Sampled},
		{50001 * time.Nanosecond, trace.Sampled},
	} {
		var g Groups
		for i := range 50 {
			g.WriteEvents([]trace.Event{{Wall: time.Duration(i) * c.gap, Method: 1, Action: trace.Action(i & 1)}})
		}
		if got, why := g.Technique(); got != c.want {
			t.Errorf("groups %v apart taken as %s: %s", c.gap, got, why)
		}
	}
}
