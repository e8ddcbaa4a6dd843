package estimate

import (
	"math"
	"time"

	"artifice/trace/calltree"
)

// point is an instant of a thread: its clocks, and the number of the sample
// among the samples of the thread.
type point struct {
	wall, cpu time.Duration
	sample    int64
}

// stamp is a point with facts about the time before it.
type stamp struct {
	point

	// Wall and CPU time without samples before the point; 0: the previous sample was one period
	// earlier.
	silent, silentCPU time.Duration

	// For a late sample, the maximum error of ends and beginnings since the previous sample, all
	// with the same sign; 0: the sample is not late.
	late, lateCPU time.Duration

	after int64 // samples since the thread's latest reset; 0: none, or more than maxAfter

	silence bool // a silence lies between the thread's previous sample and this one

	sum bool // samples have no order, so neighbors are unknown
}

// sum is the sum of the runs of one method or context on one thread.
type sum struct {
	wall, cpu       time.Duration
	varWall, varCPU float64   // ns², of regular samples
	silWall, silCPU float64   // ns², of times without samples
	begins, ends    displaced // at late samples
	samples         int64
	single, longer  int32
	thin            thinned
}

// displaced is the summed maximum error of ends of runs at late samples. These errors have one sign
// and do not cancel.
type displaced struct{ wall, cpu time.Duration }

func (d *displaced) add(wall, cpu time.Duration) {
	d.wall += wall
	d.cpu += cpu
}

// add adds the sum of another thread or context. Errors are independent, so variances add.
func (s *sum) add(o *sum) {
	s.wall += o.wall
	s.cpu += o.cpu
	s.varWall += o.varWall
	s.varCPU += o.varCPU
	s.silWall += o.silWall
	s.silCPU += o.silCPU
	s.begins.add(o.begins.wall, o.begins.cpu)
	s.ends.add(o.ends.wall, o.ends.cpu)
	s.samples += o.samples
	s.single += o.single
	s.longer += o.longer
	s.thin.add(&o.thin)
}

// runs follows the runs of one method or context on one thread.
type runs struct {
	sum
	from, to point // of the open run, or the last one; to is where it ended

	silent, silentCPU time.Duration // those of from

	// Contribution of the end of the last run to the variances. A following gap of one sample
	// replaces it. 0 for a run of one sample.
	endWall, endCPU float64

	gap      int64 // samples between the last run and the open one
	afterGap bool  // of one sample
	seen     bool  // there was a run

	windows windows
}

// contextRuns has the runs of contexts. Most contexts of deep stacks are never innermost, so they
// need no exclusive runs.
type contextRuns struct {
	of   []*runs // by context; nil: no run has begun
	free []runs  // allocated, and not in use
}

// at returns the runs of a context, to which the caller adds.
func (c *contextRuns) at(n calltree.Node) *runs {
	if c.of[n] == nil {
		if len(c.free) == 0 {
			c.free = make([]runs, 64)
		}
		c.of[n], c.free = &c.free[0], c.free[1:]
	}
	return c.of[n]
}

// get returns the runs of a context, to be read only.
func (c *contextRuns) get(n calltree.Node) *runs {
	if r := c.of[n]; r != nil {
		return r
	}
	return &noRuns
}

// noRuns are the runs of a context without any; they are never changed.
var noRuns runs

// farAway is the gap before the first run.
const farAway = 1 << 32

// begin begins a run.
func (r *runs) begin(at stamp) {
	r.gap, r.afterGap = farAway, false
	if r.seen && !at.sum {
		r.gap = at.sample - r.to.sample
	}
	if r.gap == 1 {
		gapWall, gapCPU := float64(at.wall-r.to.wall), float64(at.cpu-r.to.cpu)
		r.varWall += gapWall*gapWall - r.endWall
		r.varCPU += gapCPU*gapCPU - r.endCPU
		r.afterGap = true
	}
	r.from, r.silent, r.silentCPU, r.seen = at.point, at.silent, at.silentCPU, true
	r.begins.add(at.late, at.lateCPU)
}

// end ends the open run at the first sample that does not show the method.
func (r *runs) end(at stamp) {
	wall, cpu, samples := at.wall-r.from.wall, at.cpu-r.from.cpu, at.sample-r.from.sample
	r.wall += wall
	r.cpu += cpu
	r.samples += samples
	r.to = at.point
	if at.sum { // each sample counts as a run
		n := float64(max(1, samples))
		r.single += int32(samples)
		r.varWall += float64(wall) * float64(wall) / n
		r.varCPU += float64(cpu) * float64(cpu) / n
		return
	}
	r.thin.run(r.gap, samples)
	r.windows.add(r.from.sample, at.sample)
	r.ends.add(at.late, at.lateCPU)
	if !r.afterGap {
		r.addSilence(r.silent, r.silentCPU)
	}
	r.addSilence(at.silent, at.silentCPU)
	if samples <= 1 {
		r.single++
		wall, cpu = wall-at.silent, cpu-at.silentCPU
		r.varWall += float64(wall) * float64(wall)
		r.varCPU += float64(cpu) * float64(cpu)
		r.endWall, r.endCPU = 0, 0
		return
	}
	r.longer++
	meanWall, meanCPU := float64(wall)/float64(samples), float64(cpu)/float64(samples)
	if at.silent > 0 { // the silence follows the last sample of the run
		meanWall, meanCPU = float64(wall-at.silent)/float64(samples-1), float64(cpu-at.silentCPU)/float64(samples-1)
	}
	endWall, endCPU := meanWall*meanWall/12, meanCPU*meanCPU/12
	if r.silent == 0 && !r.afterGap {
		r.varWall += endWall
		r.varCPU += endCPU
	}
	if at.silent > 0 {
		r.endWall, r.endCPU = 0, 0
		return
	}
	r.endWall, r.endCPU = endWall, endCPU
	r.varWall += endWall
	r.varCPU += endCPU
}

// addSilence adds the variance of an end in a silence: half the square of the silence's length. In
// the trace the end is at the last instant of the silence. It is equally likely that the thread
// reached it at the first instant and waited for the cause of the sampler's delay. The run that
// begins at that instant gets the other half of the variance.
func (r *runs) addSilence(wall, cpu time.Duration) {
	if wall <= 0 {
		return
	}
	r.silWall += float64(wall) * float64(wall) / 2
	r.silCPU += float64(cpu) * float64(cpu) / 2
}

// varianceRatio returns the variance of a sum of runs relative to that of independent samples, at
// most 1.
//
// Runs and gaps of random length lie between chance and long stretches. With the
// correlation λ of two neighbouring samples, where app and gaps have exponential
// lengths, the error of a sum of samples has for each run the variance
// T² (coth(y/2) − 2/y)/(1−λ), y = −ln λ: T² for λ = 0, T²/6 for λ = 1. λ shows in
// thinnings: samples k apart differ in proportion to 1 − λ^k. A mixture of both
// kinds of runs has a part that keeps growing with k, from the long runs, and the λ of the short
// ones.
func (s *sum) varianceRatio() float64 {
	n := float64(s.thin.runs)
	if n < minRuns || s.varWall <= 0 {
		return 1
	}
	starts := func(i int) float64 { return float64(s.thin.starts[i]) }
	d1, d2 := n, starts(0)-n
	long := min(d1, max(0, (starts(4)-starts(2))/4)) // increase per step from 4 to 8
	short := d1 - long
	if short < minRuns {
		return 1
	}
	best := min(0.95, max(0, (d2-long)/short))
	third, fourth := starts(1)-starts(0), starts(2)-starts(1)
	if wrong := math.Abs(third-long-short*best*best) + math.Abs(fourth-long-short*best*best*best); wrong > 0.05*n {
		return 1 // lengths of several kinds: no single λ fits
	}
	lambda := max(0, best-1/math.Sqrt(short)) // lower limit of λ
	own := 1.0
	if y := -math.Log(lambda); lambda > 0.01 {
		own = (1/math.Tanh(y/2) - 2/y) / (1 - lambda)
	}
	period := float64(s.wall) / float64(s.samples)
	return min(1, (own*short+long/6)*period*period/s.varWall)
}

// minRuns is the minimum number of runs for estimating λ.
const minRuns = 30

// widened returns the sum with the variances of regular samples multiplied by alike.
func (s sum) widened(alike float64) sum {
	s.varWall *= alike
	s.varCPU *= alike
	return s
}

// thinnings are the factors of thinning: factor k keeps every k-th sample.
var thinnings = [...]int64{2, 3, 4, 6, 8}

// thinned counts the runs of one context or method in thinned traces. All k offsets of a thinning
// by k together have one run for each sample that shows the context while the k-th sample before
// does not.
type thinned struct {
	runs    uint32
	starts  [len(thinnings)]uint32 // over all offsets
	history uint8                  // bit j: the sample j+1 before the last end shows the context
}

// run adds a run of the given number of samples that follows the last one after a gap.
func (t *thinned) run(gap, samples int64) {
	t.runs++
	if gap >= 8 {
		t.history = 0
	} else {
		t.history <<= gap
	}
	for i, k := range thinnings {
		for back := k - 1; back >= 0 && back >= k-samples; back-- {
			if t.history>>back&1 == 0 {
				t.starts[i]++
			}
		}
	}
	if samples >= 8 {
		t.history = 0xff
	} else {
		t.history = t.history<<samples | (1<<samples - 1)
	}
}

// add adds the counts of another context.
func (t *thinned) add(o *thinned) {
	t.runs += o.runs
	for i := range t.starts {
		t.starts[i] += o.starts[i]
	}
}

// begins returns the numbers of runs in all samples, and per offset in every 2nd, 3rd and 4th
// sample.
func (t *thinned) begins() [4]float64 {
	return [4]float64{float64(t.runs), float64(t.starts[0]) / 2, float64(t.starts[1]) / 3, float64(t.starts[2]) / 4}
}
