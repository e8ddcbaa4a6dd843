package blockinfo_test

import (
	"testing"

	"artifice/format/internal/blockinfo"
	"artifice/format/internal/formattest"
)

// seeds are small files of the format.
var seeds = []string{
	`{"sampleInterval":50,"stackTraceSamples":[{"time":1,"stackTraceElements":[{"declaringClass":"a.B","methodName":"m","fileName":"B.java","lineNumber":-2}]},{}],"x":[]} {"stackTraceSamples":null}`,
}

func FuzzBlockInfo(f *testing.F) { formattest.FuzzDumps(f, blockinfo.Format, seeds...) }

func TestCut(t *testing.T) { formattest.CutDumps(t, blockinfo.Format, seeds...) }
