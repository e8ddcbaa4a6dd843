package bench

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"artifice/bench/metric"
	"artifice/bench/paths"
	"artifice/bench/theory"
	"artifice/sampler"
	"artifice/trace"
)

// frames is an app whose method 1 takes a tenth of every frame of 16.6667 ms,
// for 30 s, inside method 0.
func frames() *trace.Recording {
	rec := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Elapsed: 30 * time.Second}, Symbols: &trace.Symbols{}}
	rec.Symbols.AddThread(trace.Thread{Name: "main"})
	rec.Symbols.AddMethod(trace.Method{Name: "loop"})
	rec.Symbols.AddMethod(trace.Method{Name: "frame"})
	const period = 16666700 * time.Nanosecond
	events := []trace.Event{{Method: 0}}
	for at := time.Duration(0); at+period < rec.Info.Elapsed; at += period {
		events = append(events, trace.Event{Wall: at, CPU: at, Method: 1}, trace.Event{Wall: at + period/10, CPU: at + period/10, Method: 1, Action: trace.Exit})
	}
	rec.Events = trace.NewSliceReader(events)
	return rec
}

// shareStdDev is the standard deviation of the frame method's reported share,
// in percentage points, over many emulated samplers with random phases.
func shareStdDev(t *testing.T, config sampler.Config) float64 {
	t.Helper()
	rec := frames()
	j := &samplingJob{}
	rng := rand.New(rand.NewPCG(51, 52))
	for range 400 {
		c := config
		c.Phase = 1 + time.Duration(rng.Int64N(int64(50*time.Millisecond)))
		c.Seed = rng.Uint64()
		j.cells = append(j.cells, &cell{mode: Mode{watch: func(cellConfig) sampler.Config { return c }, reading: CountTimesInterval}})
	}
	if err := j.watch(rec); err != nil {
		t.Fatal(err)
	}
	j.watchers[0].finish()
	r := newReference(j.course)
	var sum, squares float64
	for _, w := range j.watchers {
		w.post()
		exclusive := r.profile(w.columns).exclusive
		share := 100 * float64(exclusive[1]) / float64(exclusive[0]+exclusive[1])
		sum += share
		squares += share * share
	}
	n := float64(len(j.watchers))
	return math.Sqrt((squares - sum*sum/n) / (n - 1))
}

// TestFramesEmulated: the five standard deviations of the 60-fps example, in
// percentage points, by emulated samplers: within 10 % of the closed form (and of
// what was printed elsewhere, see theory.TestFrames).
func TestFramesEmulated(t *testing.T) {
	overshoot := func(interval, overshoot, spread time.Duration) sampler.Config {
		return sampler.Config{Interval: interval, Cost: sampler.Cost{Overshoot: overshoot, OvershootSpread: spread}}
	}
	ms := time.Millisecond
	for _, c := range []struct {
		name   string
		config sampler.Config
		jitter time.Duration
	}{
		{"100 Hz", sampler.Config{Interval: 10 * ms}, 0},
		{"101 Hz", sampler.Config{Interval: time.Second / 101}, 0},
		{"100 Hz, sleep loop, σ = 30 µs", overshoot(9*ms, 1*ms, 30*us), 30 * us},
		{"100 Hz, sleep loop, σ = 100 µs", overshoot(9*ms, 1*ms, 100*us), 100 * us},
		{"10 ms + 80 ± 20 µs", overshoot(10*ms, 80*us, 20*us), 20 * us},
	} {
		mean := c.config.Interval + c.config.Cost.Overshoot
		law := 100 * theory.Aliasing{
			Loop: theory.Loop{On: 1666670, Off: 16666700 - 1666670}, Interval: mean, Jitter: c.jitter, Samples: int(30 * time.Second / mean),
		}.ShareStdDev()
		got := shareStdDev(t, c.config)
		// 400 runs give a standard deviation to 3.5 % (1σ).
		if math.Abs(got/law-1) > 0.1 {
			t.Errorf("%s: %.3f points, the law says %.3f", c.name, got, law)
		}
	}
}

// TestPauseBias: where samples of deep stacks cost more, the wall share of the
// deep phases is too large by the closed form.
func TestPauseBias(t *testing.T) {
	truth := truthOf(t, "w7-deep-shallow", 4*time.Second)
	config := sampler.Config{Interval: time.Millisecond, Phase: 600 * us, Cost: sampler.Cost{Overshoot: 150 * us, PerTick: 46 * us, PerFrame: 2 * us}}
	j := &samplingJob{cells: []*cell{{mode: Mode{watch: func(cellConfig) sampler.Config { return config }}}}}
	if err := j.watch(truth); err != nil {
		t.Fatal(err)
	}
	j.watchers[0].post()
	c := j.course
	self := j.watchers[0].columns.self
	var deep, all time.Duration
	depths := map[int]bool{}
	for p := range c.nodes {
		if c.nodes[p].self < 100*time.Millisecond {
			continue
		}
		depth := c.table.Depth(paths.ID(p))
		depths[depth] = true
		all += self[p]
		if depth > 50 {
			deep += self[p]
		}
	}
	if len(depths) != 2 || !depths[102] || !depths[2] {
		t.Fatalf("phases at depths %v, want 2 and 102", depths)
	}
	run := 1150 * us
	shares := theory.WallShares([]theory.Phase{
		{Time: time.Second, Pause: theory.Pause{Run: run, Stop: 50 * us}},
		{Time: time.Second, Pause: theory.Pause{Run: run, Stop: 250 * us}},
	})
	if got := float64(deep) / float64(all); math.Abs(got-shares[1]) > 0.002 {
		t.Errorf("deep phases have %.4f of the reported time, the law says %.4f", got, shares[1])
	}
}

// TestTop10OfIdealSampler: the top-10 agreement of an ideal random sampler with
// 100, 1000 and 10000 samples, as simulated elsewhere, to 0.03.
func TestTop10OfIdealSampler(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	for _, c := range []struct {
		s    float64
		m    int
		want [3]float64
	}{{1, 50, [3]float64{0.72, 0.90, 1}}, {1, 500, [3]float64{0.65, 0.90, 0.99}}, {1, 2000, [3]float64{0.62, 0.89, 0.97}}, {1.5, 500, [3]float64{0.74, 0.93, 1}}} {
		shares := theory.Zipf(c.s, c.m)
		truth := make([]time.Duration, c.m)
		for i, p := range shares {
			truth[i] = time.Duration(p * 1e12)
		}
		for i, n := range []int{100, 1000, 10000} {
			var sum float64
			reps := 300000 / n / 10
			for range reps {
				sum += metric.TopK(truth, drawTimes(rng, shares, n), 10)
			}
			// The figures come with ties broken one way; here they share a place.
			if got := sum / float64(reps); math.Abs(got-c.want[i]) > 0.05 {
				t.Errorf("zipf %g, %d methods, %d samples: top 10 %.3f, want %.2f", c.s, c.m, n, got, c.want[i])
			}
		}
	}
}

// drawTimes takes n independent samples of 1 ns each.
func drawTimes(rng *rand.Rand, shares []float64, n int) []time.Duration {
	times := make([]time.Duration, len(shares))
	for range n {
		x := rng.Float64()
		i := 0
		for i < len(shares)-1 && x >= shares[i] {
			x -= shares[i]
			i++
		}
		times[i]++
	}
	return times
}
