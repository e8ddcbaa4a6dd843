package expect

import (
	"fmt"
	"math"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"artifice/trace"
)

// RunLength is the length of methods' runs, for truths without a timeline. Consecutive samples
// within one run of a method are not independent.
type RunLength struct {
	kind runKind
	// 0: shorter than the sampling interval, or determined from the profile's order
	length time.Duration
}

type runKind uint8

const (
	runsUnknown runKind = iota
	runsRandom          // of irregular length
	runsEven            // of about equal length, but not aliased with the sampler
)

// ParseRunLength parses "random", "random:20ms" or "even:20ms".
func ParseRunLength(s string) (RunLength, error) {
	kind, length, has := strings.Cut(s, ":")
	r := RunLength{}
	switch kind {
	case "random":
		r.kind = runsRandom
	case "even":
		r.kind = runsEven
	}
	if has {
		d, err := time.ParseDuration(length)
		if err != nil || d <= 0 {
			return RunLength{}, fmt.Errorf("run length %q: expected a time such as even:20ms", s)
		}
		r.length = d
	}
	if r.kind == runsUnknown || r.kind == runsEven && !has {
		return RunLength{}, fmt.Errorf("run length %q: must be random, random:TIME or even:TIME", s)
	}
	return r, nil
}

// runStats describes the runs of consecutive samples of a set of stacks.
type runStats struct {
	runs    float64 // number of sequences of consecutive samples in the set
	in, out float64 // number of samples in the set, and of others
}

// serialTest returns the distribution of a share of samples for a truth without a timeline. If the
// order of samples is known, the design effect of their runs widens the binomial distribution. With
// mean run lengths a and b inside and outside of the set, the correlation of consecutive samples is
// r = 1 − 1/a − 1/b, and the effect is (1+r)/(1−r). Because the effect is estimated from few runs,
// Student's t distribution replaces the normal one, with one degree of freedom per run.
func (c *checker) serialTest(independent test, want interval, set []bool, samples float64) (test, float64) {
	length := c.options.RunLength
	var s runStats
	switch {
	case c.truth.lines != nil, length.kind == runsEven:
		return independent, 0
	case c.profile.runs != nil:
		s = c.runsOf(set)
	case length.length > 0:
		period := float64(c.profile.time) / c.profile.Samples
		p := (want.low + want.high) / 2
		s.in, s.out = p*samples, (1-p)*samples
		s.runs = max(1, s.in/max(1, float64(length.length)/period))
	default:
		return independent, 0
	}
	effect, all := s.effect(), samples
	if effect <= 1 {
		return independent, 0
	}
	// threads sampled at the same instant may be correlated
	if ticks := c.profile.Ticks; ticks > 0 && ticks < samples {
		s.runs *= ticks / samples
		samples = ticks
	}
	p := min(max((want.low+want.high)/2, 1/samples), 1-1/samples)
	t := studentized{want, math.Sqrt(p * (1 - p) * effect / samples), max(1, s.runs)}
	return widest{independent, t}, t.stdErr * all
}

// effect returns the design effect of the runs, at least 1.
func (s runStats) effect() float64 {
	if s.in == 0 || s.out == 0 {
		return 1
	}
	runs := max(s.runs, 0.5)
	r := 1 - 1/max(1, s.in/runs) - 1/max(1, s.out/runs)
	r = min(max(r, -0.99), 0.9999)
	return max(1, (1+r)/(1-r))
}

// runsOf counts the runs of a set of stacks.
func (c *checker) runsOf(set []bool) (s runStats) {
	in := map[trace.ThreadID]bool{}
	for _, r := range c.profile.runs {
		now := set[c.ofProfile[r.stack]]
		if now {
			s.in += float64(r.count)
			if !in[r.thread] {
				s.runs++
			}
		} else {
			s.out += float64(r.count)
		}
		in[r.thread] = now
	}
	return s
}

// studentized is a share with an estimated standard error.
type studentized struct {
	share   interval
	stdErr  float64
	degrees float64
}

func (s studentized) tails(q float64) (below, above float64) {
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: s.degrees}
	return t.CDF((q - s.share.low) / s.stdErr), t.CDF((s.share.high - q) / s.stdErr)
}
