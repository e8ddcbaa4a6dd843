package view

import (
	"encoding/binary"

	"artifice/internal/eventlog"
)

// body is the columns of a page. They wait, beyond 8 MiB in a temporary file, until the
// header in front of them, which says where they are, is known.
type body struct {
	stored *eventlog.Spool // the columns, once they are flushed
	wait   []byte          // behind what is in spool
	err    error           // of the temporary file; nothing more is written then
}

// bodyBlock is how many bytes are handed on at once.
const bodyBlock = 1 << 16

// newBody returns a body without columns.
func newBody() *body {
	return &body{stored: eventlog.NewSpool(""), wait: make([]byte, 0, bodyBlock)}
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
