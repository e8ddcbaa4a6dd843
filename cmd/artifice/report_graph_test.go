package main

import (
	"strings"
	"testing"
)

// TestLongNames checks that longer names keep both ends, because Graphviz reads no text of more
// than 16384 bytes after escaping.
func TestLongNames(t *testing.T) {
	if got := shortened("abcdefghij", 5); got != "ab…ij" {
		t.Errorf("%q", got)
	}
	if got := shortened("äöü", 3); got != "äöü" {
		t.Errorf("%q", got)
	}
	if text := dotString(strings.Repeat("&", 20_000)); len(text) > 16384 || !strings.Contains(text, "…") {
		t.Errorf("%d bytes", len(text))
	}
}
