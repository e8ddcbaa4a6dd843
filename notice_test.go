package artifice_test

import (
	"testing"

	"artifice/internal/testdata"
)

// TestNotice checks that NOTICE lists the modules that the program contains on any system.
func TestNotice(t *testing.T) { testdata.CheckNotice(t, "NOTICE", "./cmd/artifice") }
