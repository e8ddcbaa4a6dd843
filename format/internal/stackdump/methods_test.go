package stackdump

import (
	"testing"

	"artifice/trace"
)

// TestFramesAreDistinct checks that frames and methods that differ in a single part have different
// numbers, and that equal ones have the same number.
func TestFramesAreDistinct(t *testing.T) {
	f := NewFrames()
	all := []Frame{
		{Class: "a.B", Method: "f"}, {Class: "a", Method: "B.f"}, {Class: "a.B", Method: "f", File: "B.java"},
		{Class: "a.B", Method: "f", Line: 1}, {Class: "a.B", Method: "f", Kind: Kernel}, {Class: "a.B", Method: "f", JNI: true},
	}
	for range 2 {
		for i, frame := range all {
			if id := f.Add(frame); int(id) != i || *f.Frame(id) != frame {
				t.Errorf("frame %d has number %d, which is that of %v", i, id, *f.Frame(id))
			}
		}
	}
	var symbols trace.Symbols
	m := newMethodTable(f, &symbols, Config{})
	for i, want := range []trace.MethodID{0, 1, 0, 0, 2, 0} {
		if id := m.method(FrameID(i)); id != want {
			t.Errorf("frame %d is of method %d, want %d", i, id, want)
		}
	}
}
