package testdata

import (
	"os"
	"runtime/debug"
	"syscall"
)

// ProcessMemory returns the most that was in memory at a time, in bytes; 0 on systems other
// than Linux, each of which counts it in a way of its own. Linux counts from what the
// process that started it had in memory at most (exec_mmap in fs/exec.c), see Shrink.
func ProcessMemory(p *os.ProcessState) int64 {
	return int64(p.SysUsage().(*syscall.Rusage).Maxrss) << 10 // Linux counts KiB
}

// Shrink gives back what this process does not use and forgets what it had in memory at
// most (clear_refs in proc(5)), so that Memory of one that it starts next is that one's
// own, where it takes more than a Go program that does nothing.
func Shrink() {
	debug.FreeOSMemory()
	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // where it may not, Memory is the larger one
}
