package speedscope_test

import (
	"testing"

	"artifice/format/internal/formattest"

	"artifice/format/internal/speedscope"
)

func FuzzSampled(f *testing.F) { formattest.FuzzDumps(f, speedscope.Sampled, smallSpeedscope) }

func FuzzEvented(f *testing.F) { formattest.Fuzz(f, speedscope.Format, smallEvented) }

func TestCut(t *testing.T) {
	formattest.CutDumps(t, speedscope.Sampled, smallSpeedscope)
	formattest.Cut(t, speedscope.Format, false, smallEvented)
}
