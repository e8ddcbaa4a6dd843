package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"artifice/bench/expect"
)

// TestFaults: injected faults are named, and no fault is detected in profiles without one.
func TestFaults(t *testing.T) {
	p, err := newProgram("gc-storm", 3*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range injections {
		if f.has != nil && !f.has(p) {
			continue
		}
		n, err := p.diagnose(f, 3, 1e-4)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case f.name == "" && n.detected > 0:
			t.Errorf("a fault is detected in %d of 3 profiles without one (%s)", n.detected, f.class)
		case f.name != "" && n.named < 3:
			t.Errorf("%s (%s): detected in %d of 3 profiles, named in %d", f.name, f.class, n.detected, n.named)
		}
	}
}

// TestAlarms: of 24 correct profiles of a sampler, 0.24 are expected to fail at a rate of 1 %, and
// more than 3 fail with a probability of 1e-4.
func TestAlarms(t *testing.T) {
	p, err := newProgram("gc-storm", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range samplersTested() {
		profiles := 24
		if s.wall {
			profiles = 4
		}
		failed, err := p.alarms(s, 0, profiles)
		if err != nil {
			t.Fatal(err)
		}
		if s.inside && failed[0] > 3 {
			t.Errorf("%s: %d of %d correct profiles fail", s.name, failed[0], profiles)
		}
	}
}

// TestPhases: over all phases of timers, the share of correct profiles that fail is at most the
// rate. At a large rate some fail, so a share of 0 is not trivial.
func TestPhases(t *testing.T) {
	p, err := newProgram("w5-zipf-50", 2*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	some := false
	for _, rate := range []float64{1e-6, 1e-2, 0.2} {
		f, err := p.falseAlarm(10e6, rate)
		if err != nil {
			t.Fatal(err)
		}
		if f > rate {
			t.Errorf("rate %g: %g of all phases fail", rate, f)
		}
		some = some || f > 0
	}
	if !some {
		t.Error("no phase fails at any rate")
	}
}

// TestSteps: a method that runs for 1 ms of every 10 ms is sampled at a tenth of the phases of a
// period of 10 ms, and then in each of ten periods.
func TestSteps(t *testing.T) {
	var parts []part
	for i := range 10 {
		at := float64(i) * 10
		parts = append(parts, part{0, at, at + 1}, part{1, at + 1, at + 10})
	}
	base, steps := stepsOf(parts, 2, 10)
	laws := lawsOf(base, steps)
	if math.Abs(laws[0][10]-0.1) > 1e-9 || math.Abs(laws[0][0]-0.9) > 1e-9 {
		t.Errorf("distribution %v", laws[0])
	}
	all := expect.Range{Low: 0, High: 1}
	if f := rejectedPhases(base, steps, []expect.Range{{Low: 0, High: 0.5}, all}); math.Abs(f-0.1) > 1e-9 {
		t.Errorf("%g of the phases are rejected, want 0.1", f)
	}
}

// TestPower: the smallest bias is at most 1.05 times that of the most powerful test where np is at
// least 10, and 1.11 times where it is at least 1. Below, the best test rejects 4 of 200 samples
// for p = 0.001 in 90 % of cases, at random, to use up its level of 5e-5. A test that is not random
// rejects from 5 on: 5 are reached with 95 % from a share of 4.52 % on, 4 or 5 (by that lot) from
// 3.92 % on. The ratio of the biases is 4.42/3.82.
func TestPower(t *testing.T) {
	for _, k := range []int{1, 10} {
		r, err := powerOf(t.TempDir(), []int{200, 1000, 6000}, []float64{0.001, 0.05, 0.5}, 1e-4, k)
		if err != nil {
			t.Fatal(err)
		}
		if r.atLeast10[1] > 1.05 || r.atLeast10[0] < 0.999 || r.atLeast1[1] > 1.11 || r.atLeast1[0] < 0.999 {
			t.Errorf("%d assertions: ratios %+v", k, r)
		}
		if want := 4.418 / 3.824; k == 1 && math.Abs(r.below1[1]-want) > 0.002 {
			t.Errorf("ratio %g for 0.2 expected samples, want %g", r.below1[1], want)
		}
	}
	// Of 10 samples with p = 1/2 all are above with probability 2^-10: at the level 2^-10 the best
	// test is that one, and detects a bias b with (1/2 + b)^10 = 0.95.
	if got, want := bestBias(10, 0.5, 1./1024, true), math.Pow(0.95, 0.1)-0.5; math.Abs(got-want) > 1e-6 {
		t.Errorf("minimum bias %g, want %g", got, want)
	}
}

// TestMargins: 33 ± 3 of 1,000 samples means 300 to 369 samples (percentages are rounded down). By
// the normal distribution with continuity correction, 1/3 passes with 0.981; and 4.89 standard
// deviations are 7.3 points.
func TestMargins(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "scenario")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"expected_profile.json": `{"stacks": [{"profile-type": "cpu-time", "error-margin": 3, "stack-content": [{"percent": 33}, {"value": 7}]},
			{"profile-type": "alloc-space", "stack-content": [{"percent": 50}]}]}`,
		"Dockerfile": "ENV EXECUTION_TIME_SEC=\"10\"\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list, without, err := readMargins(filepath.Dir(folder))
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || list[0].samples != 1000 || list[0].points != 3 || without["time as a rate"] != 1 || without["alloc-space"] != 1 {
		t.Fatalf("%+v, %v", list, without)
	}
	m := &list[0]
	if p := m.passes(1. / 3); math.Abs(p-0.981) > 0.002 {
		t.Errorf("the probability of passing is %g", p)
	}
	if need := m.needed(1e-6); math.Abs(need-7.3) > 0.2 {
		t.Errorf("%g points needed", need)
	}
	// Exactly 407 samples are needed, 7.4 points above 1/3. One run varies by one sample, of 1,000.
	// 33 ± 3 fails with 1.9 % for 1/3. With 5 points less, P(X >= 300) = 12.9 % passes, and with 5
	// more, P(X <= 369) = 18.4 %.
	looped := *m
	looped.scenario = "node_code_hotspots"
	var table strings.Builder
	printScenarios(&table, []margin{*m, looped})
	for _, want := range []string{"node_code_hotspots 1 1000 3 7.4 0.1 18 % 2 %", "scenario 1 1000 3 7.4 - 18 % 2 %"} {
		found := false
		for line := range strings.Lines(table.String()) {
			found = found || strings.Join(strings.Fields(line), " ") == want
		}
		if !found {
			t.Errorf("no row %q in\n%s", want, table.String())
		}
	}
}
