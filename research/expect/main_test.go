package main

import (
	"testing"
	"time"
)

// TestFalseAlarms: of 40 clean profiles at a rate of 10 %, 4 are expected to fail at most: more than 11
// with a probability of 0.0003.
func TestFalseAlarms(t *testing.T) {
	p, truth, err := newProgram("game-loop", 2*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range samplers {
		failed, err := p.falseAlarms(truth, s, 40, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		if s.inside && failed > 11 {
			t.Errorf("%s: %d of 40 clean profiles fail", s.name, failed)
		}
	}
}
