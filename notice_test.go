package artifice_test

import (
	"testing"

	"artifice/internal/testdata"
)

// TestNotice: NOTICE lists the modules that end in the program, on any system.
func TestNotice(t *testing.T) { testdata.CheckNotice(t, "NOTICE", "./cmd/artifice") }
