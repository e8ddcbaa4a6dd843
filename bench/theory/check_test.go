package theory

import "testing"

// TestChecks holds every law against its simulation.
func TestChecks(t *testing.T) {
	for _, c := range Checks() {
		v := c.Run(1)
		if !v.OK() {
			t.Errorf("%v", v)
		}
		if testing.Verbose() {
			t.Log(v)
		}
	}
}
