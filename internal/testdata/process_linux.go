package testdata

import (
	"os"
	"runtime/debug"
	"syscall"
)

// ProcessMemory returns the peak memory of a process in bytes, or 0 on systems other than Linux,
// which count it differently. On Linux the initial peak is that of the process that started it
// (exec_mmap in fs/exec.c), see Shrink.
func ProcessMemory(p *os.ProcessState) int64 {
	return int64(p.SysUsage().(*syscall.Rusage).Maxrss) << 10 // in KiB
}

// Shrink returns unused memory of this process to the system and resets its peak (clear_refs in
// proc(5)). ProcessMemory of a process that it starts next is then that process's own, if it
// exceeds that of an idle Go program.
func Shrink() {
	debug.FreeOSMemory()
	os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // if not permitted, ProcessMemory is too large
}
