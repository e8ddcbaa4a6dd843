package cpuprofile_test

import (
	"testing"

	"artifice/format/internal/cpuprofile"
	"artifice/format/internal/formattest"
)

// seeds are small files of the format.
var seeds = []string{
	smallCPUProfile,
	`{"head":{"functionName":"(root)","id":1,"callUID":1,"children":[{"functionName":"a","id":2}]},"startTime":1,"endTime":2,"samples":[2],"timestamps":[1000000]}`,
}

func FuzzCPUProfile(f *testing.F) { formattest.FuzzDumps(f, cpuprofile.Format, seeds...) }

func TestCut(t *testing.T) { formattest.CutDumps(t, cpuprofile.Format, seeds...) }

func FuzzSamples(f *testing.F) { formattest.FuzzDumps(f, cpuprofile.Samples, hermes, twoProfiles) }
