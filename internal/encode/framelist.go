package encode

// FrameList is the frames of a stack as a sample has them, encoded, the innermost
// first. One stack differs from the next in its innermost frames, so the list is filled
// from its end, and those that stay are not encoded again.
type FrameList struct {
	filled []byte // from the end
	sizes  []int  // by frame, outermost first: bytes of it and all outside of it
}

// Depth returns how many frames there are.
func (l *FrameList) Depth() int { return len(l.sizes) }

// Cut keeps the outermost frames.
func (l *FrameList) Cut(depth int) { l.sizes = l.sizes[:depth] }

// Push adds a frame inside of all others and returns where its n bytes belong.
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

// size returns how many bytes there are.
func (l *FrameList) size() int {
	if len(l.sizes) == 0 {
		return 0
	}
	return l.sizes[len(l.sizes)-1]
}

// Bytes returns the list, which is valid until the next push.
func (l *FrameList) Bytes() []byte { return l.filled[len(l.filled)-l.size():] }
