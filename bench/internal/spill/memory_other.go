//go:build !linux

package spill

import "unsafe"

// Memory is ordinary memory.
type Memory struct {
	// Partner is nothing here.
	Partner *Memory
}

func (m *Memory) Allocate(uintptr) unsafe.Pointer { return nil }

// Reset does nothing.
func (m *Memory) Reset() {}

// Touch does nothing.
func (m *Memory) Touch(int) {}

// Spilled returns 0.
func (m *Memory) Spilled() int64 { return 0 }

// Close does nothing.
func (m *Memory) Close() error { return nil }
