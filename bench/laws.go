package bench

import (
	"math"
	"time"

	"artifice/bench/internal/law"
	"artifice/bench/score"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer"
)

// lawJob computes the expected measures of the rows of samplers.
type lawJob struct {
	laws  *law.Laws
	index map[int]int // by number of the row: index of its sampler in the laws
}

// newLawJob returns the job for the rows of samplers, or nil if there are none.
func newLawJob(rows [][]*cell) *lawJob {
	j := &lawJob{index: map[int]int{}}
	var samplers []law.Sampler
	for i, row := range rows {
		if s, ok := row[0].run.(tracer.Samples); ok {
			j.index[i] = len(samplers)
			samplers = append(samplers, lawSampler(sampler.Config(s)))
		}
	}
	if len(samplers) == 0 {
		return nil
	}
	j.laws = law.New(samplers)
	return j
}

// lawSampler returns a sampler's parameters for the laws.
func lawSampler(c sampler.Config) law.Sampler {
	return law.Sampler{
		Interval: c.Interval, Overshoot: c.Cost.Overshoot, Spread: c.Cost.OvershootSpread, Overshoots: c.Cost.Overshoots,
		Poisson: c.Schedule == sampler.Poisson, Identity: c.Identity,
		PerTick: c.Cost.PerTick, PerThread: c.Cost.PerThread, PerFrame: c.Cost.PerFrame, Resume: c.Cost.Resume,
		OneClock: c.OneClock, NoCore: c.Cost.NoCore > 0 && c.Schedule == sampler.SleepLoop,
		Altered: c.Leaves != sampler.LeavesSeen || c.BufferSize != 0,
	}
}

func (j *lawJob) run(truth *trace.Recording) error { return j.laws.Read(truth) }

// expected returns the predictions of the laws for a row, if there are any.
func (j *lawJob) expected(row int) (law.Expected, bool) {
	i, ok := j.index[row]
	if !ok {
		return law.Expected{}, false
	}
	return j.laws.Expected(i), true
}

// lawScores returns the measures that have a law. The laws of calls and samples are about all
// threads.
func lawScores(e law.Expected, allThreads bool) Scores {
	s := noScores()
	s[Period], s[Slowdown], s[CPUOverhead] = e.Period, e.Slowdown, e.Stretch-1
	if !allThreads {
		return s
	}
	s[Samples] = e.Samples
	s[CallRecall], s[CallRatio], s[MergeFactor] = e.CallRecall, e.CallRatio, e.MergeFactor
	return s
}

// Agreement is a row's mean of one measure and the prediction of a law.
type Agreement struct {
	Law      float64
	Measured law.Estimate // mean with the standard error over its phases ([law.Stratified])

	// Tolerance is the deterministic part of the allowed difference. Gaps are whole ns, and if all
	// phases agree, the measure is not resolved better than by half a count in one of them.
	Tolerance float64

	// Z is the difference in standard errors, as computed by [law.ZScore]. It is NaN if all phases
	// agree and the difference is within Tolerance, because there is then no standard error.
	Z float64
}

// OK reports whether law and measurement agree.
func (a Agreement) OK() bool { return math.IsNaN(a.Z) || math.Abs(a.Z) <= law.MaxZ }

// gapRounding is the relative error of a law with gaps of whole ns, and of sums.
const gapRounding = 1e-6

// minCounts is the minimum expected number of samples or calls, in all phases of a row together,
// for which the number is approximately normal.
const minCounts = 30

// counted is the count on which a measure is based.
type counted struct {
	// number expected by the law in all cells of the row together; samples of one tick count once
	expected float64
	one      float64 // change of the measure if a cell's count is one higher
}

// Against compares the row's mean with the law of a measure. ok is false if there is no law, if
// there is a single phase, or if the counts are too small because of an interval for which few
// phases have a sample.
func (r Row) Against(m Measure) (a Agreement, ok bool) {
	if math.IsNaN(r.Law[m]) || math.IsNaN(r.Mean[m]) || r.Cells < 2 || r.counts[m].expected < minCounts {
		return a, false
	}
	a = Agreement{Law: r.Law[m], Measured: r.measured[m], Z: math.NaN()}
	scale := math.Abs(a.Law)
	if m == CPUOverhead { // a difference of two times: the error is relative to the running time
		scale = 1 + a.Law
	}
	rounding := gapRounding * scale
	a.Tolerance = rounding
	if a.Measured.StdErr > rounding {
		a.Z = law.ZScore(a.Measured, a.Law)
		return a, true
	}
	a.Tolerance += r.counts[m].one / 2 / float64(r.Cells)
	if off := a.Measured.Value - a.Law; math.Abs(off) > a.Tolerance {
		a.Z = off / a.Tolerance
	}
	return a, true
}

// Worst returns the z-score of the measure that is farthest from its law, corrected by
// [law.Largest] for the number of measures with one. exact reports that there is none because all
// phases agree with the law as closely as they can determine; ok is false if there is no law.
func (r Row) Worst() (z float64, exact, ok bool) {
	scores := 0
	for _, m := range Measures() {
		a, has := r.Against(m)
		ok = ok || has
		if !has || math.IsNaN(a.Z) {
			continue
		}
		if scores++; scores == 1 || math.Abs(a.Z) > math.Abs(z) {
			z = a.Z
		}
	}
	return law.Largest(z, scores), scores == 0, ok
}

// countedBy sets the counts on which the measures with a law are based, for a truth sampled at a
// mean gap. Calls are counted by stack: there are at most as many as ticks. One more tick means one
// more sample of every thread.
func (r *Row) countedBy(truth *score.Truth, gap time.Duration, met float64) {
	cells, calls := float64(r.Cells), float64(truth.Calls)
	ticks := float64(truth.Length) / float64(gap)
	count := func(m Measure, inCell, one float64) {
		r.counts[m] = counted{min(inCell, ticks) * cells, one}
	}
	count(Period, ticks, 0)
	count(Slowdown, ticks, (r.Law[Slowdown]-1)/ticks)
	count(CPUOverhead, met, r.Law[CPUOverhead]/met)
	count(Samples, r.Law[Samples], float64(truth.Threads))
	count(CallRecall, r.Law[CallRecall]*calls, 1/calls)
	count(CallRatio, r.Law[CallRatio]*calls, 1/calls)
	count(MergeFactor, r.Law[CallRatio]*calls, r.Law[MergeFactor]/(r.Law[CallRatio]*calls))
}

// ratioOfMeans is the mean of a divided by the mean of b, because a law predicts both expected
// values. Its standard error is that of the residuals a − ratio·b over the phases, divided by the
// mean of b (Cochran, Sampling Techniques, 6.4).
func ratioOfMeans(a, b []float64) law.Estimate {
	meanA, meanB := law.Stratified(a).Value, law.Stratified(b).Value
	ratio := meanA / meanB
	residuals := make([]float64, len(a))
	for i := range a {
		residuals[i] = (a[i] - ratio*b[i]) / meanB
	}
	e := law.Stratified(residuals)
	e.Value = ratio
	return e
}
