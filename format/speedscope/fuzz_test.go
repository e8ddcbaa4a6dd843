package speedscope_test

import (
	"testing"

	"artifice/format/speedscope"
	"artifice/internal/dumptest"
)

func FuzzSampled(f *testing.F) { dumptest.Fuzz(f, speedscope.Sampled, smallSpeedscope) }

func TestCut(t *testing.T) { dumptest.Cut(t, speedscope.Sampled, smallSpeedscope) }
