package jfr_test

import (
	"testing"

	"artifice/format/dumptest"
	"artifice/format/internal/jfr"
)

func FuzzJFR(f *testing.F) { dumptest.Fuzz(f, jfr.Format, smallJFR) }

func TestCut(t *testing.T) { dumptest.Cut(t, jfr.Format, smallJFR) }
