//go:build !linux

package testdata

import "os"

// ProcessMemory returns 0: only Linux is asked.
func ProcessMemory(*os.ProcessState) int64 { return 0 }

// Shrink does nothing: only Linux is asked.
func Shrink() {}
