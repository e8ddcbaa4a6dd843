package coverage

import (
	"os"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/tracer/device"
)

// TestFieldApps: intervals hold in 93 of 100 cases for apps on which they once did not: hot native
// code on a device with pauses (59 %), and two busy threads. Where step10, which repeats its work
// every 10 ms, is sampled every 5 ms, the first method is the hottest (once in 56 % of the cases);
// without jitter that cannot be known, and every recording states that it is aliased.
func TestFieldApps(t *testing.T) {
	for _, c := range []struct {
		app, device string
		interval    time.Duration
		hottest     int // recordings of 18 in which the first method is the hottest, minimum
		aliased     int // recordings that state this, minimum
	}{
		{"nativehot", "A", time.Millisecond, 18, 0},
		{"nativehot", "ideal", 5 * time.Millisecond, 18, 0},
		{"busy2", "A", time.Millisecond, 18, 0},
		{"busy2", "A", 5 * time.Millisecond, 18, 0},
		{"step10", "A", 5 * time.Millisecond, 17, 0},
		{"step10", "ideal", 5 * time.Millisecond, 0, 18},
	} {
		text, err := os.ReadFile(testdata.Path(t, "field", c.app+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		d, err := device.Open(c.device)
		if err != nil {
			t.Fatal(err)
		}
		u, err := MeasureUnseen(RandomApp{Name: c.app, YAML: string(text), Periodic: c.app == "step10"}, d, c.interval, 2, 9)
		if err != nil {
			t.Fatal(err)
		}
		right := 0
		for _, h := range u.Hottest {
			if h.Right {
				right++
			}
		}
		if u.Coverage() < 0.93 || right < c.hottest || u.Warnings["aliased"].Correct < c.aliased {
			t.Errorf("%s on %s at %s: %d of %d intervals hold, the hottest is right in %d of %d, %d are aliased", c.app, c.device, c.interval, u.Covered, u.Claims, right, len(u.Hottest), u.Warnings["aliased"].Correct)
		}
	}
}
