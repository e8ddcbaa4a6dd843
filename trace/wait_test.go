package trace

import "testing"

func TestWaitWordsRoundTrip(t *testing.T) {
	for w := Running; w < waitsCount; w++ {
		if got, ok := ParseWait(w.String()); !ok || got != w {
			t.Errorf("ParseWait(%q) = %v, %v, want %d", w.String(), got, ok, w)
		}
	}
	if w, ok := ParseWait("nap"); ok {
		t.Errorf("ParseWait(nap) = %v, want nothing", w)
	}
}
