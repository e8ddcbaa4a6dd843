package expect

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// countTicks counts the ticks (f + k)·T in spans one by one.
func countTicks(spans []span, period, f, end float64) (n float64) {
	for at := f * period; at < end; at += period {
		for _, s := range spans {
			if at >= s.begin && at < s.end {
				n++
			}
		}
	}
	return n
}

// TestPhaseLaw compares the law with ticks counted one by one at 20,000 phases.
func TestPhaseLaw(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for range 20 {
		var spans []span
		at := 0.
		for range 1 + rng.IntN(30) {
			at += rng.ExpFloat64() * 30
			end := at + rng.ExpFloat64()*20
			spans = append(spans, span{at, end})
			at = end
		}
		period := 1 + rng.Float64()*40
		counted := map[float64]float64{}
		const phases = 20000
		for i := range phases {
			counted[countTicks(spans, period, (float64(i)+0.5)/phases, at+period)] += 1. / phases
		}
		l := phaseLaw(spans, period)
		var sum float64
		for _, c := range l {
			sum += c.prob
			if math.Abs(c.prob-counted[c.n]) > 0.005 {
				t.Errorf("%g samples: %g, counted %g", c.n, c.prob, counted[c.n])
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("probabilities sum to %g", sum)
		}
	}
}

// TestAliasing checks a method that runs for 10 ms of every 50 ms. With ticks every 10 ms, every
// fifth tick is in the method at any phase, so the variance is 0. With ticks every 50 ms, either
// all ticks are in it or none, with p = 1/5. The variance of the share is then p(1−p), n times that
// of the binomial distribution.
func TestAliasing(t *testing.T) {
	l := line{}
	for at := time.Duration(0); at < 10*time.Second; at += 50 * time.Millisecond {
		l.stack, l.first = append(l.stack, 1, 0), append(l.first, 1, 0)
		l.begins[Wall] = append(l.begins[Wall], at, at+10*time.Millisecond)
	}
	l.end[Wall] = 10 * time.Second
	truth := &Truth{lines: []line{l}}
	member := []bool{false, true}
	if mean, variance := lawOf(WallTick, truth.spansOf(Wall, member), 10e6).moments(); math.Abs(mean-200) > 1e-9 || variance > 1e-9 {
		t.Errorf("10 ms: %g ± %g", mean, variance)
	}
	mean, variance := lawOf(WallTick, truth.spansOf(Wall, member), 50e6).moments()
	if math.Abs(mean-40) > 1e-6 || math.Abs(variance-200*200*0.2*0.8) > 1e-3 {
		t.Errorf("50 ms: %g, variance %g", mean, variance)
	}
	below, above := phased{lawOf(WallTick, truth.spansOf(Wall, member), 50e6), 200, 200}.tails(0)
	if math.Abs(below-0.8) > 1e-9 || above != 1 {
		t.Errorf("no sample: %g, %g", below, above)
	}
	two := &Truth{lines: []line{l, l}} // the variances of timers with separate phases add up
	if _, both := lawOf(CPUTimer, two.spansOf(Wall, member), 50e6).moments(); math.Abs(both-2*variance) > 1e-3 {
		t.Errorf("variance of two threads: %g", both)
	}
}

// TestRareAliased checks a method that runs for the first 10 µs of every 10 ms. With a probability
// of 0.001, all ticks of 10 ms are in it. This is not a failure at a rate of 0.001, but it is one
// at 0.1.
func TestRareAliased(t *testing.T) {
	const frames = 300
	s := newStacks()
	rare, other := s.child(0, s.name("rare")), s.child(0, s.name("other"))
	l := line{}
	for i := range frames {
		at := time.Duration(i) * 10 * time.Millisecond
		l.stack, l.first = append(l.stack, rare, other), append(l.first, rare, other)
		l.begins[Wall] = append(l.begins[Wall], at, at+10*time.Microsecond)
	}
	l.begins[CPU], l.end = l.begins[Wall], [2]time.Duration{3 * time.Second, 3 * time.Second}
	weights := []float64{0, frames * 10e3, frames * 9990e3}
	truth := &Truth{Name: "truth", stacks: s, lines: []line{l}, weights: [2][]float64{weights, weights}}
	profile := &Profile{Name: "profile", Clock: Wall, stacks: s, Samples: frames, counts: []float64{0, frames, 0}, shares: []float64{0, 1, 0}}
	for rate, want := range map[float64]Outcome{0.001: Pass, 0.1: Fail} {
		v, err := Check(truth, profile, Options{Rate: rate, Quick: true})
		if err != nil || v.Outcome != want || len(v.Aliased) == 0 {
			t.Errorf("rate %g: %s, aliased %v, %v; want %s", rate, v.Outcome, v.Aliased, err, want)
		}
	}
}

// TestSharedVariance checks 30 threads that run for about 100 ms, all but the first 10 µs in root.
// The number of samples of each timer of 1 ms varies by one, but this does not increase the
// variance of root's share: independently for each timer, a tick is in another method with a
// probability of 0.01.
func TestSharedVariance(t *testing.T) {
	s := newStacks()
	other, root := s.child(0, s.name("other")), s.child(0, s.name("root"))
	truth := &Truth{Name: "truth", stacks: s}
	weights := make([]float64, 3)
	for i := range 30 {
		end := 100*time.Millisecond + time.Duration(i)*330*time.Microsecond
		l := line{stack: []int32{other, root}, first: []int32{other, root}, end: [2]time.Duration{end, end}}
		l.begins[CPU] = []time.Duration{0, 10 * time.Microsecond}
		l.begins[Wall] = l.begins[CPU]
		truth.lines = append(truth.lines, l)
		weights[other], weights[root] = weights[other]+10e3, weights[root]+float64(end-10*time.Microsecond)
	}
	truth.weights = [2][]float64{weights, weights}
	c, err := newChecker(truth, counted(truth, 0, 1, 3142), Options{Rate: 1e-6, Schedules: CPUTimer})
	if err != nil {
		t.Fatal(err)
	}
	want := exactly(weights[root] / (weights[other] + weights[root]))
	x, _ := c.testOf("root", want, c.selfOf(1), c.samples)
	if len(c.aliases) > 0 {
		t.Errorf("aliased: %+v", c.aliases)
	}
	// For p = 0.01, P(5 or more of 30) is 1.16e-5. One sample less is allowed: P(4 or more) =
	// 2.2e-4.
	if below, _ := x.tails(1 - 5/c.samples); below < 1.1e-5 || below > 2.3e-4 {
		t.Errorf("P(5 samples outside of root) = %g, want 1.1e-5 to 2.3e-4", below)
	}
}

// TestVaryingNumber checks frames of 10 ms. Method a runs for the first 1 ms and rest for the
// remaining 9 ms; in a second thread, b runs for the last 5 ms. One instant every 10 ms is only in
// a with a probability of 0.1. Then a has all samples, more than its maximum share of the expected
// number of samples.
func TestVaryingNumber(t *testing.T) {
	const frames = 300
	s := newStacks()
	a, rest, b := s.child(0, s.name("a")), s.child(0, s.name("rest")), s.child(0, s.name("b"))
	first, second := line{}, line{}
	for i := range frames {
		at := time.Duration(i) * 10 * time.Millisecond
		first.stack, second.stack = append(first.stack, a, rest), append(second.stack, 0, b)
		first.begins[Wall] = append(first.begins[Wall], at, at+time.Millisecond)
		second.begins[Wall] = append(second.begins[Wall], at, at+5*time.Millisecond)
	}
	for _, l := range []*line{&first, &second} {
		l.first, l.begins[CPU], l.end = l.stack, l.begins[Wall], [2]time.Duration{3 * time.Second, 3 * time.Second}
	}
	weights := []float64{0, frames * 1e6, frames * 9e6, frames * 5e6}
	truth := &Truth{Name: "truth", stacks: s, lines: []line{first, second}, weights: [2][]float64{weights, weights}}
	profile := &Profile{Name: "profile", Clock: Wall, stacks: s, Samples: frames, Ticks: frames, Interval: 10 * time.Millisecond, counts: []float64{0, frames, 0, 0}, shares: []float64{0, 1, 0, 0}}
	c, err := newChecker(truth, profile, Options{Rate: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	x, _ := c.testOf("a", exactly(1./15), c.selfOf(0), c.samples)
	if _, above := x.tails(1); math.Abs(above-0.1) > 1e-9 {
		t.Errorf("P(all samples in a) = %g, want 0.1", above)
	}
}
