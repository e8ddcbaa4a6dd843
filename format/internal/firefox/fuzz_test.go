package firefox_test

import (
	"testing"

	"artifice/format/internal/firefox"
	"artifice/format/internal/formattest"
)

func FuzzFirefox(f *testing.F) { formattest.FuzzDumptest(f, firefox.Format, smallFirefox) }

func TestCut(t *testing.T) { formattest.DumptestCut(t, firefox.Format, smallFirefox) }
