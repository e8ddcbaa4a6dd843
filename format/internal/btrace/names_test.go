package btrace

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzNames checks that a sampling-mapping is either read, or refused with an error that names the
// file.
func FuzzNames(f *testing.F) {
	f.Add(MappingFile("void a.B.main(java.lang.String[])", "<runtime method>"))
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

// MappingFile returns a mapping that names the given methods, at the addresses 16, 32 and so on,
// and the thread 4711.
func MappingFile(methods ...string) []byte {
	le := binary.LittleEndian
	b := le.AppendUint64(nil, 0)
	b = le.AppendUint32(b, 1)
	b = le.AppendUint32(b, uint32(len(methods)))
	for i, m := range methods {
		b = le.AppendUint64(b, uint64(i+1)*16)
		b = le.AppendUint16(b, uint16(len(m)))
		b = append(b, m...)
	}
	b = le.AppendUint16(b, 4711)
	b = append(b, 5)
	return append(b, "app.x\n"[:5]...)
}
