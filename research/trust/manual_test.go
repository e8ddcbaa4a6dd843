package main

import (
	"testing"

	"artifice/internal/testdata"
)

// TestManual runs the sessions of research/README.md that run this program or ../power.
func TestManual(t *testing.T) {
	for program, least := range map[string]int{"trust": 9, "power": 1} {
		testdata.RunResearch(t, program, "../"+program, least, 2, "research/README.md")
	}
}
