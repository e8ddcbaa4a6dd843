//go:build !linux

package spill

import "unsafe"

// Memory is ordinary memory.
type Memory struct {
	// Partner has no effect.
	Partner *Memory
}

func (m *Memory) Allocate(uintptr) unsafe.Pointer { return nil }

// Reset has no effect.
func (m *Memory) Reset() {}

// Touch has no effect.
func (m *Memory) Touch(int) {}

// Spilled returns 0.
func (m *Memory) Spilled() int64 { return 0 }

// Close has no effect.
func (m *Memory) Close() error { return nil }
