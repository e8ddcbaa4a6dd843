package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"artifice/bench"
	"artifice/bench/expect"
	"artifice/bench/measure"
	"artifice/bench/score"
	"artifice/internal/words"
)

// scored is a score with its measures, and the share that a perfect sampler with as many samples
// attributes correctly.
type scored struct {
	*score.Score
	values    bench.Scores
	cpu, wall *expect.Perfect // nil: unknown, or every call is recorded
}

// newScored returns the score of a trace with these samples.
func newScored(s *score.Score, count *expect.Counter) *scored {
	r := &scored{Score: s, values: bench.ScoresOf(s.Comparison)}
	if count == nil {
		return r
	}
	running, seen := s.Running()
	n := count.Samples(measure.Share(measure.Sum(running), s.True.Time))
	if measure.Sum(seen) > 0 {
		r.cpu = perfect(running, n.CPU)
	}
	if !s.True.OfCPU {
		r.wall = perfect(s.True.Exclusive, n.Wall)
	}
	if r.cpu != nil {
		r.values[bench.FloorRunning] = r.cpu.Mean
	}
	if r.wall != nil {
		r.values[bench.Floor] = r.wall.Mean
		r.values[bench.Relative] = measure.RelativeOverlap(r.values[bench.Overlap], r.wall.Mean)
	}
	return r
}

// perfect returns the share of these times that a perfect sampler attributes correctly.
func perfect(times []time.Duration, samples float64) *expect.Perfect {
	total := measure.Sum(times)
	var shares []float64
	for _, t := range times {
		if t > 0 {
			shares = append(shares, measure.Share(t, total))
		}
	}
	if p, ok := expect.NewPerfect(shares, int64(math.Round(samples))); ok {
		return &p
	}
	return nil
}

// excessWords compares a share correctly attributed with that of a perfect sampler, as the end of a
// sentence.
func excessWords(correct float64, p *expect.Perfect) string {
	excess, than := excessOf(p, correct), "worse"
	if better, ok := strings.CutPrefix(excess, "-"); ok {
		excess, than = better, "better"
	}
	judged := "within chance"
	if correct < p.Low || correct > p.High {
		judged = "beyond chance"
	}
	return fmt.Sprintf(": %s points %s than a perfect sampler, %s.", excess, than, judged)
}

// perfectWords describes the share that a perfect sampler attributes correctly.
func perfectWords(p *expect.Perfect) string {
	return fmt.Sprintf("  A perfect sampler with %s: %.1f %% correctly attributed (90 %% range: %.1f–%.1f %%).",
		words.Count(p.Samples, "sample"), 100*p.Mean, 100*p.Low, 100*p.High)
}

// rangeOf formats the range of a perfect sampler in percent.
func rangeOf(p *expect.Perfect) string {
	if p == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f–%.1f", 100*p.Low, 100*p.High)
}

// excessOf formats the error beyond that of a perfect sampler, in points.
func excessOf(p *expect.Perfect, correct float64) string {
	if p == nil || math.IsNaN(correct) {
		return "-"
	}
	return fmt.Sprintf("%.1f", 100*p.Excess(correct)+0)
}
