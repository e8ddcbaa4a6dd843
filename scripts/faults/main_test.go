package main

import (
	"slices"
	"testing"

	"artifice/internal/testdata"
)

// TestPlaces: the place of each fault is in the source, and in one place only.
func TestPlaces(t *testing.T) {
	for _, f := range slices.Concat(verified, faults) {
		if _, _, err := f.find(testdata.Root()); err != nil {
			t.Errorf("%s: %v", f.what, err)
		}
	}
}
