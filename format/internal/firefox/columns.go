package firefox

import (
	"io"

	"artifice/internal/eventlog"
)

// The maximum number of rows of all threads in memory, some 1 MB, and the minimum number of rows of
// a thread that are written to the file at one time, because reading back small pieces is slow.
const (
	rowsInMemory = 1 << 15
	minRows      = 128
)

// columnNames are the columns of a thread's samples; the last is omitted without CPU times.
var columnNames = [...]string{"stack", "time", "weight", "threadCPUDelta"}

// sampleColumns contains the text of these columns, with a comma after each value. The latest rows
// are in memory, earlier ones in parts of a DiskBuffer.
type sampleColumns struct {
	latest [len(columnNames)][]byte
	fresh  int // number of rows in memory
	parts  []columnPart
	rows   int
}

// columnPart is a part of every column in a DiskBuffer, one column after the other, from off on.
type columnPart struct {
	off   int64
	sizes [len(columnNames)]uint32
}

// begin prepares a row, which the caller then appends to the latest rows. If these have reached the
// limit per thread, begin first moves them to wait.
func (c *sampleColumns) begin(each int, wait *eventlog.DiskBuffer) error {
	c.rows++
	if c.fresh < each {
		c.fresh++
		return nil
	}
	c.fresh = 1
	part := columnPart{off: wait.Size()}
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

// copyTo writes a column to w, without the comma after its last value.
func (c *sampleColumns) copyTo(w io.Writer, column int, wait *eventlog.DiskBuffer) error {
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
