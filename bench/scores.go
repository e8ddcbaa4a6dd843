package bench

import (
	"math"

	"artifice/bench/metric"
)

// Shares and numbers that the measures are taken at.
const (
	hotPart   = 0.1  // of the hottest edge's time
	rankShare = 0.01 // of the time: methods that are ranked
	topCount  = 10
)

// above returns the methods' true calls, 0 for methods below a share of the time.
func (r *reference) above(share float64) []int64 {
	calls := make([]int64, len(r.methodT.calls))
	for m, t := range r.methodT.exclusive {
		if float64(t) >= share*float64(r.total) {
			calls[m] = max(1, r.methodT.calls[m])
		}
	}
	return calls
}

// forgetSamples takes out what events alone do not tell.
func (s *Scores) forgetSamples() {
	for _, m := range []Measure{Samples, CallRecall, MergeFactor} {
		s[m] = math.NaN()
	}
}

// compare scores what a tracer tallied against the truth.
func (r *reference) compare(t *tally) (Scores, detail) {
	s := noScores()
	t.columns.grow(len(r.edgeOf)) // a time line may have met more paths since
	seen := r.profile(t.columns)
	run := metric.Sum(t.columns.self)
	s[Samples] = float64(t.samples)
	s[MethodRecall] = metric.Recall(r.methodT.calls, seen.calls)
	s[RecallAbove] = metric.Recall(r.above(rankShare), seen.calls)
	calls := metric.Calls{True: r.calls, Seen: t.seen, Reported: t.reported}
	s[CallRecall], s[CallRatio], s[MergeFactor] = calls.Recall(), calls.ReportedPerTrue(), calls.MergeFactor()
	s[Overlap] = metric.Overlap(r.methodT.exclusive, seen.exclusive)
	edges := r.byEdge(t.columns.self)
	s[OverlapEdges] = metric.Overlap(r.edgeT, edges)
	s[OverlapPaths] = metric.Overlap(r.self, r.contexts(t.columns.self))
	hot := metric.NewHot(r.edgeT, edges, hotPart)
	s[HotCoverage], s[HotPrecision] = hot.Coverage, hot.Precision
	exclusive := metric.NewTimeError(r.methodT.exclusive, seen.exclusive, r.run, run, rankShare)
	s[ExclusiveError], s[ExclusiveWorst] = exclusive.WMAPE, math.Abs(exclusive.Worst)
	inclusive := metric.NewTimeError(r.methodT.inclusive, seen.inclusive, r.run, run, rankShare)
	s[InclusiveError], s[InclusiveBias] = inclusive.WMAPE, inclusive.Bias
	r.compareCPU(&s, t)
	s[Top10] = metric.TopK(r.methodT.exclusive, seen.exclusive, topCount)
	s[KendallTau] = metric.Kendall(r.methodT.exclusive, seen.exclusive, rankShare)
	s[DurationKS] = metric.KS(&r.course.calls, &t.durations)
	if t.line.Thread > 0 {
		s[Timeline], s[TimelineDepth] = t.line.Accuracy(), t.line.DepthWeighted()
	}
	return s, r.detail(t.columns.calls, seen.exclusive)
}

// compareCPU scores CPU times, where both sides have them.
func (r *reference) compareCPU(s *Scores, t *tally) {
	if r.cpuT == nil || t.columns.cpu == nil {
		return
	}
	seen, run := r.byCPU(t.columns), metric.Sum(t.columns.cpu)
	s[ExclusiveCPUError] = metric.NewTimeError(r.cpuT.exclusive, seen.exclusive, r.runCPU, run, rankShare).WMAPE
	inclusive := metric.NewTimeError(r.cpuT.inclusive, seen.inclusive, r.runCPU, run, rankShare)
	s[InclusiveCPUError], s[InclusiveCPUBias] = inclusive.WMAPE, inclusive.Bias
}
