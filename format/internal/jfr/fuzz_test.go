package jfr_test

import (
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/jfr"
)

func FuzzJFR(f *testing.F) { formattest.FuzzDumps(f, jfr.Format, smallJFR) }

func TestCut(t *testing.T) { formattest.CutDumps(t, jfr.Format, smallJFR) }
