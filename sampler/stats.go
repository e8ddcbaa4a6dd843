package sampler

import "time"

// Stats is what a run of a sampler came to.
type Stats struct {
	Ticks   int64   // times the app was stopped
	Samples []int64 // by thread index: ticks that found the thread alive
	Changed int64   // samples of a thread whose stack differed from the one remembered
	Events  int64   // events written
	Dropped int64   // events that found no room in the buffer

	AppTime      time.Duration // the truth's length: what the app takes unobserved
	Paused       time.Duration // all pauses together
	LongestPause time.Duration

	firstTick, lastTick time.Duration // wall times
}

// Slowdown returns how many times longer the app took than unobserved: 1 for
// none.
func (s *Stats) Slowdown() float64 {
	if s.AppTime == 0 {
		return 1
	}
	return 1 + float64(s.Paused)/float64(s.AppTime)
}

// MeanPeriod returns the mean wall time from one tick to the next, 0 when there
// are fewer than two.
func (s *Stats) MeanPeriod() time.Duration {
	if s.Ticks < 2 {
		return 0
	}
	return (s.lastTick - s.firstTick) / time.Duration(s.Ticks-1)
}

// MeanPause returns the mean length of a pause, 0 without ticks.
func (s *Stats) MeanPause() time.Duration {
	if s.Ticks == 0 {
		return 0
	}
	return s.Paused / time.Duration(s.Ticks)
}
