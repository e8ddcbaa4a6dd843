//go:build !linux

package eventlog

import "unsafe"

// SpillMemory is ordinary memory.
type SpillMemory struct {
	// Partner is nothing here.
	Partner *SpillMemory
}

func (m *SpillMemory) Allocate(uintptr) unsafe.Pointer { return nil }

// Reset does nothing.
func (m *SpillMemory) Reset() {}

// Touch does nothing.
func (m *SpillMemory) Touch(int) {}

// Spilled returns 0.
func (m *SpillMemory) Spilled() int64 { return 0 }

// Close does nothing.
func (m *SpillMemory) Close() error { return nil }
