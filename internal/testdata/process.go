package testdata

import (
	"os"
	"time"
)

// ProcessCPU returns the CPU time on all cores, including system time.
func ProcessCPU(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }
