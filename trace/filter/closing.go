package filter

import (
	"cmp"
	"io"
	"slices"
	"time"

	"artifice/trace"
	"artifice/trace/stats"
)

// CloseFrames returns rec with exits for the frames that are open at its end, at the times that
// [trace.Lifetimes] determines. It is for formats that cannot state these times. No event of rec
// may have been read. If atStop is false, frames that last to the stop stay open. A recording
// without a wall clock is returned unchanged.
func CloseFrames(rec *trace.Recording, atStop bool) *trace.Recording {
	if !rec.Info.Clock.HasWall() {
		return rec
	}
	closed := *rec
	closed.Events = &closingReader{src: rec.Events, rec: rec, info: &closed.Info, atStop: atStop}
	return &closed
}

// closingReader appends exits to the events of src.
type closingReader struct {
	src      trace.Reader
	rec      *trace.Recording
	info     *trace.Info // of the result
	atStop   bool
	stacks   trace.Stacks
	last     []trace.Event // of each thread
	detector stats.Detector

	err   error         // of the end of src
	exits []trace.Event // to be delivered after it
}

// ReadEvents implements [trace.Reader].
func (c *closingReader) ReadEvents(p []trace.Event) (int, error) {
	if c.err != nil {
		n := copy(p, c.exits)
		if c.exits = c.exits[n:]; n == 0 {
			return 0, trace.ReadOnce(&c.err)
		}
		return n, nil
	}
	n, err := c.src.ReadEvents(p)
	c.observe(p[:n])
	if err == io.EOF {
		c.err, c.exits = err, c.open()
		*c.info = c.rec.Info // properties of the end
		if n == 0 {
			return c.ReadEvents(p)
		}
		err = nil
	}
	return n, err
}

func (c *closingReader) observe(p []trace.Event) {
	c.detector.Observe(&c.rec.Info, p)
	for i := range p {
		e := &p[i]
		if n := int(e.Thread) + 1 - len(c.last); n > 0 {
			c.last = append(c.last, make([]trace.Event, n)...)
		}
		c.last[e.Thread] = *e
		c.stacks.Apply(*e)
	}
}

// open returns the exits to append, in time order.
func (c *closingReader) open() (exits []trace.Event) {
	wall := time.Duration(0)
	for i := range c.last {
		wall = max(wall, c.last[i].Wall)
	}
	lives := trace.NewLifetimes(c.rec, c.detector.Technique(&c.rec.Info), wall)
	for i := range c.last {
		stack := c.stacks.Of(trace.ThreadID(i))
		if len(stack) == 0 {
			continue
		}
		e := c.last[i]
		e.Wall, _ = lives.End(e.Thread, e.Wall, true)
		if !c.atStop && e.Wall == lives.Stop() {
			continue
		}
		e.Action = trace.Exit
		for _, e.Method = range slices.Backward(stack) {
			exits = append(exits, e)
		}
	}
	slices.SortStableFunc(exits, func(a, b trace.Event) int { return cmp.Compare(a.Wall, b.Wall) })
	return exits
}
