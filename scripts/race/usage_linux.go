package main

import (
	"os"
	"syscall"
)

// usageOf returns what a process used that has ended.
func usageOf(p *os.ProcessState) usage {
	return usage{p.UserTime() + p.SystemTime(), int64(p.SysUsage().(*syscall.Rusage).Maxrss) << 10} // Linux counts KiB
}
