package measure

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

const ms = time.Millisecond

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestExamples checks the examples in the package's comments.
func TestExamples(t *testing.T) {
	truth, seen := []time.Duration{60 * ms, 30 * ms, 10 * ms}, []time.Duration{50 * ms, 50 * ms, 0}
	near(t, "overlap", Overlap(truth, seen), 0.8)
	near(t, "relative overlap", RelativeOverlap(0.62, 0.658), 0.62/0.658)
	e := NewTimeError(truth, seen, 100*ms, 100*ms, 0.2)
	near(t, "WMAPE", e.WMAPE, 0.4)
	near(t, "bias", e.Bias, 0)
	near(t, "worst", e.Worst, 20./30)
	hot := NewHot([]time.Duration{100, 50, 9, 12}, []time.Duration{80, 0, 20, 4}, 0.1)
	near(t, "hot coverage", hot.Coverage, 2./3)
	near(t, "hot precision", hot.Precision, 0.5)
	calls := Calls{True: 10, Seen: 6, Reported: 3}
	near(t, "call recall", calls.Recall(), 0.6)
	near(t, "reported/true", calls.ReportedPerTrue(), 0.3)
	near(t, "merge factor", calls.MergeFactor(), 2)
	near(t, "method recall", Recall([]int64{5, 1, 0, 2}, []int64{1, 0, 0, 2}), 2./3)
	near(t, "top k", TopK([]time.Duration{9, 5, 4, 1}, []time.Duration{7, 3, 3, 3}, 2), (1+1./3)/2)
	near(t, "Kendall", Kendall([]time.Duration{4, 3, 2, 1}, []time.Duration{9, 9, 2, 5}, 0), 3/math.Sqrt(30))
	var a, b Durations
	for _, d := range []time.Duration{1, 1, 1, 8} {
		a.Add(d * ms)
	}
	b.Add(4 * ms)
	b.Add(8 * ms)
	near(t, "KS", KS(&a, &b), 0.75)
	line := Timeline{Thread: 10 * ms, Equal: 6 * ms, True: 16 * ms, Reported: 16 * ms, Common: 14 * ms}
	near(t, "timeline", line.Accuracy(), 0.6)
	near(t, "timeline, by depth", line.DepthWeighted(), 14./18)
	cost := Cost{Length: 10 * time.Second, Delay: 2 * time.Second, TrueCPU: 4, CPU: 4, Events: 600, Dropped: 200}
	near(t, "slowdown", cost.Slowdown(), 1.2)
	near(t, "CPU dilation", cost.CPUDilation(), 1)
	near(t, "CPU dilation of 8 s that became 10", Cost{TrueCPU: 8 * time.Second, CPU: 10 * time.Second}.CPUDilation(), 1.25)
	near(t, "events/s", cost.EventsPerSecond(), 50)
	near(t, "bytes/s", cost.BytesPerSecond(), 700) // 600 of 14 bytes in 12 s
	near(t, "overflow", cost.Overflow(), 0.25)
}

// TestEmpty checks measures of empty data.
func TestEmpty(t *testing.T) {
	none, some := make([]time.Duration, 3), []time.Duration{1, 2, 3}
	near(t, "overlap of nothing seen", Overlap(some, none), 0)
	near(t, "overlap of nothing true", Overlap(none, some), 0)
	near(t, "top k of nothing", TopK(none, some, 5), 0)
	near(t, "top k of nothing seen", TopK(some, none, 2), 0)
	near(t, "top k of empty columns", TopK(nil, nil, 3), 0)
	near(t, "Kendall of one", Kendall([]time.Duration{5}, []time.Duration{0}, 0), 1)
	near(t, "Kendall of nothing seen", Kendall(some, none, 0), 0)
	near(t, "hot of nothing", NewHot(nil, nil, 0.1).Coverage, 0)
	near(t, "hot of nothing seen", NewHot(some, none, 0.1).Precision, 0)
	near(t, "time error of nothing", NewTimeError(none, some, 0, 6, 0).WMAPE, 0)
	near(t, "KS of nothing", KS(&Durations{}, &Durations{}), 0)
	var one Durations
	one.Add(-1)
	near(t, "KS with nothing", KS(&one, &Durations{}), 1)
	near(t, "no frames", Timeline{Thread: 5, Equal: 5}.DepthWeighted(), 1)
	if got := RelativeOverlap(0, 0); !math.IsNaN(got) {
		t.Errorf("relative to 0: %v, want NaN", got)
	}
	near(t, "slowdown of nothing", Cost{}.Slowdown(), 1)
	near(t, "rate of nothing", Cost{Events: 4}.EventsPerSecond(), 0)
	near(t, "no calls", Calls{}.MergeFactor(), 0)
}

// randomColumns returns random columns with many zeros and ties.
func randomColumns(rng *rand.Rand) (truth, seen []time.Duration) {
	n := 1 + rng.IntN(30)
	for range n {
		truth = append(truth, time.Duration(max(0, rng.IntN(12)-3)))
		seen = append(seen, time.Duration(max(0, rng.IntN(12)-5)))
	}
	return truth, seen
}

// TestAgainstBruteForce compares measures with brute-force computations.
func TestAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		truth, seen := randomColumns(rng)
		if Sum(truth) > 0 && Sum(seen) > 0 {
			near(t, "overlap", Overlap(truth, seen), bruteOverlap(truth, seen))
		}
		near(t, "Kendall", Kendall(truth, seen, 0.03), bruteKendall(truth, seen, 0.03))
		if t.Failed() {
			t.Fatalf("truth %v, seen %v", truth, seen)
		}
	}
}

// TestTopK compares the top-k agreement with the mean over 2000 rounds of random tie-breaking,
// which is exact to 0.012.
func TestTopK(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 60 {
		truth, seen := randomColumns(rng)
		k := 1 + rng.IntN(12)
		if got, want := TopK(truth, seen, k), bruteTopK(rng, truth, seen, k); math.Abs(got-want) > 0.05 {
			t.Errorf("top %d of %v in %v: %v, random tie-breaking gives %v", k, truth, seen, got, want)
		}
	}
}

// bruteOverlap returns 1 minus half the sum of absolute differences.
func bruteOverlap(truth, seen []time.Duration) float64 {
	o := 1.
	for i := range truth {
		o -= math.Abs(float64(truth[i])/float64(Sum(truth))-float64(seen[i])/float64(Sum(seen))) / 2
	}
	return o
}

// bruteKendall computes Kendall's τ_b from all pairs.
func bruteKendall(truth, seen []time.Duration, minShare float64) float64 {
	var x, y []time.Duration
	for i := range truth {
		if truth[i] > 0 && float64(truth[i]) >= minShare*float64(Sum(truth)) {
			x, y = append(x, truth[i]), append(y, seen[i])
		}
	}
	var score, orderedX, orderedY float64
	for i := range x {
		for j := range i {
			sx, sy := float64(min(1, max(-1, x[i]-x[j]))), float64(min(1, max(-1, y[i]-y[j])))
			score += sx * sy
			orderedX += sx * sx
			orderedY += sy * sy
		}
	}
	switch {
	case len(x) < 2:
		return 1
	case orderedX*orderedY == 0:
		return 0
	}
	return score / math.Sqrt(orderedX*orderedY)
}

// bruteTopK averages the top-k agreement over many random orders of ties.
func bruteTopK(rng *rand.Rand, truth, seen []time.Duration, k int) float64 {
	top := func(column []time.Duration, k int) map[int]bool {
		index := rng.Perm(len(column))
		slices.SortStableFunc(index, func(a, b int) int { return int(column[b] - column[a]) })
		set := map[int]bool{}
		for _, i := range index[:k] {
			if column[i] > 0 {
				set[i] = true
			}
		}
		return set
	}
	positive := 0
	for _, w := range truth {
		if w > 0 {
			positive++
		}
	}
	k = min(k, positive)
	if k == 0 {
		return 0
	}
	const rounds = 2000
	hits := 0
	for range rounds {
		in := top(seen, k)
		for i := range top(truth, k) {
			if in[i] {
				hits++
			}
		}
	}
	return float64(hits) / rounds / float64(k)
}

// TestKS compares the distance of histograms with the exact one. It can be lower only because of
// values within one step. Here every value has its own step.
func TestKS(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		var a, b Durations
		var x, y []time.Duration
		for range 1 + rng.IntN(40) {
			x = append(x, 1<<rng.IntN(30))
			a.Add(x[len(x)-1])
		}
		for range 1 + rng.IntN(40) {
			y = append(y, 1<<rng.IntN(30))
			b.Add(y[len(y)-1])
		}
		var want float64
		for _, v := range append(slices.Clone(x), y...) {
			want = max(want, math.Abs(below(x, v)-below(y, v)))
		}
		near(t, "KS", KS(&a, &b), want)
	}
}

func below(x []time.Duration, v time.Duration) float64 {
	n := 0
	for _, d := range x {
		if d <= v {
			n++
		}
	}
	return float64(n) / float64(len(x))
}

// TestSteps: the steps of a histogram are ascending, and at most 1/16 wide.
func TestSteps(t *testing.T) {
	last := -1
	from := time.Duration(0)
	for d := time.Duration(0); d < 1<<20; d++ {
		s := step(d)
		if s == last {
			continue
		}
		if s != last+1 {
			t.Fatalf("%v: step %d after %d", d, s, last)
		}
		if width := d - from; width > 1 && float64(width) > float64(from)/16 {
			t.Fatalf("step %d from %v to %v", last, from, d)
		}
		last, from = s, d
	}
	if s := step(math.MaxInt64); s > 1000 {
		t.Errorf("the longest duration has step %d", s)
	}
}
