package filter_test

import (
	"slices"
	"testing"

	"artifice/trace"
	"artifice/trace/filter"
)

// TestCloseFrames checks that frames of a thread that has exited end at its last event, and that
// frames of a thread that was alive end at the stop.
func TestCloseFrames(t *testing.T) {
	events := []trace.Event{
		{Wall: 10, Thread: 0, Method: 0},
		{Wall: 20, Thread: 1, Method: 0},
		{Wall: 30, Thread: 1, Method: 1},
		{Wall: 40, Thread: 0, Method: 1},
	}
	exited := []trace.Event{
		{Wall: 30, Thread: 1, Method: 1, Action: trace.Exit},
		{Wall: 30, Thread: 1, Method: 0, Action: trace.Exit},
	}
	alive := []trace.Event{
		{Wall: 100, Thread: 0, Method: 1, Action: trace.Exit},
		{Wall: 100, Thread: 0, Method: 0, Action: trace.Exit},
	}
	for _, atStop := range []bool{false, true} {
		rec := &trace.Recording{
			Symbols: &trace.Symbols{
				Threads: []trace.Thread{{AtStop: trace.Alive}, {AtStop: trace.Exited}},
				Methods: make([]trace.Method, 2),
			},
			Info:   trace.Info{Clock: trace.Wall, Technique: trace.Sampled, Elapsed: 100},
			Events: trace.NewSliceReader(slices.Clone(events)),
		}
		var got []trace.Event
		var err error
		for e, failed := range trace.All(filter.CloseFrames(rec, atStop).Events) {
			if got = append(got, e); failed != nil {
				err = failed
			}
		}
		want := slices.Concat(events, exited)
		if atStop {
			want = append(want, alive...)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("atStop %t: %v, %v\nwant %v", atStop, got, err, want)
		}
	}
}
