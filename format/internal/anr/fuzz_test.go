package anr_test

import (
	"testing"

	"artifice/format/internal/anr"
	"artifice/format/internal/formattest"
)

// seeds are small files of the format.
var seeds = []string{
	formattest.ANR,
	"DALVIK THREADS:\n\"m\" prio=5 tid=1 N\n  at a.B.f(B.java:1)\n  ... repeated 3 times\n  #00 pc 00 x (f(int)+1) (BuildId: 2)\n  kernel: [<0>] f+0x1/0x2\n",
	playConsole,
	crashlytics,
}

func FuzzANR(f *testing.F) { formattest.FuzzDumps(f, anr.Format, seeds...) }

func TestCut(t *testing.T) { formattest.CutDumps(t, anr.Format, seeds...) }
