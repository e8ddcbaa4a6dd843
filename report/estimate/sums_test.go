package estimate

import (
	"math"
	"testing"
	"time"

	"artifice/trace"
)

// TestSums checks that each sample of a sum is an independent hit. 400 samples of 1 ms have the
// standard deviation √400 ms. The lower end of the 95 % interval is 400 − 1.96 · 20 ms. The upper
// end is that of the score interval, x + z²/2 + z √(x + z²/4) for x hits. 400 consecutive samples
// of one run are uncertain only at their ends. 4,000 samples would be enough for windows.
func TestSums(t *testing.T) {
	for _, n := range []int64{400, 4000} {
		testSums(t, n)
	}
}

func testSums(t *testing.T, count int64) {
	const z = 1.96
	n := float64(count)
	for _, sums := range []bool{true, false} {
		rec := &trace.Recording{Info: trace.Info{Technique: trace.Sampled}, Symbols: &trace.Symbols{Threads: []trace.Thread{{Name: "main"}}, Methods: []trace.Method{{Name: "f"}, {Name: "g"}}}}
		e := New(rec, Config{})
		for i := range trace.MethodID(2) {
			e.WriteSnapshot(&trace.Snapshot{Wall: time.Duration(count) * ms * time.Duration(i), Until: time.Duration(count) * ms * time.Duration(i+1), Count: count, Stack: []trace.MethodID{i}, Sum: sums})
		}
		f := e.Finish().Method(0).Exclusive
		low, high := float64(f.Wall.Low)/1e6, float64(f.Wall.High)/1e6
		if !sums {
			if low < n-2 || high > n+4 {
				t.Errorf("one run: %.2f to %.2f", low, high)
			}
			continue
		}
		if math.Abs(low-(n-z*math.Sqrt(n))) > 0.1 || math.Abs(high-(n+z*z/2+z*math.Sqrt(n+z*z/4))) > 0.5 {
			t.Errorf("sums: %.2f to %.2f", low, high)
		}
		if f.Runs.Samples != count || f.Runs.Single != count || f.Runs.Longer != 0 {
			t.Errorf("%+v, want %d runs of one sample", f.Runs, count)
		}
	}
}
