package theory

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// watched is what a systematic sampler makes of a path that goes on and off.
type watched struct {
	trueCalls, reported int           // calls that begin, and reported calls that begin
	on, reportedOn      time.Duration // time on the stack, true and reported
}

// watch samples a path that next alternately keeps on and off the stack, for
// about that many samples. It counts the calls that begin at from or later: what
// came before must be as if it had gone on for ever, and a sample must be in it.
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

func loopChecks() []Check {
	const samples = 5000
	var checks []Check
	for _, c := range []struct{ on, off, t float64 }{
		{1, 1, 1.5}, {1, 1, 2}, {1, 1, 2.05}, {0.9, 0.1, 0.5}, {0.9, 0.1, 0.97}, {0.2, 0.8, 0.7}, {0.3, 0.2, 2.17},
	} {
		l := Loop{On: ms(c.on), Off: ms(c.off)}
		// The ends of a run may add or take one call of each kind.
		checks = append(checks, Check{Law: "merging, periodic loop", Case: fmt.Sprintf("on=%g off=%g T=%g", c.on, c.off, c.t), Value: l.ReportedPerTrue(ms(c.t)), Within: 2. / samples,
			Simulate: func(rng *rand.Rand) Estimate {
				return repeat(200, func() float64 {
					lead := time.Duration(rng.Int64N(int64(l.Period())))
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

// swap sets *d to v and returns what it was.
func swap(d *time.Duration, v time.Duration) time.Duration {
	old := *d
	*d = v
	return old
}

func alternatingChecks() []Check {
	a := Alternating{On: ms(1.2), Off: ms(2)}
	tau := inMS(a.Correlation())
	var checks []Check
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
			checks = append(checks, Check{Law: "merging, random on/off", Case: fmt.Sprintf("T/τc=%g %s", x, what), Value: law,
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

func isolatedChecks() []Check {
	const calls = 100000
	var checks []Check
	for _, mean := range []float64{0.3, 3, 30} {
		law := Isolated{Mean: ms(mean), Interval: ms(1)}
		run := func(rng *rand.Rand) (truth, reported []time.Duration) {
			for range calls {
				d := time.Duration(rng.ExpFloat64() * float64(law.Mean))
				truth = append(truth, d)
				if r := sampledCall(rng, Call{d, law.Interval}); r > 0 {
					reported = append(reported, r)
				}
			}
			return truth, reported
		}
		name := fmt.Sprintf("μ/T=%g ", mean)
		checks = append(checks,
			Check{Law: "isolated calls", Case: name + "recall", Value: law.Recall(), Simulate: func(rng *rand.Rand) Estimate {
				truth, reported := run(rng)
				p := float64(len(reported)) / float64(len(truth))
				return Estimate{Value: p, StdErr: ShareError(p, calls)}
			}},
			Check{Law: "isolated calls", Case: name + "mean if detected ms", Value: inMS(law.MeanIfDetected()), Simulate: func(rng *rand.Rand) Estimate {
				_, reported := run(rng)
				t := &tally{}
				for _, r := range reported {
					t.add(inMS(r))
				}
				return t.meanEstimate()
			}},
			// The largest of many noisy differences is above the largest difference:
			// by less than 2/√calls.
			Check{Law: "isolated calls", Case: name + "KS", Value: law.KS(), Within: 0.006, Simulate: func(rng *rand.Rand) Estimate {
				truth, reported := run(rng)
				d := largestDistance(truth, reported)
				return Estimate{Value: d, StdErr: ShareError(d, calls)}
			}})
	}
	return checks
}

// largestDistance is the Kolmogorov-Smirnov distance of two samples, by
// counting at every value of either.
func largestDistance(a, b []time.Duration) float64 {
	slices.Sort(a)
	slices.Sort(b)
	var most float64
	for i, j := 0, 0; i < len(a) && j < len(b); {
		v := min(a[i], b[j])
		for i < len(a) && a[i] == v {
			i++
		}
		for j < len(b) && b[j] == v {
			j++
		}
		d := float64(i)/float64(len(a)) - float64(j)/float64(len(b))
		most = max(most, d, -d)
	}
	return most
}
