package encode

// FrameList is the encoded frames of a sampled stack, innermost first. Consecutive stacks differ
// in their innermost frames, so the list is filled from its end, and unchanged frames are not
// encoded again.
type FrameList struct {
	filled []byte // from the end
	sizes  []int  // by frame, outermost first: bytes of it and of all frames outside it
}

// Depth returns the number of frames.
func (l *FrameList) Depth() int { return len(l.sizes) }

// Cut keeps the depth outermost frames.
func (l *FrameList) Cut(depth int) { l.sizes = l.sizes[:depth] }

// Push adds a frame of n bytes inside all others and returns its memory.
func (l *FrameList) Push(n int) []byte {
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

// size returns the number of bytes.
func (l *FrameList) size() int {
	if len(l.sizes) == 0 {
		return 0
	}
	return l.sizes[len(l.sizes)-1]
}

// Bytes returns the list. It is valid until the next Push.
func (l *FrameList) Bytes() []byte { return l.filled[len(l.filled)-l.size():] }
