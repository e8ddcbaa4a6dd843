package verify

import (
	"context"
	"testing"

	"artifice/internal/testdata"
	"artifice/workload"
)

// TestAllTracersInClosedLoop records every built-in app by every tracing method, in the loop:
// thousands of events for each sampler, tens of thousands for each event-driven tracer.
func TestAllTracersInClosedLoop(t *testing.T) {
	events := map[string]float64{}
	r := &run{cfg: Config{Seed: 1}, tell: func(v Verdict) {
		if events[v.What] += v.Got; !v.OK() {
			t.Errorf("%s, %s: %v of %v, %s", v.Case, v.What, v.Got, v.Want, v.First)
		}
	}}
	apps := workload.Builtin()
	for _, p := range testdata.SomeUnlessNamed(t, apps, 6) {
		if err := r.loops(context.Background(), p); err != nil {
			t.Error(err)
		}
	}
	t.Log(events)
}
