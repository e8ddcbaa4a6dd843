package testdata

import (
	"os"
	"time"
)

// ProcessCPU returns the time on all cores, the system's included.
func ProcessCPU(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }
