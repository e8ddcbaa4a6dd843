package process

import (
	"os"
	"syscall"
)

// Memory returns the most that was in memory at a time, in bytes; 0 on systems other
// than Linux, each of which counts it in a way of its own.
func Memory(p *os.ProcessState) int64 {
	return int64(p.SysUsage().(*syscall.Rusage).Maxrss) << 10 // Linux counts KiB
}
