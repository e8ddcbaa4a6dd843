package recorder

// Ring keeps the last of the entries that are added to it.
type Ring[T any] struct {
	size int // 0: all are kept
	last []T // up to twice as many as are kept
}

// NewRing returns a ring of so many entries; 0: of any number.
func NewRing[T any](size int) Ring[T] { return Ring[T]{size: size} }

// Add adds an entry.
func (r *Ring[T]) Add(x T) {
	if r.last = append(r.last, x); r.size > 0 && len(r.last) >= 2*r.size {
		r.last = append([]T(nil), r.last[r.size:]...)
	}
}

// Kept returns the entries that are kept, in the order in which they were added.
func (r *Ring[T]) Kept() []T {
	if r.size == 0 {
		return r.last
	}
	return r.last[max(0, len(r.last)-r.size):]
}
