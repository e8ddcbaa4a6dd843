package eventlog

import "unsafe"

// SpillMemory is memory that continues in a temporary file: the columns of numbers for the
// calling contexts of a trace whose stacks never repeat can be more than a machine has room
// for. The first bytes are ordinary memory. Those after them are mapped from a file in TMPDIR,
// whose blocks are reserved before use, so that a full disk is an error in time. The system
// writes them out when it needs their memory. Pages are given back regularly besides, as the
// process would otherwise be seen to use all that it ever accessed. That is for Linux;
// elsewhere, and where there is no room for the file, all is ordinary memory.
//
// The garbage collector does not look into it: pointers in a SpillMemory may only refer to
// the same one.

const (
	inMemory  = 4 << 20  // bytes of ordinary memory
	pieceSize = 64 << 10 // of ordinary memory, got at once
	chunkSize = 4 << 20  // of the file, mapped at once
	resident  = 4 << 20  // bytes that are touched before pages are given back
	align     = 64       // a line of the processor's cache
)

// New returns a T that is zero, in the memory of m; nil is ordinary memory.
func New[T any](m *SpillMemory) *T {
	var t T
	if p := m.Allocate(unsafe.Sizeof(t)); p != nil {
		return (*T)(p)
	}
	return new(T)
}

// Make returns n of them.
func Make[T any](m *SpillMemory, n int) []T {
	var t T
	if p := m.Allocate(unsafe.Sizeof(t) * uintptr(n)); p != nil {
		return unsafe.Slice((*T)(p), n)
	}
	return make([]T, n)
}

// Extend returns list with n places, the new ones zero. It is for lists that grow step by step: where
// it has to be copied it gets room for as many again.
func Extend[T any](m *SpillMemory, list []T, n int) []T {
	if n > cap(list) {
		more := Make[T](m, max(n, 2*cap(list)))
		copy(more, list)
		list = more[:len(list)]
	}
	return list[:max(n, len(list))]
}

// Column is a list that grows: by pages, of which none is ever copied. The zero value is
// empty, and in ordinary memory.
type Column[T any] struct {
	Memory *SpillMemory
	pages  []*[columnPage]T
	count  int
}

// columnPage is how many places a page has.
const columnPage = 1 << 8

// Len returns how many places there are.
func (c *Column[T]) Len() int { return c.count }

// At returns the place of a number below Len.
func (c *Column[T]) At(i int) *T { return &c.pages[uint(i)/columnPage][uint(i)%columnPage] }

// Grow makes room for n places; new ones are zero.
func (c *Column[T]) Grow(n int) {
	for len(c.pages)*columnPage < n {
		c.pages = append(c.pages, New[[columnPage]T](c.Memory))
	}
	c.count = max(c.count, n)
}
