package estimate

import (
	"math"
	"time"
)

// z95 is the 97.5 % quantile of the normal distribution.
const z95 = 1.959963984540054

// score returns the 95 % interval of a time t whose variance, in ns², was estimated
// as v. Its upper end is that of the score interval, the greatest time s with
// s − t ≤ z √(v s/t): it is right for small counts, which are skewed. Its lower end
// is the normal one, t − z √v, but never below 0. The score interval's is higher:
// too high for the small methods of a trace, of which those are looked at that
// luck gave many samples.
func score(t time.Duration, v float64) Time {
	if t <= 0 || v <= 0 {
		return exact(t)
	}
	unit := v / float64(t) // variance for each ns
	high := float64(t) + z95*z95*unit/2 + z95*math.Sqrt(v+z95*z95*unit*unit/4)
	return Time{t, toDuration(max(0, float64(t)-z95*math.Sqrt(v))), toDuration(high)}
}

// toDuration rounds, and cuts what no duration can hold.
func toDuration(ns float64) time.Duration {
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(math.Round(ns))
}

// UnseenSamples is how many periods long a method can have run of which a trace has no sample, with
// 95 %: no hit of a Poisson count with the mean 3 has a chance of e⁻³, 5 %.
const UnseenSamples = 3

// margins is what an interval has besides its sampling error.
type margins struct {
	open          time.Duration // wall time after the threads' last events that may belong to it
	counted       time.Duration // the same, where it is counted
	before        time.Duration // time before the threads' first samples that may belong to it, on either clock
	held          time.Duration // wall time that pauses may have taken from it unseen
	kept          time.Duration // wall time that it may have instead of others for that
	most          time.Duration // wall time of its threads, with what is open
	mostCPU       time.Duration // CPU time of its threads, with what they may have used before their first samples and after their last events
	run           time.Duration // CPU time after the last events that may belong to it; never counted
	misattributed time.Duration // CPU time in it that may be another's
	onExit        time.Duration // the part of it between it and what followed it
	edge          time.Duration // CPU time of its threads at their ends that may be its own, beside before and run
	threads       int           // that it was seen on; 0: not asked for
	others        time.Duration // CPU time of its threads in others that may be its own
	hidden        time.Duration // of its threads that samples with a part of the stack stand for, on either clock
}

// share makes an estimate of the sum.
func (s *sum) share(u margins) Share {
	wall, cpu := score(s.wall, s.varWall+s.silWall), score(s.cpu, s.varCPU+s.silCPU)
	wall.Low = max(0, wall.Low-u.counted-u.kept-s.begins.wall)
	wall.High = max(wall.Value, min(wall.High+u.open+u.before+u.held+u.hidden+s.ends.wall, u.most))
	if u.threads > 0 && int(s.single+s.longer) == u.threads { // it was there from its first sample to its last on each
		u.misattributed = u.onExit
	}
	known := u.misattributed+u.others <= (cpu.High-cpu.Low)/2
	cpu.Low = max(0, cpu.Low-u.misattributed-s.begins.cpu)
	if u.misattributed > s.cpu/2 { // it may be one that waits, and woke up now and then too soon after a sample to show it
		cpu.Low = 0
	}
	most := min(wall.High, u.mostCPU)
	if cpu.High += u.others + u.before + u.run + u.hidden + s.ends.cpu; known {
		most = min(most, cpu.High)
	} else if cpu.High += u.edge; cpu.High < most/2 { // it mostly waits, and wall time bounds nothing
		most = cpu.High
	}
	cpu.High = max(cpu.Value, most)
	return Share{
		Clocks: Clocks{wall, cpu},
		NoCPU:  !known,
		Runs:   Runs{s.samples, int64(s.single), int64(s.longer)},
	}
}
