package jfr_test

import (
	"testing"

	"artifice/format/internal/formattest"
	"artifice/format/internal/jfr"
)

func FuzzJFR(f *testing.F) { formattest.FuzzDumptest(f, jfr.Format, smallJFR) }

func TestCut(t *testing.T) { formattest.DumptestCut(t, jfr.Format, smallJFR) }
