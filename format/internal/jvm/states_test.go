package jvm

import "testing"

// TestStates: the states of OpenJ9 and JRockit are those of java.lang.Thread.State; OpenJ9 also has
// suspended threads, and an unknown state remains.
func TestStates(t *testing.T) {
	for state, want := range map[string]string{
		"R": "RUNNABLE", "B": "BLOCKED", "MW": "BLOCKED", "CW": "WAITING", "P": "WAITING", "S": "SUSPENDED", "Z": "TERMINATED", "X": "X", "": "",
	} {
		if got := string(javacoreState([]byte(state))); got != want {
			t.Errorf("OpenJ9's %q is %s, want %s", state, got, want)
		}
	}
	for line, want := range map[string]string{
		"prio=5 alive": "RUNNABLE", "prio=5 alive, in native, blocked": "BLOCKED", "prio=5 alive, sleeping, native_waiting": "TIMED_WAITING",
		"alive, native_waiting, daemon": "WAITING", "alive, waiting": "WAITING", "alive, in native, native_blocked": "WAITING", "alive, parked": "WAITING", "unblocked": "RUNNABLE", "": "RUNNABLE",
	} {
		if got := jrockitState([]byte(line)); got != want {
			t.Errorf("JRockit's %q is %s, want %s", line, got, want)
		}
	}
}
