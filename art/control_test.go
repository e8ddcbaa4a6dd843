package art

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestControl: ART ignores a start while tracing, whatever its arguments, and
// looks at the interval only after that; Dalvik ends the running trace and
// starts the new one. A stop without a trace does nothing.
func TestControl(t *testing.T) {
	dalvik, _ := ByName("dalvik")
	var c Control
	if a := c.Stop(); a != NoTrace {
		t.Errorf("stop without a trace: %s", a)
	}
	for _, bad := range []time.Duration{0, -time.Millisecond, 999} {
		if a, err := c.StartSampling(bad); !errors.Is(err, ErrInterval) || !strings.Contains(err.Error(), bad.String()) {
			t.Errorf("interval %s: %s, %v", bad, a, err)
		}
	}
	steps := []struct{ got, want Answer }{
		{c.StartInstrumented(), Started},
		{c.StartInstrumented(), Ignored},
		{sampling(t, &c, -1), Ignored},
		{c.Stop(), Stopped},
		{c.Stop(), NoTrace},
		{sampling(t, &c, time.Millisecond), Started},
		{c.StartInstrumented(), Ignored},
	}
	for i, s := range steps {
		if s.got != s.want {
			t.Errorf("ART, step %d: %s, want %s", i, s.got, s.want)
		}
	}
	d := Control{Runtime: dalvik}
	if a := d.StartInstrumented(); a != Started {
		t.Errorf("Dalvik: %s", a)
	}
	if a := d.StartInstrumented(); a != Restarted {
		t.Errorf("Dalvik, start while tracing: %s", a)
	}
	if a := d.Stop(); a != Stopped {
		t.Errorf("Dalvik, stop: %s", a)
	}
}

func sampling(t *testing.T, c *Control, interval time.Duration) Answer {
	t.Helper()
	a, err := c.StartSampling(interval)
	if err != nil {
		t.Error(err)
	}
	return a
}
