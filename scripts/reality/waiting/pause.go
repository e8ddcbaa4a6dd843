//go:build !linux

package waiting

import "time"

// pause lets the goroutine sleep: other systems tell Go of no sleep in the kernel, and what this package predicts was
// never measured there.
func pause(d time.Duration) { time.Sleep(d) }
