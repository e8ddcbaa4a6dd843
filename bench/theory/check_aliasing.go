package theory

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// aliasingCase is an [Aliasing] with a name.
type aliasingCase struct {
	name string
	Aliasing
}

// aliasingCases are a loop of duty 0.3 at and off resonance.
func aliasingCases() []aliasingCase {
	l := 10 * time.Millisecond
	loop := Loop{On: 3 * l / 10, Off: 7 * l / 10}
	at := func(turns, sigma float64, timer Timer) aliasingCase {
		name := fmt.Sprintf("T=%gL σ=%gL %s", turns, sigma, map[Timer]string{SleepLoop: "sleep", Absolute: "absolute"}[timer])
		return aliasingCase{name, Aliasing{loop, time.Duration(turns * float64(l)), time.Duration(sigma * float64(l)), timer, 2000}}
	}
	return []aliasingCase{
		at(1, 0, SleepLoop),
		at(1, 0.01, SleepLoop), at(1, 0.01, Absolute),
		at(1, 0.03, SleepLoop), at(1, 0.03, Absolute),
		at(1, 0.1, SleepLoop), at(1, 0.1, Absolute),
		at(1, 0.3, SleepLoop), at(1, 0.3, Absolute),
		at(1.0333, 0, SleepLoop), at(1.41421356, 0, SleepLoop), at(2.5, 0, SleepLoop),
	}
}

// frameCases are the 60-frames-a-second app: a method that takes a tenth of
// every frame, sampled for 30 s.
func frameCases() []aliasingCase {
	frame := ms(16.6667) // at exactly 1/60 s, 101 Hz would have 101 phases and 0.29 points of error
	loop := Loop{On: frame / 10, Off: frame - frame/10}
	at := func(name string, interval, sigma time.Duration) aliasingCase {
		return aliasingCase{"60 fps, " + name, Aliasing{loop, interval, sigma, SleepLoop, int(30 * time.Second / interval)}}
	}
	return []aliasingCase{
		at("100 Hz", ms(10), 0),
		at("101 Hz", time.Second/101, 0),
		at("100 Hz sleep σ=30µs", ms(10), ms(0.03)),
		at("100 Hz sleep σ=100µs", ms(10), ms(0.1)),
		at("sleep 10 ms + 80±20 µs", ms(10.08), ms(0.02)),
	}
}

func aliasingChecks() []Check {
	var checks []Check
	for _, c := range append(aliasingCases(), frameCases()...) {
		law := c.ShareStdDev()
		// A run with an exact period has few distinct phases and no randomness
		// but the first: the law's own truncation is what is left.
		checks = append(checks, Check{Law: "aliasing", Case: c.name, Value: law, Within: 0.002 * law, Simulate: func(rng *rand.Rand) Estimate {
			return repeat(1000, func() float64 { return c.share(rng) }).stdDevEstimate(c.Loop.Duty())
		}})
	}
	return checks
}

// share is the estimated share of one run of the sampler.
func (a Aliasing) share(rng *rand.Rand) float64 {
	l := a.Loop.Period()
	tick := time.Duration(rng.Int64N(int64(l)))
	hits := 0
	for range a.Samples {
		at := tick
		if a.Jitter > 0 {
			stray := time.Duration(rng.NormFloat64() * float64(a.Jitter))
			at += stray
			if a.Timer == SleepLoop {
				tick = at
			}
		}
		if (at%l+l)%l < a.Loop.On {
			hits++
		}
		tick += a.Interval
	}
	return float64(hits) / float64(a.Samples)
}
