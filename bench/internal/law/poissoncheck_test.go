package law

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// poissonWatched is the result of one Poisson sampler for the activations of one path.
type poissonWatched struct {
	seen     int // activations with a sample
	reported int // reported calls
}

// poissonWatch samples at exponential gaps up to the end of the last activation. It ignores the
// first uncounted activations.
func poissonWatch(rng *rand.Rand, activations []activation, uncounted int, interval time.Duration) (w poissonWatched) {
	next := 0    // first activation that ends after the sample
	before := -1 // last activation with a sample
	was := false // whether the previous sample had an activation
	for at := 0.; ; {
		at += rng.ExpFloat64() * float64(interval)
		for next < len(activations) && at >= float64(activations[next].to) {
			next++
		}
		if next == len(activations) {
			return w
		}
		is := at >= float64(activations[next].from)
		if is && next >= uncounted {
			w.seen += int(indicator(next != before))
			w.reported += int(indicator(!was))
		}
		if is {
			before = next
		}
		was = is
	}
}

// poissonLaw returns the values of the law for these activations.
func poissonLaw(activations []activation, uncounted int, interval time.Duration) (seen, reported float64) {
	law := newPoissonCount(interval)
	for i, s := range activations {
		if i == uncounted {
			seen, reported = law.Seen(0), law.Reported(0)
		}
		law.add(0, s)
	}
	return law.Seen(0) - seen, law.Reported(0) - reported
}

func poissonChecks() []check {
	const runs = 4000
	activations := bursts(rand.New(rand.NewPCG(11, 12)))
	var checks []check
	for _, interval := range []time.Duration{ms(0.05), ms(1), ms(20)} {
		seen, reported := poissonLaw(activations, 0, interval)
		add := func(what string, law float64, pick func(w poissonWatched) int) {
			checks = append(checks, check{Law: "merging, Poisson sampler", Case: fmt.Sprintf("bursts T=%v %s", interval, what), Value: law,
				Simulate: func(rng *rand.Rand) Estimate {
					return repeat(runs, func() float64 { return float64(pick(poissonWatch(rng, activations, 0, interval))) }).meanEstimate()
				}})
		}
		add("calls seen", seen, func(w poissonWatched) int { return w.seen })
		add("reported", reported, func(w poissonWatched) int { return w.reported })
	}
	return append(checks, poissonOnOffChecks()...)
}

// bursts returns a hundred activations of one path. Durations and gaps are between 1 µs and 9 ms,
// about half of them 1 µs.
func bursts(rng *rand.Rand) (list []activation) {
	length := func() time.Duration {
		return time.Duration(1+rng.IntN(1000)*rng.IntN(10)*rng.IntN(2)) * time.Microsecond
	}
	var now time.Duration
	for range 100 {
		from := now + length()
		now = from + length()
		list = append(list, activation{from, now})
	}
	return list
}

// poissonOnOffChecks compares the closed form of random on/off times with a sampler, and with the
// law of single truths.
func poissonOnOffChecks() []check {
	const calls = 2000
	const before = 300 // warm-up of 20 of the longest interval: the closed form assumes equilibrium
	a := Alternating{On: ms(1.2), Off: ms(2)}
	var checks []check
	for _, x := range []float64{0.2, 1, 4, 60} {
		interval := ms(x * inMS(a.Correlation()))
		add := func(what string, reported func(rng *rand.Rand, list []activation) float64) {
			name := fmt.Sprintf("on/off T/τc=%g %s", x, what)
			checks = append(checks, check{Law: "merging, Poisson sampler", Case: name, Value: a.ReportedPerTruePoisson(interval), Simulate: func(rng *rand.Rand) Estimate {
				return repeat(200, func() float64 { return reported(rng, a.activations(rng, before+calls)) / calls }).meanEstimate()
			}})
		}
		add("sampled", func(rng *rand.Rand, list []activation) float64 {
			return float64(poissonWatch(rng, list, before, interval).reported)
		})
		add("law of single truths", func(_ *rand.Rand, list []activation) float64 {
			_, reported := poissonLaw(list, before, interval)
			return reported
		})
	}
	return checks
}

// activations returns the first n activations of an alternating path.
func (a Alternating) activations(rng *rand.Rand, n int) (list []activation) {
	length := func(mean time.Duration) time.Duration {
		return time.Duration(rng.ExpFloat64() * float64(mean))
	}
	var now time.Duration
	for range n {
		from := now + length(a.Off)
		now = from + length(a.On)
		list = append(list, activation{from, now})
	}
	return list
}
