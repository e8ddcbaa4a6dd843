package cli

import (
	"math"
	"testing"
)

// TestSize checks that sizes are whole numbers of powers of 1024, up to 63 bits.
func TestSize(t *testing.T) {
	for text, want := range map[string]Size{"4096": 4096, "64KiB": 64 << 10, "8 MiB": 8 << 20, "1GiB": 1 << 30, "8589934591GiB": math.MaxInt64 - (1<<30 - 1)} {
		var s Size
		if err := s.Set(text); err != nil || s != want {
			t.Errorf("%q: %d, %v, want %d", text, int64(s), err, int64(want))
		}
	}
	for _, text := range []string{"8589934592GiB", "-1", "1.5MiB", "MiB", "8MB"} {
		s := Size(7)
		if err := s.Set(text); err == nil || s != 7 {
			t.Errorf("%q: %d, %v", text, int64(s), err)
		}
	}
}
