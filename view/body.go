package view

import (
	"encoding/binary"

	"artifice/internal/eventlog"
)

// Body is the columns of a page. They wait, beyond 8 MiB in a temporary file, until the
// header in front of them, which says where they are, is known.
type Body struct {
	Spool *eventlog.Spool // the columns, once they are flushed
	wait  []byte          // behind what is in spool
	Err   error           // of the temporary file; nothing more is written then
}

// bodyBlock is how many bytes are handed on at once.
const bodyBlock = 1 << 16

// NewBody returns a body without columns.
func NewBody() *Body {
	return &Body{Spool: eventlog.NewSpool(""), wait: make([]byte, 0, bodyBlock)}
}

// Size returns how many bytes there are.
func (b *Body) Size() int64 { return b.Spool.Size() + int64(len(b.wait)) }

// Number adds a number.
func (b *Body) Number(n uint64) {
	if cap(b.wait)-len(b.wait) < binary.MaxVarintLen64 {
		b.Flush()
	}
	b.wait = binary.AppendUvarint(b.wait, n)
}

// Text adds the bytes of a string.
func (b *Body) Text(s string) {
	b.Flush()
	b.write([]byte(s))
}

// Flush hands on what waits.
func (b *Body) Flush() {
	b.write(b.wait)
	b.wait = b.wait[:0]
}

func (b *Body) write(p []byte) {
	if _, err := b.Spool.Write(p); b.Err == nil {
		b.Err = err
	}
}

// Close removes the temporary file.
func (b *Body) Close() error { return b.Spool.Close() }
