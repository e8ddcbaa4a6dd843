package coverage

import (
	"testing"
	"time"

	"artifice/tracer/device"
)

// TestFormerFailures checks random apps for which intervals had a coverage of only 30 to 85 % in
// earlier versions: hot native code on a device with pauses, native calls of equal length, and a
// busy thread next to a collector.
// The intervals of one method in a run are dependent, so the limit is lower than for independent
// intervals.
func TestFormerFailures(t *testing.T) {
	for _, c := range []struct {
		seed     uint64
		device   string
		interval time.Duration
		warning  string // that most recordings show, correctly
	}{
		{6000, "A", time.Millisecond, ""},
		{6004, "A", time.Millisecond, ""},
		{6007, "ideal", time.Millisecond, "no samples"},
		{6007, "A", 5 * time.Millisecond, "no samples"},
		{13044, "A", time.Millisecond, "native ends"},
		{13044, "B", time.Millisecond, "native ends"},
	} {
		d, err := device.Open(c.device)
		if err != nil {
			t.Fatal(err)
		}
		u, err := MeasureUnseen(NewRandomApp(c.seed), d, c.interval, 2, 9)
		if err != nil {
			t.Fatal(err)
		}
		if u.Recordings != 18 || u.Claims < 80 || u.Coverage() < 0.9 {
			t.Errorf("%s on %s at %s: %d of %d intervals contain the truth, in %d recordings", u.App.Name, c.device, c.interval, u.Covered, u.Claims, u.Recordings)
		}
		w := u.Warnings[c.warning]
		if c.warning != "" && (w.Shown < 16 || w.Correct < 16) {
			t.Errorf("%s on %s at %s: %q in %d recordings, correct in %d", u.App.Name, c.device, c.interval, c.warning, w.Shown, w.Correct)
		}
	}
}
