package recorder

import (
	"testing"
	"time"

	"artifice/trace"
)

// TestHandoffs checks a lock that is free at the start, a queue, and a future. The expected values
// are computed by hand.
func TestHandoffs(t *testing.T) {
	var h Handoffs[time.Duration]
	lock := func(does trace.LinkAct) trace.Link { return trace.Link{Does: does, Object: 0} }
	queue := func(does trace.LinkAct) trace.Link { return trace.Link{Does: does, Object: 1} }
	future := func(does trace.LinkAct) trace.Link { return trace.Link{Does: does, Object: 2} }
	for i, c := range []struct {
		link trace.Link
		at   time.Duration // given by the thread
		want time.Duration // received by the thread; -1: nothing
	}{
		{lock(trace.Takes), 0, -1}, {lock(trace.Gives), 5, -1}, {lock(trace.Takes), 0, 5}, {lock(trace.Gives), 9, -1},
		{queue(trace.Gives), 1, -1}, {queue(trace.Gives), 2, -1}, {lock(trace.Takes), 0, 9}, {queue(trace.Takes), 0, 1},
		{queue(trace.Gives), 3, -1}, {queue(trace.Takes), 0, 2}, {queue(trace.Takes), 0, 3}, {queue(trace.Takes), 0, -1},
		{future(trace.Sees), 0, -1}, {future(trace.Gives), 7, -1}, {future(trace.Gives), 8, -1}, {future(trace.Sees), 0, 7}, {future(trace.Sees), 0, 7},
		{trace.Link{Does: trace.Awaits}, 0, -1}, {trace.Link{}, 0, -1},
	} {
		got, ok := h.Match(c.link)
		if c.link.Does == trace.Gives {
			h.Give(c.link, c.at)
		}
		if ok != (c.want >= 0) || ok && got != c.want {
			t.Errorf("call %d, %+v: got %d (%t), want %d", i, c.link, got, ok, c.want)
		}
	}
}
