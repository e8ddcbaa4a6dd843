//go:build !linux

package process

import "os"

// Memory returns 0: only Linux is asked.
func Memory(*os.ProcessState) int64 { return 0 }

// Shrink does nothing: only Linux is asked.
func Shrink() {}
