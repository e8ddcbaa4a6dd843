package estimate

import (
	"math"
	"time"
)

// z95 is the 97.5 % quantile of the normal distribution.
const z95 = 1.959963984540054

// z90 is the 95 % quantile of the normal distribution.
const z90 = 1.6448536269514722

// quantile95 returns the number of standard deviations by which a 95 % interval exceeds bounds that
// are apart standard deviations apart. If the error is known up to a bias between two bounds, an
// interval with the bounds at its ends misses the truth at one side only, so 1.645 standard
// deviations are enough for distant bounds, and 1.96 are needed if the bounds are equal. It is the
// c of Φ(c + apart) − Φ(−c) = 0.95 (Imbens and Manski 2004).
func quantile95(apart float64) float64 {
	if apart <= 0 {
		return z95
	}
	low, high := z90, z95
	for range 20 {
		c := (low + high) / 2
		if math.Erfc(-(c+apart)/math.Sqrt2)-math.Erfc(c/math.Sqrt2) < 2*0.95 {
			low = c
		} else {
			high = c
		}
	}
	return high
}

// score returns the interval of z standard deviations of a time t with an estimated variance v, in
// ns². The upper limit is that of the score interval, the greatest s with s − t ≤ z √(v s/t), which
// is right for small, skewed counts. The lower limit is the normal one, t − z √v, and at least 0.
// The score interval has a higher lower limit, which is too high for small methods: readers select
// those that received many samples by chance.
func score(t time.Duration, v, z float64) Time {
	if t <= 0 || v <= 0 {
		return exact(t)
	}
	unit := v / float64(t) // variance for each ns
	high := float64(t) + z*z*unit/2 + z*math.Sqrt(v+z*z*unit*unit/4)
	return Time{t, toDuration(max(0, float64(t)-z*math.Sqrt(v))), toDuration(high)}
}

// toDuration rounds, and limits the result to the maximum duration.
func toDuration(ns float64) time.Duration {
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(math.Round(ns))
}

// UnseenSamples is the 95 % upper limit of the time of a method without samples, in periods: a
// Poisson count with the mean 3 is 0 with the probability e⁻³, 5 %.
const UnseenSamples = 3

// margins widen an interval beyond its sampling error.
type margins struct {
	open          time.Duration // wall time after the threads' last events that may belong to it
	counted       time.Duration // the same, if it is part of the times
	before        time.Duration // time before the threads' first samples that may belong to it, on either clock
	held          time.Duration // wall time in pauses that may belong to it
	kept          time.Duration // wall time in pauses that may belong to others instead
	most          time.Duration // wall time of its threads, including open
	maxCPU        time.Duration // CPU time of its threads, including the maximum before their first samples and after their last events
	run           time.Duration // CPU time after the last events that may belong to it; never counted
	misattributed time.Duration // CPU time in it that may belong to others
	onExit        time.Duration // the part of it before the next stack
	edge          time.Duration // CPU time at the ends of its threads that may belong to it, beyond before and run
	threads       int           // number of threads with samples of it; 0: not needed
	others        time.Duration // CPU time of its threads in others that may belong to it
	hidden        time.Duration // time of incomplete stacks of its threads, on either clock
}

// share returns the estimate of the sum.
func (s *sum) share(u margins) Share {
	below, above := u.counted+u.kept+s.begins.wall, u.open+u.before+u.held+u.hidden+s.ends.wall
	deviation := math.Sqrt(s.varWall + s.silWall)
	wall, cpu := score(s.wall, s.varWall+s.silWall, quantile95(float64(below+above)/deviation)), score(s.cpu, s.varCPU+s.silCPU, z95)
	wall.Low = max(0, wall.Low-below)
	wall.High = max(wall.Value, min(wall.High+above, u.most))
	if u.threads > 0 && int(s.single+s.longer) == u.threads { // it was on the stack from its first to its last sample on each thread
		u.misattributed = u.onExit
	}
	known := u.misattributed+u.others <= (cpu.High-cpu.Low)/2
	cpu.Low = max(0, cpu.Low-u.misattributed-s.begins.cpu)
	if u.misattributed > s.cpu/2 { // it may wait, and wake up too soon after samples to be recognized
		cpu.Low = 0
	}
	most := min(wall.High, u.maxCPU)
	if cpu.High += u.others + u.before + u.run + u.hidden + s.ends.cpu; known {
		most = min(most, cpu.High)
	} else if cpu.High += u.edge; cpu.High < most/2 { // it mostly waits, and wall time is no useful bound
		most = cpu.High
	}
	cpu.High = max(cpu.Value, most)
	return Share{
		Clocks: Clocks{wall, cpu},
		NoCPU:  !known,
		Runs:   Runs{s.samples, int64(s.single), int64(s.longer)},
	}
}
