package main

import (
	"testing"

	"artifice/internal/testdata"
)

// TestManual runs the sessions of docs/expect.md and research/README.md that run this program.
func TestManual(t *testing.T) {
	testdata.RunResearch(t, "expect", ".", 5, 1, "docs/expect.md", "research/README.md")
}
