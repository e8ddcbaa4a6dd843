package folded_test

import (
	"testing"

	"artifice/format/internal/folded"
	"artifice/format/internal/formattest"
)

// seeds are small files of the format.
var seeds = []string{
	"# c\na;b;c 1\r\n[m tid=3];x 2\n[m tid=3] 1\nbad\n",
	"\xff\xfea\x00 \x001\x00\n\x00",
	"# wall;us 0\na;b 1500\na;(toplevel) 2\n",
	"# cpu;ms 0\n[m tid=3];x 2\n[n tid=4];y;z 7\n",
}

func FuzzFolded(f *testing.F) { formattest.FuzzDumps(f, folded.Format, seeds...) }

func TestCut(t *testing.T) { formattest.CutDumps(t, folded.Format, seeds...) }
