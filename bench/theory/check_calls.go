package theory

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// sampledCall returns the reported duration of one call at a random phase, by
// walking the sampler's ticks.
func sampledCall(rng *rand.Rand, c Call) time.Duration {
	var reported time.Duration
	for tick := time.Duration(rng.Int64N(int64(c.Interval))); tick < c.Duration; tick += c.Interval {
		reported += c.Interval
	}
	return reported
}

func callChecks() []Check {
	const trials = 100000
	var checks []Check
	for _, d := range []float64{0.1, 0.5, 0.9, 2.3, 5.7} {
		c := Call{Duration: ms(d), Interval: ms(1)}
		run := func(rng *rand.Rand, seen, missed func(r time.Duration) (float64, bool)) *tally {
			t := &tally{}
			for range trials {
				r := sampledCall(rng, c)
				f := seen
				if r == 0 {
					f = missed
				}
				if x, ok := f(r); ok {
					t.add(x)
				}
			}
			return t
		}
		value := func(r time.Duration) (float64, bool) { return inMS(r), true }
		add := func(what string, law float64, measure func(rng *rand.Rand) Estimate) {
			checks = append(checks, Check{Law: "one call", Case: fmt.Sprintf("d/T=%g %s", d, what), Value: law, Simulate: measure})
		}
		add("detected", c.Detected(), func(rng *rand.Rand) Estimate {
			one := func(time.Duration) (float64, bool) { return 1, true }
			zero := func(time.Duration) (float64, bool) { return 0, true }
			return run(rng, one, zero).meanEstimate()
		})
		add("mean ms", inMS(c.MeanReported()), func(rng *rand.Rand) Estimate { return run(rng, value, value).meanEstimate() })
		add("sd ms", inMS(c.StdDevReported()), func(rng *rand.Rand) Estimate { return run(rng, value, value).stdDevEstimate(d) })
		add("mean if detected ms", inMS(c.MeanIfDetected()), func(rng *rand.Rand) Estimate {
			none := func(time.Duration) (float64, bool) { return 0, false }
			return run(rng, value, none).meanEstimate()
		})
	}
	return checks
}

func gapsChecks() []Check {
	const trials = 30000
	sleep := Sleep{Interval: ms(1), Overshoot: ms(0.35)}
	poisson := Poisson(ms(1))
	var checks []Check
	for _, c := range []struct {
		name string
		gaps Sleep
		d    time.Duration
	}{{"sleep 1+0.35 ms", sleep, ms(4.2)}, {"sleep 1+0.35 ms", sleep, ms(2.2)}, {"sleep 1+0.35 ms", sleep, ms(1.2)}, {"sleep 1+0.35 ms", sleep, ms(0.4)}, {"poisson 1 ms", poisson, ms(0.5)}, {"poisson 1 ms", poisson, ms(3)}} {
		add := func(what string, law float64, pick func(count int, reported time.Duration) float64) {
			checks = append(checks, Check{Law: "jittered gaps", Case: fmt.Sprintf("%s d=%v %s", c.name, c.d, what), Value: law,
				Simulate: func(rng *rand.Rand) Estimate {
					return repeat(trials, func() float64 { return pick(renewalCall(rng, c.gaps, c.d)) }).meanEstimate()
				}})
		}
		// The error of a share is measured by what falls on either side. Of 4.2 ms
		// not one call in all the trials may be missed.
		if p := Detected(c.gaps, c.d); trials*(1-p) > 100 {
			add("detected", p, func(n int, _ time.Duration) float64 { return indicator(n > 0) })
		}
		add("mean ms", inMS(c.d), func(_ int, r time.Duration) float64 { return inMS(r) })
		add("count x 1 ms", inMS(CountTimesNominal(c.gaps, ms(1), c.d)), func(n int, _ time.Duration) float64 { return float64(n) })
	}
	return checks
}

// renewalCall drops a call of duration d far into a run of a sleeping sampler
// and returns how many samples fall into it and the sum of the gaps they own.
func renewalCall(rng *rand.Rand, g Sleep, d time.Duration) (samples int, reported time.Duration) {
	start := time.Duration(float64(g.Mean()) * (20 + 20*rng.Float64()))
	for tick := time.Duration(0); tick < start+d; {
		gap := g.Interval + time.Duration(rng.ExpFloat64()*float64(g.Overshoot))
		if tick >= start {
			samples++
			reported += gap
		}
		tick += gap
	}
	return samples, reported
}

func totalChecks() []Check {
	var checks []Check
	for _, c := range []struct {
		n int
		d float64
	}{{1, 50.37}, {10, 5.5}, {100, 0.5}, {1000, 0.05}} {
		t := Total{Calls: c.n, Duration: ms(c.d), Interval: ms(1)}
		name := fmt.Sprintf("n=%d d/T=%g ", c.n, c.d)
		checks = append(checks,
			Check{Law: "total of a method", Case: name + "systematic", Value: t.SystematicError(), Simulate: func(rng *rand.Rand) Estimate {
				return repeat(4000, func() float64 {
					var sum time.Duration
					for range t.Calls {
						sum += sampledCall(rng, Call{t.Duration, t.Interval})
					}
					return ratio(sum, t.Duration) / float64(t.Calls)
				}).stdDevEstimate(1)
			}},
			Check{Law: "total of a method", Case: name + "poisson", Value: t.PoissonError(), Simulate: func(rng *rand.Rand) Estimate {
				return repeat(4000, func() float64 {
					samples := 0
					for at := rng.ExpFloat64(); at < t.Samples(); at += rng.ExpFloat64() {
						samples++
					}
					return float64(samples) / t.Samples()
				}).stdDevEstimate(1)
			}})
	}
	return checks
}

func recallChecks() []Check {
	var checks []Check
	for _, c := range []struct {
		n int
		d float64
	}{{30, 0.1}, {100, 0.03}, {1000, 0.001}} {
		t := Total{Calls: c.n, Duration: ms(c.d), Interval: ms(1)}
		checks = append(checks, Check{Law: "method recall", Case: fmt.Sprintf("n=%d d/T=%g", c.n, c.d), Value: t.Seen(),
			Simulate: func(rng *rand.Rand) Estimate {
				return repeat(10000, func() float64 { return indicator(methodSeen(rng, t)) }).meanEstimate()
			}})
	}
	return checks
}

// methodSeen scatters the calls over 1000 s and asks whether a tick falls into
// any of them.
func methodSeen(rng *rand.Rand, t Total) bool {
	phase := time.Duration(rng.Int64N(int64(t.Interval)))
	for range t.Calls {
		start := time.Duration(rng.Int64N(int64(1000 * time.Second)))
		toTick := (phase - start%t.Interval + t.Interval) % t.Interval
		if toTick < t.Duration {
			return true
		}
	}
	return false
}
