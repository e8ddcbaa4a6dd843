package bench

import (
	"context"
	"strings"
	"testing"

	"artifice/bench/theory"
)

// TestVerify: everything agrees, and says the same when it is run again.
func TestVerify(t *testing.T) {
	if testing.Short() {
		t.Skip("takes several seconds")
	}
	var first, again []theory.Verdict
	if err := Verify(context.Background(), 1, func(v theory.Verdict) { first = append(first, v) }); err != nil {
		t.Error(err)
	}
	laws := map[string]int{}
	for _, v := range first {
		laws[v.Law]++
		if !v.OK() {
			t.Errorf("%v", v)
		}
	}
	for _, law := range []string{"one call", "jittered gaps", "total of a method", "method recall", "merging, periodic loop", "merging, random on/off", "isolated calls", "aliasing", "pause", "instrumented", "ideal overlap", "ideal Kendall τ", "frontier", "emulated: reported/true calls", "emulated: slowdown"} {
		if laws[law] == 0 {
			t.Errorf("nothing was checked of %q", law)
		}
	}
	Verify(context.Background(), 1, func(v theory.Verdict) { again = append(again, v) })
	for i := range first {
		if first[i].Measured != again[i].Measured {
			t.Errorf("%s changed when it was run again: %v, then %v", first[i].Law, first[i].Measured, again[i].Measured)
		}
	}
}

// TestVerifyStops: an interrupted run is no success.
func TestVerifyStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := Verify(ctx, 1, func(theory.Verdict) {})
	if err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("error %v", err)
	}
}
