package speedscope_test

import (
	"testing"

	"artifice/format/calltest"
	"artifice/format/dumptest"
	"artifice/format/internal/speedscope"
)

func FuzzSampled(f *testing.F) { dumptest.Fuzz(f, speedscope.Sampled, smallSpeedscope) }

func FuzzEvented(f *testing.F) { calltest.Fuzz(f, speedscope.Format, smallEvented) }

func TestCut(t *testing.T) {
	dumptest.Cut(t, speedscope.Sampled, smallSpeedscope)
	calltest.Cut(t, speedscope.Format, false, smallEvented)
}
