package simpleperf_test

import (
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/simpleperf"
)

// textSeeds are small files of the format.
var textSeeds = []string{
	"sample:\n  event_type: cpu-clock\n  time: 5\n  thread_id: 7\n  thread_name: a\n  vaddr_in_file: 1\n  file: x\n  symbol: f\n  callchain:\n    vaddr_in_file: 2\n    file: [JIT app cache]\n    symbol: a.B.g\nlost_situation:\n",
}

func FuzzText(f *testing.F) { formattest.FuzzDumps(f, simpleperf.Text, textSeeds...) }

func TestCutText(t *testing.T) { formattest.CutDumps(t, simpleperf.Text, textSeeds...) }

// protoSeeds are small files of the format.
var protoSeeds = []string{
	string(simpleperfFileOf(proto(1, proto(1, 9, 2, 7, 3, proto(1, 5, 2, 1, 3, 0))), proto(3, proto(1, 1, 2, "x", 3, "f")), proto(4, proto(1, 7, 2, 6, 3, "t")))),
}

func FuzzProto(f *testing.F) { formattest.FuzzDumps(f, simpleperf.Proto, protoSeeds...) }

func TestCutProto(t *testing.T) { formattest.CutDumps(t, simpleperf.Proto, protoSeeds...) }
