package expect

import (
	"math"
	"testing"
	"time"
)

// threeStacks returns a truth of two threads with both clocks. The first thread runs main for 1 s,
// runs main;work for 2 s and waits in main;work for 3 s. The second thread runs pool for 1 s, from
// 4 s on.
func threeStacks() *Truth {
	s := newStacks()
	main := s.child(0, s.name("main"))
	work, pool := s.child(main, s.name("work")), s.child(0, s.name("pool"))
	const sec = time.Second
	first := line{thread: "main", stack: []int32{main, work, work}, first: []int32{main, work, work}, end: [2]time.Duration{CPU: 3 * sec, Wall: 6 * sec}}
	first.begins = [2][]time.Duration{CPU: {0, 1 * sec, 3 * sec}, Wall: {0, 1 * sec, 3 * sec}}
	second := line{thread: "pool", stack: []int32{pool}, first: []int32{pool}, end: [2]time.Duration{CPU: 1 * sec, Wall: 5 * sec}}
	second.begins = [2][]time.Duration{CPU: {0}, Wall: {4 * sec}}
	return &Truth{Name: "truth", stacks: s, lines: []line{first, second}, weights: [2][]float64{CPU: {0, 1e9, 2e9, 1e9}, Wall: {0, 1e9, 5e9, 1e9}}}
}

// counted returns a profile with counts of a truth's stacks.
func counted(truth *Truth, interval time.Duration, counts ...float64) *Profile {
	p := &Profile{Name: "profile", Clock: CPU, stacks: truth.stacks, counts: append([]float64{0}, counts...), Interval: interval}
	for _, n := range counts {
		p.Samples += n
	}
	p.setShares(append([]float64(nil), p.counts...))
	return p
}

// TestEValue checks the mean e-value over all profiles of 8 independent samples, weighted by
// multinomial probabilities. It is at most 1 for clean profiles. For profiles of a truth with half
// of the time in work, it is above 1.
func TestEValue(t *testing.T) {
	truth := threeStacks()
	const n = 8
	factorial := func(n int) float64 { g, _ := math.Lgamma(float64(n + 1)); return math.Exp(g) }
	var clean, faulty, sum float64
	for a := range n + 1 {
		for b := range n + 1 - a {
			c := n - a - b
			d, err := Diagnose(truth, counted(truth, 0, float64(a), float64(b), float64(c)), Options{Rate: 0.01})
			if err != nil {
				t.Fatal(err)
			}
			prob := func(p, q, r float64) float64 {
				return factorial(n) / factorial(a) / factorial(b) / factorial(c) * math.Pow(p, float64(a)) * math.Pow(q, float64(b)) * math.Pow(r, float64(c))
			}
			sum += prob(0.25, 0.5, 0.25)
			clean += prob(0.25, 0.5, 0.25) * math.Pow(10, d.LogE)
			faulty += prob(0.6, 0.15, 0.25) * math.Pow(10, d.LogE)
		}
	}
	if math.Abs(sum-1) > 1e-9 || clean > 1.001 || faulty < 1.2 {
		t.Errorf("mean e-value of clean profiles %g, of profiles without innermost frames %g (probabilities sum to %g)", clean, faulty, sum)
	}
}

// TestExplanations checks the best explanation of profiles of 4,000 samples, one every ms: 1,000,
// 2,000 and 1,000 samples of the stacks, changed by a fault.
func TestExplanations(t *testing.T) {
	for _, c := range []struct {
		counts      []float64
		fault, of   string
		size, least float64
	}{
		{[]float64{1600, 1400, 1000}, "a hidden method", "work", 0.3, 50},
		{[]float64{1000, 2000, 0}, "a missing thread", "pool", 1, 300},
		{[]float64{1000, 3000, 1000}, "waits counted as CPU time", "", 0.2, 50},
		{[]float64{2000, 4000, 2000}, "samples counted twice", "", 0.95, 300},
		{[]float64{500, 1000, 500}, "samples lost at random", "", 0.5, 100},
	} {
		truth := threeStacks()
		d, err := Diagnose(truth, counted(truth, time.Millisecond, c.counts...), Options{Rate: 1e-4})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, x := range d.Faults {
			found = found || x.Fault == c.fault && x.Of == c.of && math.Abs(x.Size-c.size) <= 0.15
		}
		if !d.Significant || !found || d.LogE < c.least {
			t.Errorf("%v: E 10^%.0f, %+v, want %s", c.counts, d.LogE, d.Faults, c.fault)
		}
	}
	truth := threeStacks()
	d, err := Diagnose(truth, counted(truth, time.Millisecond, 1010, 1995, 995), Options{Rate: 1e-4})
	if err != nil || d.Significant || d.Faults != nil {
		t.Errorf("a clean profile: %+v, %v", d, err)
	}
	want := map[string]bool{"outermost frames cut": true, "innermost frames cut": true, "idle threads counted as CPU time": true}
	for _, name := range d.Unobserved {
		delete(want, name)
		if name == "missing innermost frames" || name == "a missing thread" {
			t.Errorf("fault %s is reported as unobservable", name)
		}
	}
	if len(want) > 0 {
		t.Errorf("reported as observable, but without effect on this truth: %v", want)
	}
}

// TestNumber checks that probabilities of numbers of samples sum to at most 1. With timers, 50
// missing samples of 1,000 do not occur; with independent samples, they can.
func TestNumber(t *testing.T) {
	var sum float64
	for x := range 300 {
		sum += math.Exp(uniformLog(float64(x), interval{100, 130}))
	}
	if sum > 1 || sum < 0.8 {
		t.Errorf("probabilities sum to %g", sum)
	}
	timers := &number{950, interval{998, 1002}, true}
	anyway := &number{950, interval{998, 1002}, false}
	if a, b := timers.log(interval{0.9, 0.98}), anyway.log(interval{0.9, 0.98}); a < 30 || b > 3 {
		t.Errorf("logarithms of likelihood ratios %g with timers, %g with independent samples", a, b)
	}
}

// TestTiming checks one thread sampled at 0, 10, 20 and 30 ms and another one at 21 ms, in a run of
// 40 ms that ends with the last sample.
func TestTiming(t *testing.T) {
	const ms = time.Millisecond
	truth := threeStacks()
	truth.lines[0].end[Wall], truth.lines[1].end[Wall] = 40*ms, 40*ms
	x := newTiming(truth, &Profile{runs: []run{{thread: 0, count: 2, wall: 0, until: 20 * ms}, {thread: 0, count: 2, wall: 20 * ms, until: 40 * ms}, {thread: 1, count: 1, wall: 21 * ms, until: 22 * ms}}})
	for part, want := range map[float64]float64{0.2: 0, 0.4: 1, 0.6: 2, 0.9: 4, 1: 4, 1.1: 5} {
		if got := x.before(part); got != want {
			t.Errorf("%g samples before %g of the run, want %g", got, part, want)
		}
	}
	if got := x.close(2 * ms); got != 1 {
		t.Errorf("%g close samples, want 1", got)
	}
	if got := x.close(ms / 2); got != 0 {
		t.Errorf("%g close samples within 0.5 ms, want 0", got)
	}
}
