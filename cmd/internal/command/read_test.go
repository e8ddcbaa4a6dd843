package command

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadCompressed checks that a mapping can be compressed, and that the error of a damaged one
// begins with its name.
func TestReadCompressed(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("app.Main -> a.a:\n    void run() -> b\n"))
	z.Close()
	name := filepath.Join(t.TempDir(), "mapping.txt.gz")
	for _, n := range []int{packed.Len(), 3, packed.Len() / 2} {
		if err := os.WriteFile(name, packed.Bytes()[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		m, err := MappingFlag(name).read()
		if whole := n == packed.Len(); whole && (err != nil || !m.Has("a.a")) {
			t.Errorf("%+v, %v", m, err)
		} else if !whole && (err == nil || !strings.HasPrefix(err.Error(), name+":")) {
			t.Errorf("%d of %d bytes: %v", n, packed.Len(), err)
		}
	}
}
