// Package process tells what a process took that has ended.
package cli

import (
	"os"
	"time"
)

// CPU returns the time on all cores, the system's included.
func CPU(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }
