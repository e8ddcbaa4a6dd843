package speedscope_test

import (
	"testing"

	"artifice/format/internal/formattest"

	"artifice/format/internal/speedscope"
)

func FuzzSampled(f *testing.F) { formattest.FuzzDumptest(f, speedscope.Sampled, smallSpeedscope) }

func FuzzEvented(f *testing.F) { formattest.Fuzz(f, speedscope.Format, smallEvented) }

func TestCut(t *testing.T) {
	formattest.DumptestCut(t, speedscope.Sampled, smallSpeedscope)
	formattest.Cut(t, speedscope.Format, false, smallEvented)
}
