package writer

import "google.golang.org/protobuf/encoding/protowire"

// frameList is the frames of a stack as a sample has them: a varint for each, the
// innermost first. One stack differs from the next in its innermost frames, so the
// list is filled from its end, and those that stay are not encoded again.
type frameList struct {
	filled []byte // from the end
	sizes  []int  // by frame, outermost first: bytes of it and all outside of it
}

// cut keeps the outermost frames.
func (l *frameList) cut(depth int) { l.sizes = l.sizes[:depth] }

// push adds a frame inside of all others.
func (l *frameList) push(id uint64) {
	used := 0
	if n := len(l.sizes); n > 0 {
		used = l.sizes[n-1]
	}
	size := used + protowire.SizeVarint(id)
	if size > len(l.filled) {
		more := make([]byte, 2*size)
		copy(more[2*size-used:], l.filled[len(l.filled)-used:])
		l.filled = more
	}
	protowire.AppendVarint(l.filled[:len(l.filled)-size], id)
	l.sizes = append(l.sizes, size)
}

// bytes returns the list, which is valid until the next push.
func (l *frameList) bytes() []byte {
	if len(l.sizes) == 0 {
		return nil
	}
	return l.filled[len(l.filled)-l.sizes[len(l.sizes)-1]:]
}
