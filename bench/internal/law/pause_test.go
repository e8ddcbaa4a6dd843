package law

import (
	"fmt"
	"math/rand/v2"
	"time"
)

func pauseChecks() []check {
	us := func(x int) time.Duration { return time.Duration(x) * time.Microsecond }
	var checks []check
	for _, run := range []time.Duration{us(1150), us(180)} {
		phases := [2]pause{{run, us(50)}, {run, us(250)}}
		for i, what := range []string{"shallow", "deep"} {
			checks = append(checks, check{Law: "pause", Case: fmt.Sprintf("X=%v P=50|250µs slowdown, %s", run, what), Value: phases[i].slowdown(), Simulate: func(rng *rand.Rand) Estimate {
				return repeat(400, func() float64 { return pausedRun(rng, phases)[i].Seconds() }).meanEstimate()
			}})
		}
	}
	return checks
}

// pausedRun simulates an app with two phases of 1 s each, cut into alternating slices of random
// length. It returns the wall time of each phase under sampling.
func pausedRun(rng *rand.Rand, phases [2]pause) (wall [2]time.Duration) {
	left := [2]time.Duration{time.Second, time.Second}
	toTick := time.Duration(rng.Int64N(int64(phases[0].Run)))
	for i := 0; left[0]+left[1] > 0; i = 1 - i {
		slice := min(left[i], time.Duration(rng.Int64N(int64(40*time.Millisecond))))
		left[i] -= slice
		wall[i] += slice
		for ; slice >= toTick; toTick = phases[i].Run {
			slice -= toTick
			wall[i] += phases[i].Stop
		}
		toTick -= slice
	}
	return wall
}
