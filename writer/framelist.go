package writer

// frameList is the frames of a stack as a sample has them, encoded, the innermost
// first. One stack differs from the next in its innermost frames, so the list is filled
// from its end, and those that stay are not encoded again.
type frameList struct {
	filled []byte // from the end
	sizes  []int  // by frame, outermost first: bytes of it and all outside of it
}

// depth returns how many frames there are.
func (l *frameList) depth() int { return len(l.sizes) }

// cut keeps the outermost frames.
func (l *frameList) cut(depth int) { l.sizes = l.sizes[:depth] }

// push adds a frame inside of all others and returns where its n bytes belong.
func (l *frameList) push(n int) []byte {
	used := l.size()
	size := used + n
	if size > len(l.filled) {
		more := make([]byte, 2*size)
		copy(more[2*size-used:], l.filled[len(l.filled)-used:])
		l.filled = more
	}
	l.sizes = append(l.sizes, size)
	return l.filled[len(l.filled)-size:][:n]
}

// size returns how many bytes there are.
func (l *frameList) size() int {
	if len(l.sizes) == 0 {
		return 0
	}
	return l.sizes[len(l.sizes)-1]
}

// bytes returns the list, which is valid until the next push.
func (l *frameList) bytes() []byte { return l.filled[len(l.filled)-l.size():] }
