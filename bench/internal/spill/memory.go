// Package spill provides memory that continues in a temporary file, for columns of numbers with one
// entry per calling context. Package eventlog stores events.
package spill

import "unsafe"

// A Memory begins with ordinary memory. The rest is mapped from a file in TMPDIR; its blocks are
// reserved before use, so that a full disk is an error in time. The system writes pages
// to the file when it needs their memory. They are also released regularly: otherwise all
// pages ever accessed would count as used by the process. That applies to Linux; elsewhere, and
// if the file has no room, all is ordinary memory.
//
// The garbage collector does not scan it: pointers in a Memory may only refer to the same one.

const (
	inMemory  = 4 << 20  // bytes of ordinary memory
	pieceSize = 64 << 10 // of ordinary memory, got at once
	chunkSize = 4 << 20  // of the file, mapped at once
	resident  = 4 << 20  // bytes that are touched before pages are given back
	align     = 64       // a line of the processor's cache
)

// New returns a T that is zero, in the memory of m; nil is ordinary memory.
func New[T any](m *Memory) *T {
	var t T
	if p := m.Allocate(unsafe.Sizeof(t)); p != nil {
		return (*T)(p)
	}
	return new(T)
}

// Make returns n of them.
func Make[T any](m *Memory, n int) []T {
	var t T
	if p := m.Allocate(unsafe.Sizeof(t) * uintptr(n)); p != nil {
		return unsafe.Slice((*T)(p), n)
	}
	return make([]T, n)
}

// Extend returns list with n entries, the new ones zero. It is for lists that grow step by step: a
// copied list gets twice its size.
func Extend[T any](m *Memory, list []T, n int) []T {
	if n > cap(list) {
		more := Make[T](m, max(n, 2*cap(list)))
		copy(more, list)
		list = more[:len(list)]
	}
	return list[:max(n, len(list))]
}

// Column is a list that grows by pages, which are never copied. The zero value is empty, and in
// ordinary memory.
type Column[T any] struct {
	Memory *Memory
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
