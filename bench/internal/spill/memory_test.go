package spill_test

import (
	"os"
	"runtime"
	"testing"
	"unsafe"

	"artifice/bench/internal/spill"
)

// TestMemory: data persists in ordinary memory, in the file, if pages are released, and if no file
// can be created. New data is zero, also after Reset.
func TestMemory(t *testing.T) {
	noFile := func(t *testing.T) *spill.Memory {
		t.Setenv("TMPDIR", t.TempDir()+"/none")
		return new(spill.Memory)
	}
	for name, memory := range map[string]func(*testing.T) *spill.Memory{
		"none": func(*testing.T) *spill.Memory { return nil }, "file": func(*testing.T) *spill.Memory { return new(spill.Memory) }, "no file": noFile,
	} {
		t.Run(name, func(t *testing.T) {
			m := memory(t)
			for range 2 {
				const n = 100_000
				column := spill.Column[[16]int]{Memory: m} // 12 MB
				var list []*int
				for i := range n {
					column.Grow(i + 1)
					list = spill.Extend(m, list, i+1)
					if len(list) != i+1 || column.Len() != i+1 || *column.At(i) != [16]int{} || list[i] != nil {
						t.Fatalf("after %d: %d and %d elements, the last ones %v and %v", i, len(list), column.Len(), *column.At(i), list[i])
					}
					column.At(i)[15] = i
					list[i] = spill.New[int](m)
					*list[i] = -i
					m.Touch(100)
				}
				big := spill.Make[byte](m, 5<<20)
				for i := range big {
					if big[i] != 0 {
						t.Fatalf("byte %d is %d", i, big[i])
					}
					big[i] = byte(i)
				}
				runtime.GC()
				m.Touch(1 << 30)
				for i := range n {
					if column.At(i)[15] != i || *list[i] != -i {
						t.Fatalf("element %d has %d, %d", i, column.At(i)[15], *list[i])
					}
				}
				for i := range big {
					if big[i] != byte(i) {
						t.Fatalf("byte %d is %d", i, big[i])
					}
				}
				if name == "file" && runtime.GOOS == "linux" && m.Spilled() < 12<<20 {
					t.Errorf("%d bytes in the file", m.Spilled())
				}
				m.Reset()
			}
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAlignment: large data is aligned to the processor's cache lines.
func TestAlignment(t *testing.T) {
	m := new(spill.Memory)
	defer m.Close()
	for i := range 100_000 {
		if p := uintptr(unsafe.Pointer(spill.New[[64]byte](m))); runtime.GOOS == "linux" && p%64 != 0 {
			t.Fatalf("allocation %d begins at %#x", i, p)
		}
	}
}

// TestClose: Close removes the file.
func TestClose(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	m := new(spill.Memory)
	spill.Make[byte](m, 100<<20)
	spill.Make[byte](m, 100<<20)
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) > 0 {
		t.Error(list, err)
	}
}
