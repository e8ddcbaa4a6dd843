package plan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/sampler"
	"artifice/trace/stats"
	"artifice/tracer/device"
	"artifice/workload"
)

// onOff simulates a method on one thread that is on and off for exponential times with these means.
func onOff(seed uint64, on, off, length time.Duration) (p parts, s stretches, seen time.Duration) {
	random := rand.New(rand.NewPCG(seed, 1))
	for at := time.Duration(0); ; {
		from := at + time.Duration(random.ExpFloat64()*float64(off))
		to := min(length, from+time.Duration(random.ExpFloat64()*float64(on)))
		if from >= length {
			break
		}
		p.add(from, to)
		s.add(from, to, true)
		seen += to - from
		at = to
	}
	s.sort(1)
	return p, s, seen
}

// TestLaw checks the closed form for a method that is on and off for exponential times. Its
// autocorrelation is exp(−(1/on + 1/off) t). So its time D in a run has the variance D (1−ρ) B with
// B = 2/(1/on + 1/off), and its time by samples every X has the variance D (1−ρ) X coth(X/B). The
// variance from the parts of one run is, on average over runs, the former; sampling adds the rest.
func TestLaw(t *testing.T) {
	const on, off, length, runs = 3 * time.Millisecond, 12 * time.Millisecond, 20 * time.Second, 40
	rho := float64(on) / float64(on+off)
	b := 2 / (1/float64(on) + 1/float64(off))
	d := rho * float64(length)
	phone := sampler.Config{Interval: 5 * time.Millisecond, Cost: sampler.Cost{Overshoot: 250 * time.Microsecond, OvershootSpread: 190 * time.Microsecond}}
	x := float64(sampler.NewGaps(&phone).Mean())
	var between, missed float64
	for seed := range uint64(runs) {
		p, s, _ := onOff(seed, on, off, length)
		between += p.variance(length).variance / runs
		missed += s.misses(phone, length, 10) / runs
	}
	// There are 40 runs with 28.5 degrees of freedom each: 4 standard errors are 4 √(2/1140) = 17
	// %.
	if want := d * (1 - rho) * b; math.Abs(between/want-1) > 0.17 {
		t.Errorf("between runs: %.3g, want %.3g", between, want)
	}
	if want := d*(1-rho)*x/math.Tanh(x/b) - d*(1-rho)*b; math.Abs(missed/want-1) > 0.17 {
		t.Errorf("by samples: %.3g, want %.3g", missed, want)
	}
}

// TestLongBursts checks that long bursts lead to long batches. With bursts of 80 ms every 320 ms,
// 80 batches of a trace of 4 s have less than half of the variance of the closed form, because the
// autocorrelation extends beyond a batch. Longer batches are used then, and have most of the
// variance of the longest batches.
func TestLongBursts(t *testing.T) {
	const on, off, length, runs = 80 * time.Millisecond, 240 * time.Millisecond, 4 * time.Second, 400
	var short, long, chosen float64
	for seed := range uint64(runs) {
		p, _, _ := onOff(seed, on, off, length)
		short += p.batched(length, maxBatches) / runs
		long += p.batched(length, minBatches) / runs
		chosen += p.variance(length).variance / runs
	}
	rho := float64(on) / float64(on+off)
	law := rho * float64(length) * (1 - rho) * 2 / (1/float64(on) + 1/float64(off))
	text := fmt.Sprintf("of the law's: %.2f by the shortest batches, %.2f by the longest, %.2f by those that are chosen", short/law, long/law, chosen/law)
	if t.Log(text); chosen < 0.8*long || short > law/2 {
		t.Error(text)
	}
}

// TestSimilarVariances checks the limits of the F test. From tables for 4 and 120 degrees of
// freedom, F(0.9) is 1.9923, and F(0.05) is 1/5.6581, where 5.6581 is F(0.95) for 120 and 4.
func TestSimilarVariances(t *testing.T) {
	within := spread{100, 120}
	for ratio, want := range map[float64]bool{1.99: true, 2.00: false, 0.178: true, 0.175: false} {
		if got := (spread{100 * ratio, 4}).like(within); got != want {
			t.Errorf("ratio %g: like = %t, want %t", ratio, got, want)
		}
	}
}

// TestSystematic checks the variance of systematic sampling. A regular sampler every 4 ms samples a
// stretch of 1 ms with probability r = 1/4. If stretches occur at random, their phases are
// independent, and each has the variance T² r (1 − r) = 3 ms², on average over such apps. In one
// app, all stretches share the phase of the sampler, and the variance is nearly exponentially
// distributed with this mean: the mean of 400 apps has a standard error of 5 %.
func TestSystematic(t *testing.T) {
	const apps, count = 400, 60
	random, per := rand.New(rand.NewPCG(1, 1)), 0.
	for range apps {
		var s stretches
		at := time.Duration(0)
		for range count {
			at += 8*time.Millisecond + time.Duration(random.Float64()*float64(8*time.Millisecond))
			s.add(at, at+time.Millisecond, true)
		}
		s.sort(1)
		per += s.misses(sampler.Config{Interval: 4 * time.Millisecond}, at+time.Millisecond, 4) / count / 1e12 / apps
	}
	if math.Abs(per/3-1) > 0.2 {
		t.Errorf("%.2f ms² for a stretch, want 3", per)
	}
}

// TestPartsOfDoubledWidth checks that doubling the width keeps the sum of the parts, for any order
// of threads.
func TestPartsOfDoubledWidth(t *testing.T) {
	var a, b parts
	stretches := []stretch{{0, time.Millisecond}, {3 * time.Second, 4 * time.Second}, {9*time.Second + 1, 9*time.Second + 2}}
	for i := range stretches {
		a.add(stretches[i].from, stretches[i].to)
		b.add(stretches[len(stretches)-1-i].from, stretches[len(stretches)-1-i].to)
	}
	sum := time.Duration(0)
	for i, x := range a.times {
		sum += x
		if b.times[i] != x {
			t.Fatalf("part %d: %v and %v", i, x, b.times[i])
		}
	}
	if want := time.Second + time.Millisecond + 1; sum != want || a.width != b.width || len(a.times) > maxParts {
		t.Errorf("%v in %d parts of %v, want %v", sum, len(a.times), a.width, want)
	}
}

// TestVariance checks batches of one part. The variance of 20 independent parts is 20 s² with s² =
// Σ (time − mean)²/19. For parts that alternate between 0 and 1 ms, it is 20 × 5/19 ms².
func TestVariance(t *testing.T) {
	p := parts{width: time.Millisecond}
	for i := range 20 {
		p.times = append(p.times, time.Duration(i%2)*time.Millisecond)
	}
	if got, want := p.variance(20*time.Millisecond).variance/1e12, 20*5./19; math.Abs(got-want) > 1e-9 {
		t.Errorf("%g ms², want %g", got, want)
	}
}

// TestCosts checks that the costs of the configuration determine which ways of recording are within
// the budget. Among ways that need the same number of traces, they determine the recommended one.
// An unknown cost is within every budget. On device A, an event costs the clock reads and the hook:
// 3298 + 50 + 1500 ns.
func TestCosts(t *testing.T) {
	phone, err := device.Open("A")
	if err != nil {
		t.Fatal(err)
	}
	truth, err := workload.Must(workload.ByName("scroll-60hz")).Truth(workload.Config{Seed: 1, Duration: 4 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	one, err := Read(truth, "View.draw")
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Change: 20, Level: 0.01, Device: phone, Budget: 0.1, Intervals: []time.Duration{time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond}}
	cfg.Costs = map[time.Duration]stats.Cost{
		0: {Slowdown: 1.3, Overhead: 0.3}, time.Millisecond: {Slowdown: 1.01, Overhead: 0.2, OfCPU: true}, 2 * time.Millisecond: {Slowdown: 1.1, Overhead: 0.1},
	}
	p, err := New([]*Trace{one}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if p.EveryCall.Fits || p.Rows[0].Fits || !p.Rows[1].Fits || !p.Rows[2].Fits {
		t.Errorf("within the budget: every call %t, %t, %t, %t", p.EveryCall.Fits, p.Rows[0].Fits, p.Rows[1].Fits, p.Rows[2].Fits)
	}
	if p.Best == nil || p.Best.Interval != 5*time.Millisecond {
		t.Errorf("recommended %+v, want the way without overhead", p.Best)
	}
	if want := 4848 * float64(one.Calls+one.Callees) / float64(one.Time); math.Abs(p.Added-want) > 1e-9 {
		t.Errorf("every call adds %g, want %g", p.Added, want)
	}
}

// TestChangePerCall checks a change of each call in an app that makes calls for a fixed time. If a
// method takes 40 % of it and each call becomes 50 % longer, the app makes 1/1.2 of the calls, and
// the method's time grows by a factor of 1.5/1.2.
func TestChangePerCall(t *testing.T) {
	var p parts
	for at := time.Duration(0); at < 10*time.Second; at += 10 * time.Millisecond {
		p.add(at, at+4*time.Millisecond)
	}
	one := &Trace{Method: "m", Length: 10 * time.Second, Time: 4 * time.Second, shares: 1.6e9, parts: p}
	got, err := New([]*Trace{one}, Config{Change: 0.5, EachCall: true, Level: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got.Change-0.25) > 1e-9 {
		t.Errorf("%g, want 0.25", got.Change)
	}
	// The only between-run variance is the level of 1 %, so two traces detect 25 %.
	if got.EveryCall.Needed != (Range{2, 2, 2}) {
		t.Errorf("%+v", got.EveryCall.Needed)
	}
}
