package recorder

// Ring keeps the last entries added to it.
type Ring[T any] struct {
	size int // 0: all entries are kept
	last []T // up to twice the entries that are kept
}

// NewRing returns a ring of size entries; 0 keeps all.
func NewRing[T any](size int) Ring[T] { return Ring[T]{size: size} }

// Add adds an entry.
func (r *Ring[T]) Add(x T) {
	if r.last = append(r.last, x); r.size > 0 && len(r.last) >= 2*r.size {
		r.last = append([]T(nil), r.last[r.size:]...)
	}
}

// Kept returns the kept entries in the order of adding.
func (r *Ring[T]) Kept() []T {
	if r.size == 0 {
		return r.last
	}
	return r.last[max(0, len(r.last)-r.size):]
}
