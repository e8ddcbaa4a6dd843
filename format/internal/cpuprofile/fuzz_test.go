package cpuprofile_test

import (
	"testing"

	"artifice/format/dumptest"
	"artifice/format/internal/cpuprofile"
)

// seeds are small files of the format.
var seeds = []string{
	smallCPUProfile,
	`{"head":{"functionName":"(root)","id":1,"callUID":1,"children":[{"functionName":"a","id":2}]},"startTime":1,"endTime":2,"samples":[2],"timestamps":[1000000]}`,
}

func FuzzCPUProfile(f *testing.F) { dumptest.Fuzz(f, cpuprofile.Format, seeds...) }

func TestCut(t *testing.T) { dumptest.Cut(t, cpuprofile.Format, seeds...) }
