//go:build !linux

package waiting

import "time"

// pause blocks the goroutine for a time. On other systems Go does not support sleeping in the
// kernel, and this package's predictions were never measured there.
func pause(d time.Duration) { time.Sleep(d) }

// gate admits one waiter each time it is opened, in order of arrival.
type gate chan bool

func newGate() gate { return make(gate, 16) }

func (g gate) open() { g <- true }

func (g gate) wait() { <-g }
