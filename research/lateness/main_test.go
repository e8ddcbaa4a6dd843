package main

import (
	"math"
	"testing"

	"artifice/internal/testdata"
	"artifice/sampler"
)

// TestApps: individual delays give the slowdown of the closed loop, to within a thread's last
// iteration; one clock for all does so only for threads that never wait, and for a convoy.
func TestApps(t *testing.T) {
	for _, a := range testdata.SomeUnlessNamed(t, apps, len(apps)/3) {
		if a.builtin == "cold-start" || testing.Short() && a.builtin == "w8-threads-64" {
			continue
		}
		p, err := a.program()
		if err != nil {
			t.Fatal(err)
		}
		cfg := sampler.Config{Interval: a.every(), Seed: 1, Cost: cost}
		loop, err := closedLoop(p, &cfg)
		if err != nil {
			t.Fatal(err)
		}
		byThread, err := sampled(p, cfg, false)
		if err != nil {
			t.Fatal(err)
		}
		oneClock, err := sampled(p, cfg, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := byThread.Slowdown(); math.Abs(got-loop) > 2e-3 {
			t.Errorf("%s: slowdown %.4f by thread, in the loop %.4f", a.name+a.builtin, got, loop)
		}
		waits := byThread.Overhead.Waited > 0 && a.builtin != "convoy" // its threads always wait for another one
		if off := math.Abs(oneClock.Slowdown() - loop); waits && off < 0.3 || !waits && off > 2e-3 {
			t.Errorf("%s: one clock gives %.4f, the loop %.4f", a.name+a.builtin, oneClock.Slowdown(), loop)
		}
	}
}
