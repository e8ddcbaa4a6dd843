package folded_test

import (
	"runtime"
	"strings"
	"testing"

	"artifice/format/internal/folded"
	"artifice/format/internal/formattest"
	"artifice/format/internal/stackdump"
	"artifice/internal/testdata/tracetest"
)

// TestSeparators checks that a line of 1 MiB of separators takes memory in proportion to its
// length, and causes a single warning.
func TestSeparators(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := formattest.Parse(t, stackdump.Config{Format: folded.Format.Dumps}, "a"+strings.Repeat(";", 1<<20)+"b 1\n")
	tracetest.Events(t, s)
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 64<<20 {
		t.Errorf("%d MiB are allocated, want at most 64", allocated>>20)
	}
	if len(s.Warnings) != 1 || !strings.HasPrefix(s.Warnings[0].String(), "test.txt:1: an empty frame is ignored: \"a;;;") {
		t.Errorf("warnings %.300v, want one of an empty frame", s.Warnings)
	}
}
