package stackdump

import (
	"fmt"
	"strings"
	"time"

	"artifice/trace"
)

// Epoch is when the truths of emulated dumps begin.
var Epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// FrameName returns class.method with dots in the class.
func FrameName(m *trace.Method) string {
	if m.Unlisted || m.Class == "" || m.Name == "" || strings.Contains(m.Class, ".") {
		return m.FullName()
	}
	return m.DottedClass() + "." + m.Name
}

// OneLine returns a name that stays on its line.
func OneLine(name string) string { return validText([]byte(name)) }

// JavaFrame returns a frame as StackTraceElement writes it.
func JavaFrame(m *trace.Method) string {
	name := OneLine(FrameName(m))
	switch {
	case m.Flags&trace.Native != 0:
		return name + "(Native Method)"
	case m.File == "":
		return name + "(Unknown Source)"
	case m.Line <= 0:
		return name + "(" + OneLine(m.File) + ")"
	}
	return fmt.Sprintf("%s(%s:%d)", name, OneLine(m.File), m.Line)
}
