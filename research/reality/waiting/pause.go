//go:build !linux

package waiting

import "time"

// pause lets the goroutine sleep: other systems tell Go of no sleep in the kernel, and what this package predicts was
// never measured there.
func pause(d time.Duration) { time.Sleep(d) }

// gate lets one through each time that it is opened, in the order of their coming.
type gate chan bool

func newGate() gate { return make(gate, 16) }

func (g gate) open() { g <- true }

func (g gate) wait() { <-g }
