package btrace_test

import (
	"testing"

	"artifice/format/internal/btrace"
	"artifice/format/internal/formattest"
)

// seeds are small files of the format.
var seeds = []string{
	string(fileOf(recordOf(8, 1, 1, 5, 1, 2, 32, 16), recordOf(16, 1, 9_000_000, 0, 0, 0, 16), recordOf(15, 2, 3, 0, 0, 0, 16))),
}

func FuzzSampling(f *testing.F) { formattest.FuzzDumps(f, btrace.Sampling, seeds...) }

func TestCut(t *testing.T) { formattest.CutDumps(t, btrace.Sampling, seeds...) }
