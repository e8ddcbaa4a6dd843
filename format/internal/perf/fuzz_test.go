package perf_test

import (
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/perf"
)

// seeds are small files of the format.
var seeds = []string{
	"# c\nV8 W 1/2 [000] 1.5: 3 cycles:u:\n\t1 f+0x1->g(int) (/tmp/perf-1.map)\n\t2 [unknown] ([vdso])\n\njava 0 2.0: cycles:u:\n\t1 La;.b (x (deleted))\n\n",
}

func FuzzPerf(f *testing.F) { formattest.FuzzDumps(f, perf.Format, seeds...) }

func TestCut(t *testing.T) { formattest.CutDumps(t, perf.Format, seeds...) }
