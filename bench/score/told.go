package score

import (
	"time"

	"artifice/trace"
)

// ToldTimeline is for tracers that record every call that they see, some only when it
// has ended or when the trace has. Such a tracer tells of each event of its record when
// it happened, as [instrument.CallObserver]: that is where the event belongs.
type ToldTimeline struct{ MatchedTimeline }

// NewToldTimeline returns the timeline of a tracer that is to read the truth through it
// and has it as its observer.
func NewToldTimeline(state *TrueState) *ToldTimeline {
	return &ToldTimeline{*NewMatchedTimeline(state)}
}

// Told implements [instrument.CallObserver].
func (t *ToldTimeline) Told(e *trace.Event, app time.Duration) {
	if t.ahead.leavesOut(e.Thread) || int(e.Thread) >= len(t.threads) {
		return
	}
	waiting := &t.threads[e.Thread].waiting
	past, r := 0, waiting.Reader()
	for held := (trace.Event{}); past < waiting.Len(); past++ {
		if r.Next(&held); held.Wall > app {
			break
		}
	}
	for range past {
		t.take(e.Thread)
	}
	t.stacks.apply(e, app)
}

// WriteEvents implements [trace.Writer]: all that counts has been told.
func (t *ToldTimeline) WriteEvents([]trace.Event) error { return nil }
