package tracers

import (
	"maps"
	"slices"
	"time"

	"artifice/research/internal/peers/seen"
)

// interval is the time between two samples of a thread, or two dumps.
const interval = 2 * time.Millisecond

// sample is the stack of a thread at a point in time.
type sample struct {
	at     time.Duration
	thread int
	frames []string // outermost first
}

// sampled returns the stacks of all threads with an open frame, at each interval from the first
// event to the last, ordered by time and thread number.
func sampled(t *seen.Trace) []sample {
	var samples []sample
	open := make(map[int][]string)
	threads := slices.Sorted(maps.Keys(t.Threads))
	at := first(t) + interval
	for _, e := range balanced(t).Events {
		for ; at < e.Wall; at += interval {
			for _, tid := range threads {
				if len(open[tid]) > 0 {
					samples = append(samples, sample{at, tid, slices.Clone(open[tid])})
				}
			}
		}
		if stack := open[e.Thread]; e.Enter {
			open[e.Thread] = append(slices.Clip(stack), e.Method)
		} else {
			open[e.Thread] = stack[:len(stack)-1]
		}
	}
	return samples
}

// between appends the events that transform one stack into another.
func between(events []seen.Event, thread int, at time.Duration, from, to []string) []seen.Event {
	same := 0
	for same < min(len(from), len(to)) && from[same] == to[same] {
		same++
	}
	for _, m := range slices.Backward(from[same:]) {
		events = append(events, seen.Event{Thread: thread, Method: m, Wall: at})
	}
	for _, m := range to[same:] {
		events = append(events, seen.Event{Thread: thread, Enter: true, Method: m, Wall: at})
	}
	return events
}

// closing appends the exits of frames open at the end.
func closing(events []seen.Event, thread int, at time.Duration, frames []string) []seen.Event {
	before := len(events)
	events = between(events, thread, at, frames, nil)
	for i := before; i < len(events); i++ {
		events[i].Closing = true
	}
	return events
}

// alone returns the contents of samples of single threads: a stack lasts until the next sample of
// its thread, and the last one no time.
func alone(samples []sample) *seen.Trace {
	held := &seen.Trace{Wall: true, Start: samples[0].at}
	open := make(map[int]sample)
	for _, s := range samples {
		held.Events = between(held.Events, s.thread, s.at, open[s.thread].frames, s.frames)
		open[s.thread] = s
	}
	for tid, s := range open {
		held.Events = closing(held.Events, tid, s.at, s.frames)
	}
	return held
}

// together returns the contents of dumps of all threads: a thread that is absent from a dump has
// left its frames.
func together(samples []sample) *seen.Trace {
	held := &seen.Trace{Wall: true}
	open := make(map[int][]string)
	end := samples[len(samples)-1].at
	for i := 0; i < len(samples); {
		at, now := samples[i].at, make(map[int][]string)
		for ; i < len(samples) && samples[i].at == at; i++ {
			now[samples[i].thread] = samples[i].frames
		}
		for _, tid := range slices.Sorted(maps.Keys(now)) {
			held.Events = between(held.Events, tid, at, open[tid], now[tid])
		}
		for tid, frames := range open {
			if now[tid] == nil {
				held.Events = between(held.Events, tid, at, frames, nil)
			}
		}
		open = now
	}
	for tid, frames := range open {
		held.Events = closing(held.Events, tid, end, frames)
	}
	return held
}
