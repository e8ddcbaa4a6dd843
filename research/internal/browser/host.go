package browser

import (
	"fmt"
	"os"
	"testing"
)

// Host is the testing.TB of a program that installs other programs as tests do: to skip or fail
// ends the program.
type Host struct {
	testing.TB // nil; other methods are not used
	name       string
	cleanups   []func()
}

// NewHost returns the host of a program; its name begins messages and temporary folders.
func NewHost(name string) *Host { return &Host{name: name} }

// Helper implements [testing.TB].
func (h *Host) Helper() {}

// Cleanup implements [testing.TB].
func (h *Host) Cleanup(f func()) { h.cleanups = append(h.cleanups, f) }

// TempDir implements [testing.TB].
func (h *Host) TempDir() string {
	dir, err := os.MkdirTemp("", h.name+"-")
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// Fatal implements [testing.TB].
func (h *Host) Fatal(args ...any) { h.end(fmt.Sprintln(args...)) }

// Skip implements [testing.TB].
func (h *Host) Skip(args ...any) { h.end(fmt.Sprintln(args...)) }

// Fatalf implements [testing.TB].
func (h *Host) Fatalf(format string, args ...any) { h.end(fmt.Sprintf(format+"\n", args...)) }

func (h *Host) end(why string) {
	h.Finish()
	fmt.Fprint(os.Stderr, h.name+": "+why)
	os.Exit(1)
}

// Finish runs the cleanups, the last one first.
func (h *Host) Finish() {
	for len(h.cleanups) > 0 {
		last := h.cleanups[len(h.cleanups)-1]
		h.cleanups = h.cleanups[:len(h.cleanups)-1]
		last()
	}
}
