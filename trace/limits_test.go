package trace_test

import (
	"strings"
	"testing"

	"artifice/trace"
)

// TestLimitsSet checks that each word of a flag sets one limit, that other limits keep their
// defaults, and that invalid words are refused.
func TestLimitsSet(t *testing.T) {
	var l trace.Limits
	for _, text := range []string{"depth=7", "ratio=2147483647"} {
		if err := l.Set(text); err != nil {
			t.Error(err)
		}
	}
	if got := l.String(); got != "depth=7 ratio=2147483647" {
		t.Errorf("set: %s", got)
	}
	if got := l.OrDefault().String(); got != "depth=7 methods=16777216 unlisted=131072 ratio=2147483647 samples=1048576 frames=4194304" {
		t.Errorf("with defaults: %s", got)
	}
	for _, text := range []string{"", "depth", "depth=", "depth=0", "depth=-1", "depth=2147483648", "deep=9", "=9"} {
		if err := l.Set(text); err == nil || !strings.Contains(err.Error(), "depth, methods, unlisted, ratio, samples, frames") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
