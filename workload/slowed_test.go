package workload

import (
	"math"
	"testing"
	"time"

	"artifice/trace"
)

// selfTime returns the self time of a method over all threads, and that of all other methods.
func selfTime(t *testing.T, p *Program, name string) (own, others time.Duration) {
	t.Helper()
	rec, err := p.Truth(Config{Seed: 1, Duration: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	var stacks trace.Stacks
	last := map[trace.ThreadID]time.Duration{}
	for e, err := range trace.All(rec.Events) {
		if err != nil {
			t.Fatal(err)
		}
		if open := stacks.Of(e.Thread); len(open) > 0 {
			if step := e.Wall - last[e.Thread]; rec.Symbols.Method(open[len(open)-1]).Name == name {
				own += step
			} else {
				others += step
			}
		}
		last[e.Thread] = e.Wall
		stacks.Apply(e)
	}
	return own, others
}

// TestSlowed checks that the times of glDrawElements are multiplied, which is drawn 60 times a
// second regardless of its duration. The draws are the same random numbers, so its time is 1.5
// times as long, except for the frames at the end. One method of a family can be slowed separately,
// here method1 of 50 with the share p = 1/(1 + 1/2 + … + 1/50) = 0.2223 of the calls: it then has
// 2p/(1+p) of the time.
func TestSlowed(t *testing.T) {
	named := func(name string) func(*trace.Method) bool {
		return func(m *trace.Method) bool { return m.Name == name }
	}
	game := Must(ByName("game-loop"))
	slow, err := game.Slowed(named("glDrawElements"), 1.5)
	if err != nil {
		t.Fatal(err)
	}
	before, _ := selfTime(t, game, "glDrawElements")
	after, _ := selfTime(t, slow, "glDrawElements")
	if ratio := float64(after) / float64(before); math.Abs(ratio-1.5) > 0.03 {
		t.Errorf("slowed by 1.5: %v before, %v after", before, after)
	}
	zipf, err := Must(ByName("w5-zipf-50")).Slowed(named("method1"), 2)
	if err != nil {
		t.Fatal(err)
	}
	own, others := selfTime(t, zipf, "method1")
	const p = 0.2223
	if share := float64(own) / float64(own+others); math.Abs(share-2*p/(1+p)) > 0.01 {
		t.Errorf("method1 has %.3f of the time, want %.3f", share, 2*p/(1+p))
	}
	if again, _ := selfTime(t, game, "glDrawElements"); again != before {
		t.Errorf("the source program has changed: %v, want %v", again, before)
	}
	for _, factor := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := game.Slowed(named("glDrawElements"), factor); err == nil {
			t.Errorf("factor %v: no error, want one", factor)
		}
	}
	if _, err := game.Slowed(named("no such"), 2); err == nil {
		t.Error("no matching method: no error, want one")
	}
}
