package tracers

import (
	"slices"
	"time"

	"artifice/research/internal/peers/seen"
)

// Sample is a sample of CPU time: the stack of a thread that had used a weight of CPU time since
// its last sample.
type Sample struct {
	At     time.Duration
	Thread int
	Frames []string // outermost first
	Weight time.Duration
}

// jitter is the largest delay of the timer of a running thread, as a part of the weight.
const jitter = 0.25

// Running returns the contents of samples of CPU time in time order. Each adds its weight to the
// CPU time of its stack. On the wall clock a stack lasts for its weight, or until the thread's next
// sample if that is earlier, or later by at most a part of the weight or of the interval, which is
// what most samples weigh. After that the thread has no frame, because it did not run. Calls that
// the next stack has, too, continue: their new enters are inherited.
func Running(samples []Sample, interval time.Duration, late float64) *seen.Trace {
	held := &seen.Trace{Wall: true, CPU: true}
	last, ran := make(map[int]Sample), make(map[int]time.Duration)
	paused := make(map[int][]string) // stacks before the last pause of threads that did not run since
	to := func(thread int, at time.Duration, frames []string) {
		before := len(held.Events)
		held.Events = between(held.Events, thread, at, last[thread].Frames, frames)
		for i := before; i < len(held.Events); i++ {
			held.Events[i].CPU = ran[thread]
			depth := i - before
			held.Events[i].Inherited = depth < len(paused[thread]) && slices.Equal(frames[:depth+1], paused[thread][:depth+1])
		}
		delete(paused, thread)
	}
	end := func(s Sample) {
		to(s.Thread, s.At+s.Weight, nil)
		paused[s.Thread] = s.Frames
		s.Frames = nil
		last[s.Thread] = s
	}
	for _, s := range samples {
		if before, any := last[s.Thread]; any && s.At-before.At > lasts(before.Weight, interval, late) {
			end(before)
		}
		to(s.Thread, s.At, s.Frames)
		last[s.Thread] = s
		ran[s.Thread] += s.Weight
	}
	for _, s := range last {
		before := len(held.Events)
		end(s)
		for i := before; i < len(held.Events); i++ {
			held.Events[i].Closing = true
		}
	}
	return held
}

// lasts returns the longest time from a sample to the next of a thread that runs all the time.
func lasts(weight, interval time.Duration, late float64) time.Duration {
	if late == 0 {
		return weight + time.Microsecond // the precision of times in ms
	}
	most := max(weight, interval)
	return most + time.Duration(late*float64(most))
}

// ofCPU returns samples that weigh the same.
func ofCPU(samples []sample, each time.Duration) (all []Sample) {
	for _, s := range samples {
		all = append(all, Sample{s.at, s.thread, s.frames, each})
	}
	return all
}
