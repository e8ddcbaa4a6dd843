package eventlog

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestRuns checks that each run is in order, and that the number of runs is the length of the
// longest decreasing subsequence. By Dilworth's theorem, this is the minimum. The test computes the
// length by comparing all pairs.
func TestRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var r runs
		var times []time.Duration
		last := map[int]time.Duration{}
		longest := []int{} // by event: length of the longest decreasing sequence that ends with it
		most := 0
		for range 300 {
			at := time.Duration(rng.IntN(1000) + rng.IntN(4)*len(times))
			run, before := r.place(at)
			if at < last[run] {
				t.Fatalf("an event at %d was added after one at %d", at, last[run])
			}
			if before != last[run] {
				t.Fatalf("the last event of run %d is at %d, place returns %d", run, last[run], before)
			}
			last[run] = at
			row := 1
			for i, before := range times {
				if before > at {
					row = max(row, longest[i]+1)
				}
			}
			times, longest, most = append(times, at), append(longest, row), max(most, row)
			if len(last) != most {
				t.Fatalf("%d runs after %d events, want %d", len(last), len(times), most)
			}
		}
	}
}
