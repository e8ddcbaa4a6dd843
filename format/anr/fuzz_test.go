package anr_test

import (
	"testing"

	"artifice/format/anr"
	"artifice/format/dumptest"
)

// seeds are small files of the format.
var seeds = []string{
	dumptest.ANR,
	"DALVIK THREADS:\n\"m\" prio=5 tid=1 N\n  at a.B.f(B.java:1)\n  ... repeated 3 times\n  #00 pc 00 x (f(int)+1) (BuildId: 2)\n  kernel: [<0>] f+0x1/0x2\n",
}

func FuzzANR(f *testing.F) { dumptest.Fuzz(f, anr.Format, seeds...) }

func TestCut(t *testing.T) { dumptest.Cut(t, anr.Format, seeds...) }
