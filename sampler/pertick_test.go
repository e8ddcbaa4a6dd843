package sampler

import (
	"math"
	"testing"
	"time"

	"artifice/trace"
)

// TestPausesFromTable checks pauses from a table with mean 362.5 µs and standard deviation 289.126
// µs (see TestQuantiles). 10000 samples of an idle thread take 3.625 s in total, within four
// standard errors. The longest pause is in the table, and a thread's timestamps follow the pause.
// With one clock, the thread waits half of the time.
func TestPausesFromTable(t *testing.T) {
	const n = 10000
	for name, idleTicks := range map[string]bool{"quiet": true, "busy": false} {
		truth := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Elapsed: n * ms}, Symbols: &trace.Symbols{}}
		truth.Symbols.AddMethod(trace.Method{Class: "C", Name: "a"})
		truth.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
		events := []trace.Event{{Wall: ms - us}}
		for i := 2; i < n && !idleTicks; i++ { // a change before every tick
			events = append(events, trace.Event{Wall: time.Duration(i)*ms - us, Action: trace.Action(1 - i%2)})
		}
		truth.Events = trace.NewSliceReader(events)
		var out trace.Buffer
		s, err := New(truth, Config{Seed: 2, Phase: ms, OneClock: true, Cost: Cost{PerTicks: skewed}}, &out)
		if err != nil {
			t.Fatal(err)
		}
		if err := Run(truth, s); err != nil {
			t.Fatal(err)
		}
		mean := s.Stats().MeanPause().Seconds() * 1e6
		if st := s.Stats(); st.Ticks != n || math.Abs(mean-362.5) > 4*289.126/math.Sqrt(n) || st.LongestPause > ms {
			t.Errorf("%s: %d ticks, pauses of %.1f us, the longest %s; want %d of 362.5 us", name, st.Ticks, mean, st.LongestPause, n)
		}
		// The first change is sampled at 1 ms. Its timestamp is 100 µs to 1 ms later.
		if first := out.Events[0].Wall; first < 1100*us || first > 2*ms {
			t.Errorf("%s: stamped at %s", name, first)
		}
	}
}

// TestSkippedPausesFromTable checks the pauses in a long quiet time, which the sampler skips: 20
// million pauses take 7250 s in total, within four standard errors of 1.3 s.
func TestSkippedPausesFromTable(t *testing.T) {
	const n = 20_000_000
	truth := &trace.Recording{Info: trace.Info{Technique: trace.Truth, Elapsed: n * ms}, Symbols: &trace.Symbols{}, Events: trace.NewSliceReader([]trace.Event{{}})}
	truth.Symbols.AddMethod(trace.Method{Class: "C", Name: "a"})
	truth.Symbols.AddThread(trace.Thread{TID: 1, Name: "main"})
	s, err := New(truth, Config{Seed: 2, Phase: ms, Cost: Cost{PerTicks: skewed}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(truth, s); err != nil {
		t.Fatal(err)
	}
	if got := s.Stats().Paused; (got - 7250*time.Second).Abs() > 5200*ms {
		t.Errorf("%d ticks paused %s, want 7250 s", s.Stats().Ticks, got)
	}
}

// skewed has a quarter of its values at 100 us, and a quarter each from 100 to 200 us, from 200 to
// 600 us and from 600 us to 1 ms.
var skewed = Quantiles{100 * us, 100 * us, 200 * us, 600 * us, 1000 * us}
