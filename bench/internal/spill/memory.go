// Package spill provides memory that continues in a temporary file, for columns of numbers with one
// entry per calling context. Package eventlog stores events.
package spill

import "unsafe"

// A Memory begins with ordinary memory. The rest is mapped from a file in TMPDIR. The file's blocks
// are reserved before use, so that a full disk is noticed in time. The system writes pages to the
// file when it needs their memory. Pages are also released regularly, because otherwise all pages
// ever accessed would count as used by the process. This applies to Linux. On other systems, and if
// the file cannot grow, everything is ordinary memory.
//
// The garbage collector does not scan a Memory, so pointers in it may only refer to the same
// Memory.

const (
	inMemory  = 4 << 20  // bytes of ordinary memory
	pieceSize = 64 << 10 // size of a piece of ordinary memory
	chunkSize = 4 << 20  // size of a mapped chunk of the file
	resident  = 4 << 20  // bytes that are accessed before pages are released
	align     = 64       // size of a cache line of the processor
)

// New returns a zero T in the memory of m; a nil m means ordinary memory.
func New[T any](m *Memory) *T {
	var t T
	if p := m.Allocate(unsafe.Sizeof(t)); p != nil {
		return (*T)(p)
	}
	return new(T)
}

// Make returns n zero values in the memory of m.
func Make[T any](m *Memory, n int) []T {
	var t T
	if p := m.Allocate(unsafe.Sizeof(t) * uintptr(n)); p != nil {
		return unsafe.Slice((*T)(p), n)
	}
	return make([]T, n)
}

// Extend returns list extended to n entries; the new ones are zero. It is for lists that grow in
// steps: a copied list gets twice its size.
func Extend[T any](m *Memory, list []T, n int) []T {
	if n > cap(list) {
		more := Make[T](m, max(n, 2*cap(list)))
		copy(more, list)
		list = more[:len(list)]
	}
	return list[:max(n, len(list))]
}

// Column is a list that grows by pages, which are never copied. The zero value is empty and uses
// ordinary memory.
type Column[T any] struct {
	Memory *Memory
	pages  []*[columnPage]T
	count  int
}

// columnPage is the number of entries of a page.
const columnPage = 1 << 8

// Len returns the number of entries.
func (c *Column[T]) Len() int { return c.count }

// At returns the entry with an index below Len.
func (c *Column[T]) At(i int) *T { return &c.pages[uint(i)/columnPage][uint(i)%columnPage] }

// Grow extends the column to n entries; new ones are zero.
func (c *Column[T]) Grow(n int) {
	for len(c.pages)*columnPage < n {
		c.pages = append(c.pages, New[[columnPage]T](c.Memory))
	}
	c.count = max(c.count, n)
}
