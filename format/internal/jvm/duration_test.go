package jvm

import (
	"testing"
	"time"
)

// TestDuration checks that durations are rounded: 2.01 ms and 2.03 s are slightly less in binary.
func TestDuration(t *testing.T) {
	line := []byte(`"x" cpu=2.01ms elapsed=2.03s tid=0x1 bad=1e300s worse=xs last=1`)
	for _, test := range []struct {
		key, unit string
		one, want time.Duration
		ok        bool
	}{
		{" cpu=", "ms ", time.Millisecond, 2010 * time.Microsecond, true},
		{" elapsed=", "s ", time.Second, 2030 * time.Millisecond, true},
		{" bad=", "s ", time.Second, 0, false},
		{" worse=", "s ", time.Second, 0, false},
		{" last=", "s ", time.Second, 0, false},
		{" absent=", "s ", time.Second, 0, false},
	} {
		if got, ok := duration(line, test.key, test.unit, test.one); got != test.want || ok != test.ok {
			t.Errorf("%s: %s %t, want %s %t", test.key, got, ok, test.want, test.ok)
		}
	}
}
