package trace_test

import (
	"strings"
	"testing"

	"artifice/trace"
)

// TestLimitsSet: a flag's words set one limit each, the others keep their
// defaults; what is no limit is refused.
func TestLimitsSet(t *testing.T) {
	var l trace.Limits
	for _, text := range []string{"depth=7", "ratio=2147483647"} {
		if err := l.Set(text); err != nil {
			t.Error(err)
		}
	}
	if got := l.String(); got != "depth=7 ratio=2147483647" {
		t.Errorf("set: %s", got)
	}
	if got := l.OrDefault().String(); got != "depth=7 methods=16777216 unlisted=131072 ratio=2147483647 samples=1048576" {
		t.Errorf("with defaults: %s", got)
	}
	for _, text := range []string{"", "depth", "depth=", "depth=0", "depth=-1", "depth=2147483648", "deep=9", "=9"} {
		if err := l.Set(text); err == nil || !strings.Contains(err.Error(), "depth, methods, unlisted, ratio, samples") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestDepths: exits make room, also one of another method and an unwind; an
// orphan makes none.
func TestDepths(t *testing.T) {
	in, out := trace.Enter, trace.Exit
	for _, c := range []struct {
		actions []trace.Action
		want    int
	}{
		{[]trace.Action{in, in}, 2},
		{[]trace.Action{in, in, in}, 2},
		{[]trace.Action{in, in, out, in, trace.Unwind, in, in}, 6},
		{[]trace.Action{out, out, in, in, in}, 4},
		{[]trace.Action{in, in, 3, in, in}, 4},
	} {
		var events []trace.Event
		for _, a := range c.actions {
			events = append(events, trace.Event{Action: a, Thread: 3}, trace.Event{Action: in, Thread: 9}, trace.Event{Action: out, Thread: 9})
		}
		got := 0
		var d trace.Depths // it goes on where it was, whatever the batches
		for len(events) > 0 {
			n := min(4, len(events))
			k := d.Within(events[:n], 2)
			got += k
			if k < n {
				break
			}
			events = events[n:]
		}
		if want := 3 * c.want; got != want {
			t.Errorf("%v: %d events are within the limit, want %d", c.actions, got, want)
		}
	}
}
