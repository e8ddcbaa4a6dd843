package thread

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"artifice/trace"
)

// TestFirstSampleOfRecord checks that the first sample of a record does not depend on earlier ones.
// It enters all of its frames, and they are fresh. It exits no frame, because no frame has ended
// earlier.
func TestFirstSampleOfRecord(t *testing.T) {
	stamp := trace.Event{Wall: 30, CPU: 7, Thread: 3}
	s := Sample{Thread: 3, App: 20 * time.Nanosecond, ExitApp: 15, Stamp: stamp, Stack: []trace.MethodID{5, 6}, Fresh: 1,
		Events: []trace.Event{{Method: 9, Action: trace.Exit}}}
	s.First()
	enter := func(m trace.MethodID) trace.Event {
		e := stamp
		e.Method = m
		return e
	}
	want := Sample{Thread: 3, App: 20, ExitApp: 20, Stamp: stamp, Stack: []trace.MethodID{5, 6}, Fresh: 2, Events: []trace.Event{enter(5), enter(6)}}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
