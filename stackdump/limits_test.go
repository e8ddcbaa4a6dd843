package stackdump

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"artifice/trace"
)

// TestFramesLimit: the line whose frame is one too many ends the reading.
func TestFramesLimit(t *testing.T) {
	var text strings.Builder
	for i := range 10 {
		fmt.Fprintf(&text, "a%d 1\n", i)
	}
	for most, wantLine := range map[int]int{9: 10, 10: 0} {
		s, err := New(strings.NewReader(text.String()), "roots", Config{Limits: trace.Limits{Methods: most}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = trace.Copy(trace.Discard, s)
		var le *trace.LimitError
		var fe *trace.FormatError
		switch {
		case wantLine == 0 && err != nil:
			t.Errorf("%d frames: %v", most, err)
		case wantLine > 0 && (!errors.As(err, &le) || le.Limit != "methods" || !errors.As(err, &fe) || fe.Line != wantLine):
			t.Errorf("%d frames: %v, want the limit methods at line %d", most, err, wantLine)
		}
		s.Close()
	}
}

// TestFramesAreTold: frames and methods that differ in one part only have numbers
// of their own, equal ones share theirs.
func TestFramesAreTold(t *testing.T) {
	f := NewFrames()
	all := []Frame{
		{Class: "a.B", Method: "f"}, {Class: "a", Method: "B.f"}, {Class: "a.B", Method: "f", File: "B.java"},
		{Class: "a.B", Method: "f", Line: 1}, {Class: "a.B", Method: "f", Kind: Kernel}, {Class: "a.B", Method: "f", JNI: true},
	}
	for range 2 {
		for i, frame := range all {
			if id := f.add(frame); int(id) != i || *f.Frame(id) != frame {
				t.Errorf("frame %d has the number %d, which is of %v", i, id, *f.Frame(id))
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
