package bench

import (
	"context"
	"strings"
	"testing"
)

// TestVerify: everything agrees, and says the same when it is run again.
func TestVerify(t *testing.T) {
	if testing.Short() {
		t.Skip("takes several seconds")
	}
	var first, again []Verdict
	if err := Verify(context.Background(), 1, func(v Verdict) { first = append(first, v) }); err != nil {
		t.Error(err)
	}
	laws := map[string]int{}
	for _, v := range first {
		laws[v.Law]++
		if !v.OK() {
			t.Errorf("%v", v)
		}
	}
	for _, law := range []string{"emulated: reported/true calls", "emulated: calls seen", "emulated: calls per reported", "emulated: samples", "emulated: period", "emulated: slowdown"} {
		if laws[law] == 0 {
			t.Errorf("nothing was checked of %q", law)
		}
	}
	Verify(context.Background(), 1, func(v Verdict) { again = append(again, v) })
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
	err := Verify(ctx, 1, func(Verdict) {})
	if err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("error %v", err)
	}
}
