package firefox_test

import (
	"testing"

	"artifice/format/dumptest"
	"artifice/format/internal/firefox"
)

func FuzzFirefox(f *testing.F) { dumptest.Fuzz(f, firefox.Format, smallFirefox) }

func TestCut(t *testing.T) { dumptest.Cut(t, firefox.Format, smallFirefox) }
