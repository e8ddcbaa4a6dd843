package instrument

import (
	"time"

	"artifice/trace"
)

// updatedClock is Matrix's (AppMethodBeat.sCurrentDiffTime): a number of whole
// milliseconds that a thread of its own brings up to date, so that reading it costs
// nothing. It is brought up to date when the main thread begins to dispatch a message,
// each so many milliseconds from then on, and when the message is done; between messages
// it stands still. Where no message is dispatched it is brought up to date all the time.
type updatedClock struct {
	begun bool          // a message has been dispatched
	since time.Duration // when the one began that is being dispatched
	shown time.Duration // what the clock shows between messages
	busy  bool          // a message is being dispatched
}

// read returns what the clock shows at a time, at which a method is entered or left.
func (c *updatedClock) read(at, step time.Duration, action trace.Action, m *trace.Method) time.Duration {
	if m.Name == "dispatchMessage" && m.DottedClass() == "android.os.Handler" {
		c.begun, c.busy, c.since = true, action == trace.Enter, at
		c.shown = at.Truncate(time.Millisecond)
		return c.shown
	}
	if c.busy || !c.begun {
		c.shown = (at - (at-c.since)%step).Truncate(time.Millisecond)
	}
	return c.shown
}
