package coverage

import (
	"os"
	"testing"
	"time"

	"artifice/internal/testdata"
	"artifice/tracer/device"
)

// TestFieldApps checks that at least 93 % of intervals contain the truth for apps that had lower
// coverage in earlier versions: hot native code on a device with pauses (59 %), and two busy
// threads. step10 repeats its work every 10 ms. If it is sampled every 5 ms, the first method must
// be the hottest (earlier, in 56 % of recordings). Without jitter the samples do not determine the
// hottest method, and every recording must be reported as aliased.
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
			t.Errorf("%s on %s at %s: %d of %d intervals contain the truth, the hottest method is correct in %d of %d recordings, %d are aliased", c.app, c.device, c.interval, u.Covered, u.Claims, right, len(u.Hottest), u.Warnings["aliased"].Correct)
		}
	}
}
