//go:build !js

package main

import (
	"os"
	"syscall"
)

// hangUp is the signal of a terminal that closes.
var hangUp = []os.Signal{syscall.SIGHUP}
