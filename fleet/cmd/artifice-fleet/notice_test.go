package main

import (
	"testing"

	"artifice/internal/testdata"
)

// TestNotice: fleet/NOTICE lists the modules linked into the program, on any system.
func TestNotice(t *testing.T) { testdata.CheckNotice(t, "../../NOTICE", ".") }
