package diffstack

import (
	"testing"
	"time"
)

// The expected ends follow from the definitions of the policies: ART's next sample, btrace 3's last
// sample + 10 ns and last sample + min(gap, 1 ms), and the midpoint.
func TestSliceEnds(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		word             string
		last, next, want time.Duration
	}{
		{"next", 10 * ms, 15 * ms, 15 * ms},
		{"last", 10 * ms, 15 * ms, 10*ms + 10},
		{"last", 10 * ms, 10*ms + 4, 10*ms + 4},
		{"capped", 10 * ms, 15 * ms, 11 * ms},
		{"capped", 10 * ms, 10*ms + 500, 10*ms + 500},
		{"mid", 10 * ms, 15 * ms, 12500 * time.Microsecond},
	}
	for _, test := range tests {
		e, err := ParseSliceEnd(test.word)
		if err != nil || e.String() != test.word || !e.Valid() {
			t.Errorf("%s: parsed as %v, %v", test.word, e, err)
		}
		if got := e.Between(test.last, test.next); got != test.want {
			t.Errorf("%s between %s and %s: %s, want %s", e, test.last, test.next, got, test.want)
		}
	}
	if e, err := ParseSliceEnd("first"); err == nil {
		t.Errorf("ParseSliceEnd(first) = %v, want an error", e)
	}
	if SliceEnd(4).Valid() {
		t.Error("slice end 4 is valid")
	}
}
