package firefox_test

import (
	"testing"

	"artifice/format/internal/firefox"
	"artifice/format/internal/formattest"
)

func FuzzFirefox(f *testing.F) { formattest.FuzzDumps(f, firefox.Format, smallFirefox) }

func TestCut(t *testing.T) { formattest.CutDumps(t, firefox.Format, smallFirefox) }
