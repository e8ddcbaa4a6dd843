package btrace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzNames checks that a sampling-mapping is either read, or refused with an error that names the
// file.
func FuzzNames(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00" + // a method
		"\x10\x00\x00\x00\x00\x00\x00\x00\x03\x00a()" + "\x67\x12\x05app.x")) // its address and name, and a thread's
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		name := filepath.Join(t.TempDir(), "sampling-mapping")
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
		names := names{file: name}
		if err := names.read(); err != nil && !strings.HasPrefix(err.Error(), name) {
			t.Errorf("error without a position: %v", err)
		}
		if len(names.methods)*10+len(names.threads)*3 > len(data) {
			t.Errorf("%d names in %d bytes", len(names.methods)+len(names.threads), len(data))
		}
	})
}
