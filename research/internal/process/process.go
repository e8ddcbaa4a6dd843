// Package process measures the CPU time and the memory of processes that have ended.
package process

import (
	"os"
	"time"
)

// CPU returns the time on all cores, the system's included.
func CPU(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }
