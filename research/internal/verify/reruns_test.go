package verify

import (
	"context"
	"testing"

	"artifice/workload"
)

// TestReruns covers every built-in app with threads that share cores or wait for each other.
func TestReruns(t *testing.T) {
	values := 0
	r := &run{cfg: Config{Seed: 1}, tell: func(v Verdict) {
		if values++; !v.OK() {
			t.Errorf("%s, %s: %v, should be %v within %v", v.Case, v.What, v.Got, v.Want, v.Tolerance)
		}
	}}
	for _, p := range workload.Builtin() {
		if err := r.reruns(context.Background(), p); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if values == 0 {
		t.Error("nothing was compared")
	}
}
