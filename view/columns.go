package view

import (
	"encoding/binary"

	"artifice/internal/eventlog"
)

// column appends n numbers.
func (e *encoder) column(n int, value func(int) uint64) column {
	c := column{At: e.size(), Count: int64(n)}
	for i := range n {
		e.number(value(i))
	}
	c.Bytes = e.size() - c.At
	return c
}

// differences appends n ascending numbers, each as its difference from the previous one.
func (e *encoder) differences(n int, value func(int) int64) column {
	last := int64(0)
	return e.column(n, func(i int) uint64 {
		now := value(i)
		step := now - last
		last = now
		return uint64(step)
	})
}

// signed appends n numbers, each as its signed difference from the previous one.
func (e *encoder) signed(n int, value func(int) int64) column {
	last := int64(0)
	return e.column(n, func(i int) uint64 {
		now := value(i)
		step := now - last
		last = now
		return zigzag(step)
	})
}

// zigzag encodes a signed number as an unsigned number that is small if the absolute value is
// small.
func zigzag(n int64) uint64 { return uint64(n<<1) ^ uint64(n>>63) }

func (e *encoder) spans(spans []span) *spanColumns {
	return &spanColumns{
		Start:    e.differences(len(spans), func(i int) int64 { return e.at(spans[i].Start) }),
		Duration: e.column(len(spans), func(i int) uint64 { return uint64(e.units(spans[i].Duration)) }),
	}
}

func (e *encoder) texts(list []string) (t textTable) {
	t.Lengths = e.column(len(list), func(i int) uint64 { return uint64(len(list[i])) })
	t.At = e.size()
	for _, s := range list {
		e.text(s)
	}
	t.Bytes = e.size() - t.At
	return t
}

// body contains the columns of a page. They wait until the preceding header, which states their
// offsets, is complete. More than 8 MiB wait in a temporary file.
type body struct {
	stored *eventlog.DiskBuffer // columns that have been flushed
	wait   []byte               // columns not flushed yet, which follow stored
	err    error                // error of the temporary file; nothing is written after it
}

// bodyBlock is the number of bytes flushed at one time.
const bodyBlock = 1 << 16

// newBody returns a body without columns.
func newBody() *body {
	return &body{stored: eventlog.NewDiskBuffer(""), wait: make([]byte, 0, bodyBlock)}
}

// size returns the number of bytes.
func (b *body) size() int64 { return b.stored.Size() + int64(len(b.wait)) }

// number appends a number.
func (b *body) number(n uint64) {
	if cap(b.wait)-len(b.wait) < binary.MaxVarintLen64 {
		b.flush()
	}
	b.wait = binary.AppendUvarint(b.wait, n)
}

// text appends the bytes of a string.
func (b *body) text(s string) {
	b.flush()
	b.write([]byte(s))
}

// flush moves the waiting bytes to stored.
func (b *body) flush() {
	b.write(b.wait)
	b.wait = b.wait[:0]
}

func (b *body) write(p []byte) {
	if _, err := b.stored.Write(p); b.err == nil {
		b.err = err
	}
}

// Close removes the temporary file.
func (b *body) Close() error { return b.stored.Close() }
