package blockinfo_test

import (
	"testing"
	"time"

	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/trace"
)

func TestBlockInfo(t *testing.T) {
	s := formattest.Parse(t, stackdump.Config{}, `{"startTime":1000,"endTime":1300,"dispatchFinish":true,"sampleInterval":50,"stackTraceSamples":[
{"time":1050,"stackTraceElements":[{"declaringClass":"java.lang.Thread","methodName":"sleep","fileName":"Thread.java","lineNumber":-2},{"declaringClass":"a.B","methodName":"m","fileName":"B.java","lineNumber":12}]},
{"time":1100,"stackTraceElements":[{"declaringClass":"a.B","methodName":"m","lineNumber":13}]}]}`)
	formattest.Same(t, formattest.Text(t, s), `
thread	1	main
0 - 1 enter a.B.m
0 - 1 enter java.lang.Thread.sleep
50000000 - 1 exit java.lang.Thread.sleep
`)
	formattest.Warned(t, s)
	if s.Info.Interval != 50*time.Millisecond {
		t.Errorf("interval %s, want 50ms as in the report", s.Info.Interval)
	}
	// A native method has line -2, as in Java's StackTraceElement.isNativeMethod.
	for _, m := range s.Symbols.Methods {
		if native := m.Flags&trace.Native != 0; native != (m.Name == "sleep") {
			t.Errorf("%s is native: %t", m.FullName(), native)
		}
	}
}
