//go:build !linux

package testdata

import "os"

// ProcessMemory returns 0: it is implemented only on Linux.
func ProcessMemory(*os.ProcessState) int64 { return 0 }

// Shrink does nothing: it is implemented only on Linux.
func Shrink() {}
