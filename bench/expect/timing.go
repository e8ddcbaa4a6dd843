package expect

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"artifice/trace"
)

// timing contains the wall times of samples relative to the run, from 0 to 1. Because profiles and
// logs have clocks with different origins, the last sample is assumed to be at the end of the run.
type timing struct {
	runs   []run // in time order
	shift  time.Duration
	length time.Duration
	begin  time.Duration
}

// newTiming returns the times of a profile; nil: unknown.
func newTiming(t *Truth, p *Profile) *timing {
	if p.runs == nil {
		return nil
	}
	begin, end := t.span()
	var last time.Duration
	for _, r := range p.runs {
		last = max(last, r.time(max(0, r.count-1)))
	}
	if last <= 0 || end <= begin {
		return nil
	}
	runs := slices.Clone(p.runs)
	slices.SortStableFunc(runs, func(a, b run) int { return int(a.wall - b.wall) })
	return &timing{runs, end - last, end - begin, begin}
}

// before returns the number of samples before a relative time of the run.
func (t *timing) before(part float64) (n float64) {
	until := t.begin + time.Duration(part*float64(t.length)) - t.shift
	for i := range t.runs {
		r := &t.runs[i]
		if r.wall >= until {
			break
		}
		if all := float64(r.count); until >= r.until {
			n += all
		} else {
			n += min(all, math.Ceil(all*float64(until-r.wall)/float64(r.until-r.wall)))
		}
	}
	return n
}

// close returns the number of runs that begin within a time after a run of another thread.
func (t *timing) close(within time.Duration) (n float64) {
	for i := 1; i < len(t.runs); i++ {
		if a, b := &t.runs[i-1], &t.runs[i]; a.thread != b.thread && b.wall-a.wall < within {
			n++
		}
	}
	return n
}

// lost is the result of simulating samples that are lost while another one is taken.
type lost struct {
	within time.Duration // time after a sample in which no other sample is taken
	shares []float64     // by context
	kept   float64       // share of samples that are kept
	// number of runs of a profile that begin within this time after a run of another thread,
	// without losses
	close float64
}

// simulateLost simulates timers with a constant period, for several values of the time after a
// sample in which samples are lost. The values are fractions of the period.
func (d *diagnosis) simulateLost(parts []float64) []lost {
	period, key := d.period()
	_, sum := d.times(d.clock)
	if sum > maxSimulated*period {
		return nil
	}
	return remembered(d, d.now+key, func() []lost { return d.simulate(parts, period, sum/period) })
}

// Limits of simulations: samples of a profile; samples and timeline segments of a simulation.
const (
	maxSimulated      = 1_000_000
	samplesSimulated  = 300_000
	segmentsSimulated = 30_000_000
)

// minExpectedLost is the minimum number of simulated samples of a context for a separate estimate
// of its losses. For other contexts the loss over all contexts is used.
const minExpectedLost = 100

func (d *diagnosis) simulate(parts []float64, period, samples float64) []lost {
	list := make([]lost, len(parts))
	for i, part := range parts {
		list[i] = lost{within: time.Duration(part * period), shares: make([]float64, len(d.null))}
	}
	segments := 0
	for i := range d.truth.lines {
		segments += len(d.truth.lines[i].stack)
	}
	rounds := max(1, min(samplesSimulated/int(max(1, samples)), segmentsSimulated/max(1, segments)))
	rng := rand.New(rand.NewPCG(17, 58))
	var all float64
	for range rounds {
		samples := d.timers(rng, period)
		all += float64(len(samples))
		stack := make([]int32, len(d.truth.lines)) // stack of each thread's last sample
		// samples with a stack other than that of the thread's last sample
		var begins []run
		for _, s := range samples {
			if stack[s.thread] != s.stack {
				begins = append(begins, s)
			}
			stack[s.thread] = s.stack
		}
		profile := timing{runs: begins}
		for i := range list {
			l := &list[i]
			l.close += profile.close(l.within) / float64(rounds)
			last := -l.within
			for _, s := range samples {
				if s.wall-last >= l.within {
					last = s.wall
					l.shares[s.stack]++
					l.kept++
				}
			}
		}
	}
	for i := range list {
		l := &list[i]
		l.kept /= max(1, all)
		for at, share := range d.null {
			if expected := share * all; expected < minExpectedLost {
				l.shares[at] = expected * l.kept
			}
		}
	}
	return list
}

// timers returns the samples of a timer for each thread's CPU time, in the order of wall time.
func (d *diagnosis) timers(rng *rand.Rand, period float64) (samples []run) {
	for i := range d.truth.lines {
		l := &d.truth.lines[i]
		if len(l.stack) == 0 {
			continue
		}
		next := float64(l.begins[CPU][0]) + rng.Float64()*period
		for k, stack := range l.stack {
			begin := float64(l.begins[CPU][k])
			for end := begin + l.lasts(CPU, k); next < end; next += period {
				if stack > 0 {
					samples = append(samples, run{thread: trace.ThreadID(i), stack: d.ofTruth[stack], count: 1, wall: l.begins[Wall][k] + time.Duration(next-begin)})
				}
			}
		}
	}
	slices.SortStableFunc(samples, func(a, b run) int { return int(a.wall - b.wall) })
	return samples
}
