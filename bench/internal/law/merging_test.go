package law

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Loop is a path that is on the stack for On, then off it for Off, repeatedly, as in a frame loop.
// An ideal systematic sampler samples it.
//
// Consecutive samples with the path make one reported call, so with L = On + Off and τ = T mod L
//
//	reported/true calls = (min(On, τ) − max(0, τ − Off)) / T
//
// At T = L, 2L, … no call is reported.
//
// Source: the call-count law ([callCount]) with C(T) of a rectangular wave.
//
// Example: On = 0.9 ms, Off = 0.1 ms, T = 0.5 ms: (0.5 − 0.4)/0.5 = 0.2. Four of five calls merge
// with the previous one.
type Loop struct {
	On, Off time.Duration
}

// period returns L = On + Off.
func (l Loop) period() time.Duration { return l.On + l.Off }

// ReportedPerTrue returns the expected number of reported calls per true call.
func (l Loop) ReportedPerTrue(interval time.Duration) float64 {
	tau := interval % l.period()
	starts := min(l.On, tau) - max(0, tau-l.Off) // measure of {on at t, off at t−T} in one period
	return ratio(starts, interval)
}

// Alternating is a path that is on and off the stack for exponentially distributed times with means
// On and Off. The sampler is an ideal systematic one unless stated otherwise.
//
// With τc = On·Off/(On+Off) and x = T/τc, all such paths have
//
//	reported/true calls = (1 − e^{−x})/x
//
// Source: the call-count law ([callCount]) with the autocorrelation of a two-state Markov chain,
// which decays with time constant τc.
//
// Example: On = Off = 2 ms has τc = 1 ms. At T = 1 ms x = 1: 63 % of the calls
// are reported, and they last 2/0.632 = 3.16 ms on average.
type Alternating struct {
	On, Off time.Duration
}

// Correlation returns τc, the correlation time of the path's state.
func (a Alternating) Correlation() time.Duration {
	return time.Duration(float64(a.On) * ratio(a.Off, a.On+a.Off))
}

// ReportedPerTrue returns the expected number of reported calls per true call.
func (a Alternating) ReportedPerTrue(interval time.Duration) float64 {
	return Universal(ratio(interval, a.Correlation()))
}

// ReportedPerTruePoisson returns the expected number of reported calls per true call for a Poisson
// sampler: 1/(1 + x). With ρ the duty, a gap of length X begins at a sample without the path and
// ends at a sample with it with probability ρ(1 − ρ)(1 − e^{−X/τc}). The law (1 − e^{−x})/x has a
// fixed gap; here e^{−X/τc} has the mean 1/(1 + x).
//
// Example: at x = 1, half of the calls are reported; a systematic sampler reports 63 %.
func (a Alternating) ReportedPerTruePoisson(interval time.Duration) float64 {
	return 1 / (1 + ratio(interval, a.Correlation()))
}

// MeanReported returns the mean duration of the reported calls: On·x/(1 − e^{−x}). For long
// intervals it approaches T/(1 − duty): a 5 µs callee at 95 % duty, sampled every ms, has reported
// calls of 20 ms.
func (a Alternating) MeanReported(interval time.Duration) time.Duration {
	return time.Duration(float64(a.On) / a.ReportedPerTrue(interval))
}

// watched is what a systematic sampler reports of a path that appears and disappears.
type watched struct {
	trueCalls, reported int           // true and reported calls that begin
	on, reportedOn      time.Duration // true and reported time on the stack
}

// watch samples a path for about the given number of samples. The function next returns how long
// the path stays on or off the stack. watch counts the calls that begin at from or later: before
// that, the path has to reach equilibrium, and one sample has to be taken.
func watch(rng *rand.Rand, interval, from time.Duration, samples int, next func(on bool) time.Duration) watched {
	var w watched
	tick := time.Duration(rng.Int64N(int64(interval)))
	end := from + tick + time.Duration(samples)*interval
	seen := false
	for now, on := time.Duration(0), true; now < end; on = !on {
		until := now + next(on)
		counted := on && now >= from
		if counted {
			w.trueCalls++
			w.on += until - now
		}
		for ; tick < until; tick += interval {
			if counted {
				w.reportedOn += interval
				w.reported += int(indicator(!seen))
			}
			seen = on
		}
		now = until
	}
	return w
}

func loopChecks() []check {
	const samples = 5000
	var checks []check
	for _, c := range []struct{ on, off, t float64 }{
		{1, 1, 1.5}, {1, 1, 2}, {1, 1, 2.05}, {0.9, 0.1, 0.5}, {0.9, 0.1, 0.97}, {0.2, 0.8, 0.7}, {0.3, 0.2, 2.17},
	} {
		l := Loop{On: ms(c.on), Off: ms(c.off)}
		// At the ends of a run, one call of each kind may be missing or added.
		checks = append(checks, check{Law: "merging, periodic loop", Case: fmt.Sprintf("on=%g off=%g T=%g", c.on, c.off, c.t), Value: l.ReportedPerTrue(ms(c.t)), Within: 2. / samples,
			Simulate: func(rng *rand.Rand) Estimate {
				return repeat(200, func() float64 {
					lead := time.Duration(rng.Int64N(int64(l.period())))
					w := watch(rng, ms(c.t), ms(c.t), samples, func(on bool) time.Duration {
						if on {
							return l.On + swap(&lead, 0)
						}
						return l.Off
					})
					return float64(w.reported) / float64(w.trueCalls)
				}).meanEstimate()
			}})
	}
	return checks
}

// swap sets *d to v and returns the previous value of *d.
func swap(d *time.Duration, v time.Duration) time.Duration {
	old := *d
	*d = v
	return old
}

func alternatingChecks() []check {
	a := Alternating{On: ms(1.2), Off: ms(2)}
	tau := inMS(a.Correlation())
	var checks []check
	for _, x := range []float64{0.2, 1, 4, 60} {
		interval := ms(x * tau)
		run := func(rng *rand.Rand) watched {
			return watch(rng, interval, interval+10*(a.On+a.Off), 20000, func(on bool) time.Duration {
				mean := a.Off
				if on {
					mean = a.On
				}
				return time.Duration(rng.ExpFloat64() * float64(mean))
			})
		}
		add := func(what string, law float64, pick func(w watched) float64) {
			checks = append(checks, check{Law: "merging, random on/off", Case: fmt.Sprintf("T/τc=%g %s", x, what), Value: law,
				Simulate: func(rng *rand.Rand) Estimate {
					return repeat(20, func() float64 { return pick(run(rng)) }).meanEstimate()
				}})
		}
		add("reported/true", a.ReportedPerTrue(interval), func(w watched) float64 { return float64(w.reported) / float64(w.trueCalls) })
		add("mean reported ms", inMS(a.MeanReported(interval)), func(w watched) float64 { return inMS(w.reportedOn) / float64(w.reported) })
		add("reported/true time", 1, func(w watched) float64 { return ratio(w.reportedOn, w.on) })
	}
	return checks
}
