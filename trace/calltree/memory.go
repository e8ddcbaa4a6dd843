package calltree

import "unsafe"

// Memory allocates the contexts of a tree and their columns of values. It serves trees that can
// exceed ordinary memory.
type Memory interface {
	// Allocate returns zeroed memory of the given size, aligned to a cache line, or nil to use
	// ordinary memory. The garbage collector does not scan it.
	Allocate(bytes uintptr) unsafe.Pointer

	// Touch reports the number of bytes that have been accessed, so that pages can be released.
	Touch(bytes int)
}

// newIn returns a zero T allocated in m; a nil m means ordinary memory.
func newIn[T any](m Memory) *T {
	if m != nil {
		var t T
		if p := m.Allocate(unsafe.Sizeof(t)); p != nil {
			return (*T)(p)
		}
	}
	return new(T)
}

// makeIn returns a slice of n zero values allocated in m.
func makeIn[T any](m Memory, n int) []T {
	if m != nil {
		var t T
		if p := m.Allocate(unsafe.Sizeof(t) * uintptr(n)); p != nil {
			return unsafe.Slice((*T)(p), n)
		}
	}
	return make([]T, n)
}

// appendIn appends v to list, which is allocated in m. It doubles the capacity if necessary.
func appendIn[T any](m Memory, list []T, v T) []T {
	if len(list) == cap(list) {
		more := makeIn[T](m, max(1, 2*cap(list)))
		copy(more, list)
		list = more[:len(list)]
	}
	return append(list, v)
}
