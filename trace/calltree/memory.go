package calltree

import "unsafe"

// Memory is where the contexts of a tree are kept when they can be more than a machine has
// room for, together with columns of numbers for them.
type Memory interface {
	// Allocate returns that many bytes, which are zero and aligned to a line of the cache,
	// or nil: then ordinary memory is used. The garbage collector does not look into them.
	Allocate(bytes uintptr) unsafe.Pointer

	// Touch reports that so many bytes have been accessed, so that pages can be given back.
	Touch(bytes int)
}

// newIn returns a T that is zero, in m; a nil m is ordinary memory.
func newIn[T any](m Memory) *T {
	if m != nil {
		var t T
		if p := m.Allocate(unsafe.Sizeof(t)); p != nil {
			return (*T)(p)
		}
	}
	return new(T)
}

// makeIn returns n zero values in m.
func makeIn[T any](m Memory, n int) []T {
	if m != nil {
		var t T
		if p := m.Allocate(unsafe.Sizeof(t) * uintptr(n)); p != nil {
			return unsafe.Slice((*T)(p), n)
		}
	}
	return make([]T, n)
}

// appendIn appends v to list, whose memory is of m: where it has to be copied it gets room for as many again.
func appendIn[T any](m Memory, list []T, v T) []T {
	if len(list) == cap(list) {
		more := makeIn[T](m, max(1, 2*cap(list)))
		copy(more, list)
		list = more[:len(list)]
	}
	return append(list, v)
}
