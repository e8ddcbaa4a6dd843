package bench

import (
	"context"
	"math"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/internal/truths"
)

// TestStretchLaw counts, over apps whose threads wait, in how many rows the stretch of running time is within two standard
// errors of its closed form: 95 of 100, were it exact.
func TestStretchLaw(t *testing.T) {
	within, all := 0, 0
	apps := testdata.SomeUnlessNamed(t, []string{"w2-frame-60hz", "w2-periodic", "w3-on-off", "w9-rare-bursts", "w11-messages", "scroll-60hz", "game-loop", "network-client", "mid-program"}, 3)
	for _, app := range apps {
		r, err := Run(context.Background(), truths.Workload(t, app, 2*time.Second), Config{Devices: devices(t, "A", "B"), CPU: true, Phases: 24})
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range r.Rows {
			a, ok := row.Against(RunningStretch)
			if !ok {
				continue
			}
			all++
			if math.IsNaN(a.Z) || math.Abs(a.Z) <= 2 {
				within++
			} else {
				t.Logf("%s, device %s, %v: running takes %.4f times as long, by the law %.4f: z %+.1f", app, row.Device, row.Interval, a.Measured.Value, a.Law, a.Z)
			}
		}
	}
	if all < 10*len(apps) || within < 95*all/100 {
		t.Errorf("%d of %d rows are within two standard errors, want 95 %% of %d or more", within, all, 10*len(apps))
	}
	t.Logf("%d of %d rows within two standard errors", within, all)
}
