package writer

import (
	"io"

	"artifice/internal/eventlog"
)

// firefoxFlush is how many rows of a thread wait apart: 2 KB of each column.
const firefoxFlush = 256

// firefoxNames are the columns of a thread's samples; the last is left out without CPU
// times.
var firefoxNames = [...]string{"stack", "time", "weight", "threadCPUDelta"}

// firefoxColumns are the text of these columns, each value with a comma behind it: the
// latest rows here, those before them in parts of a Spool.
type firefoxColumns struct {
	latest [len(firefoxNames)][]byte
	parts  []firefoxPart
	rows   int
}

// firefoxPart is a piece of every column in a Spool, one after the other from off on.
type firefoxPart struct {
	off   int64
	sizes [len(firefoxNames)]uint32
}

// begin makes room for a row, which is appended to the latest ones next.
func (c *firefoxColumns) begin(wait *eventlog.Spool) error {
	if c.rows++; c.rows == 1 || c.rows%firefoxFlush != 1 {
		return nil
	}
	part := firefoxPart{off: wait.Size()}
	for i, text := range c.latest {
		part.sizes[i] = uint32(len(text))
		if _, err := wait.Write(text); err != nil {
			return err
		}
		c.latest[i] = text[:0]
	}
	c.parts = append(c.parts, part)
	return nil
}

// copyTo writes a column to w, without the comma behind its last value.
func (c *firefoxColumns) copyTo(w io.Writer, column int, wait *eventlog.Spool) error {
	for i := range c.parts {
		part := &c.parts[i]
		off := part.off
		for _, size := range part.sizes[:column] {
			off += int64(size)
		}
		if err := wait.CopySection(w, off, int64(part.sizes[column])); err != nil {
			return err
		}
	}
	text := c.latest[column]
	_, err := w.Write(text[:max(0, len(text)-1)])
	return err
}
