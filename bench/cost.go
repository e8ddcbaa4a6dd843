package bench

import (
	"math"

	"artifice/art"
	"artifice/bench/metric"
	"artifice/sampler"
	"artifice/trace"
)

// recordBytes is the size of one event in ART's classic file with both clocks.
var recordBytes = art.RecordSize(trace.Dual)

// costOfSampling fills in what a sampler cost. Threads use no CPU time while they are
// stopped.
func costOfSampling(stats *sampler.Stats, s *Scores) {
	cost := metric.Cost{
		AppTime: stats.AppTime, WallTime: stats.AppTime + stats.Paused, LongestPause: stats.LongestPause,
		Events: stats.Events, Bytes: stats.Events * recordBytes, Dropped: stats.Dropped,
	}
	fillCost(s, cost)
	s[Period] = math.NaN()
	if p := stats.MeanPeriod(); p > 0 {
		s[Period] = p.Seconds()
	}
}

// fillCost copies a cost into scores.
func fillCost(s *Scores, c metric.Cost) {
	s[Slowdown], s[CPUDilation] = c.WallDilation(), c.CPUDilation()
	s[LongestPause] = c.LongestPause.Seconds()
	s[EventRate], s[ByteRate], s[Overflow] = c.EventsPerSecond(), c.BytesPerSecond(), c.Overflow()
}
