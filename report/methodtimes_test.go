package report

import "testing"

// TestAddMethodTimes checks that calls are summed. Both methods can be in one sample, so the number
// of samples of either is at least that of the method with more samples.
func TestAddMethodTimes(t *testing.T) {
	for _, samples := range [][2]int64{{3, 5}, {5, 3}} {
		m := MethodTimes{Calls: 2, Samples: samples[0]}
		m.Add(&MethodTimes{Calls: 1, Samples: samples[1], NoCPU: [2]bool{true, false}})
		if m.Calls != 3 || m.Samples != 5 || m.NoCPU != [2]bool{true, false} {
			t.Errorf("%v: %+v, want 3 calls, 5 samples, no exclusive CPU time", samples, m)
		}
	}
}
