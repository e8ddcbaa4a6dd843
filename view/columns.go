package view

import (
	"encoding/binary"

	"artifice/internal/eventlog"
)

// column adds n numbers.
func (e *encoder) column(n int, value func(int) uint64) column {
	c := column{At: e.size(), Count: int64(n)}
	for i := range n {
		e.number(value(i))
	}
	c.Bytes = e.size() - c.At
	return c
}

// differences adds n numbers that do not fall, each as its difference to the one
// before.
func (e *encoder) differences(n int, value func(int) int64) column {
	last := int64(0)
	return e.column(n, func(i int) uint64 {
		now := value(i)
		step := now - last
		last = now
		return uint64(step)
	})
}

// signed adds n numbers, each as its signed difference to the one before.
func (e *encoder) signed(n int, value func(int) int64) column {
	last := int64(0)
	return e.column(n, func(i int) uint64 {
		now := value(i)
		step := now - last
		last = now
		return zigzag(step)
	})
}

// zigzag returns a signed number as a short unsigned one.
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

// body is the columns of a page. They wait, beyond 8 MiB in a temporary file, until the header
// before them is known, which states their offsets.
type body struct {
	stored *eventlog.DiskBuffer // the columns, once they are flushed
	wait   []byte               // after the contents of Buffer
	err    error                // of the temporary file; nothing more is written then
}

// bodyBlock is how many bytes are handed on at once.
const bodyBlock = 1 << 16

// newBody returns a body without columns.
func newBody() *body {
	return &body{stored: eventlog.NewDiskBuffer(""), wait: make([]byte, 0, bodyBlock)}
}

// size returns how many bytes there are.
func (b *body) size() int64 { return b.stored.Size() + int64(len(b.wait)) }

// number adds a number.
func (b *body) number(n uint64) {
	if cap(b.wait)-len(b.wait) < binary.MaxVarintLen64 {
		b.flush()
	}
	b.wait = binary.AppendUvarint(b.wait, n)
}

// text adds the bytes of a string.
func (b *body) text(s string) {
	b.flush()
	b.write([]byte(s))
}

// flush hands on what waits.
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
