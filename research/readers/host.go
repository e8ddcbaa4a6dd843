package main

import (
	"fmt"
	"os"
	"testing"
)

// host is the testing.TB for installing the readers: to skip or fail ends the program.
type host struct {
	testing.TB // nil; other methods are not used
	cleanups   []func()
}

func (h *host) Helper()          {}
func (h *host) Cleanup(f func()) { h.cleanups = append(h.cleanups, f) }

func (h *host) TempDir() string {
	dir, err := os.MkdirTemp("", "readers-")
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (h *host) Fatal(args ...any) { h.end(fmt.Sprintln(args...)) }
func (h *host) Skip(args ...any)  { h.end(fmt.Sprintln(args...)) }

func (h *host) Fatalf(format string, args ...any) { h.end(fmt.Sprintf(format+"\n", args...)) }

func (h *host) end(why string) {
	h.finish()
	fmt.Fprint(os.Stderr, "readers: "+why)
	os.Exit(1)
}

// finish stops everything that was started, in reverse order.
func (h *host) finish() {
	for len(h.cleanups) > 0 {
		last := h.cleanups[len(h.cleanups)-1]
		h.cleanups = h.cleanups[:len(h.cleanups)-1]
		last()
	}
}
