package testdata

import (
	"os"
	"os/exec"
	"testing"
)

// large is more memory than a shell uses, and less than the limit of the test.
const large = 200 << 20

// TestShrink checks that, for a small program started by a large process, ProcessMemory is small
// only after Shrink.
func TestShrink(t *testing.T) {
	if _, err := os.Stat("/proc/self/clear_refs"); err != nil {
		t.Skip(err)
	}
	much := make([]byte, large)
	for i := 0; i < len(much); i += 4096 {
		much[i] = 1
	}
	if got := memoryOf(t); got < large {
		t.Errorf("a program started by one of %d MiB has %d MiB: Linux does not count the parent's memory, so Shrink is not needed", large>>20, got>>20)
	}
	much = nil
	Shrink()
	if got := memoryOf(t); got > large/4 {
		t.Errorf("a program that does nothing has %d MiB", got>>20)
	}
}

func memoryOf(t *testing.T) int64 {
	t.Helper()
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return ProcessMemory(cmd.ProcessState)
}
