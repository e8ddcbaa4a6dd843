package waiting

import (
	"runtime"
	"slices"
	"sync"
	"time"

	"artifice/sampler"
)

// stacks is how many goroutines wait on so that a sample has their stacks to walk.
const stacks = 1600

// interval is what the sampling thread sleeps between two samples.
const interval = 4 * time.Millisecond

// sampling stops the world again and again until it is told to end.
type sampling struct {
	end   chan bool
	done  sync.WaitGroup
	spans []span // of its samples
}

// span is a time from the start on.
type span struct{ from, to time.Duration }

// startSampling starts the sampler.
func startSampling(start time.Time) *sampling {
	s := &sampling{end: make(chan bool), spans: make([]span, 0, 10000)}
	room := make([]byte, 1<<22)
	s.done.Go(func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for {
			select {
			case <-s.end:
				return
			default:
				pause(interval)
				from := time.Since(start)
				runtime.Stack(room, true)
				s.spans = append(s.spans, span{from, time.Since(start)})
			}
		}
	})
	return s
}

func (s *sampling) stop() {
	close(s.end)
	s.done.Wait()
}

// park starts goroutines that do nothing until the function that it returns is called.
func park() (leave func()) {
	end := make(chan bool)
	var done sync.WaitGroup
	for range stacks {
		done.Go(func() { <-end })
	}
	return func() { close(end); done.Wait() }
}

// gaps returns the times of 2 us and more in which such a thread stood still.
func gaps(start time.Time, until time.Duration) (list []span) {
	for last := time.Since(start); last < until; {
		now := time.Since(start)
		if now-last >= 2*time.Microsecond {
			list = append(list, span{last, now})
		}
		last = now
	}
	return list
}

// around is how long before and after its sample a stop can begin and end: the thread is on the core on which the sampler wakes, and
// has to get one again.
const around = 150 * time.Microsecond

// beyond returns how much longer than each of these samples took by itself the thread of the gaps stood still.
func beyond(gaps, samples []span) (list []time.Duration) {
	for _, s := range samples {
		stopped := time.Duration(0)
		for _, g := range gaps {
			if g.from >= s.from-around && g.from < s.to+around {
				stopped += g.to - g.from
			}
		}
		list = append(list, stopped-(s.to-s.from))
	}
	return list
}

// cost is that of a sampler with these samples, whose stops are longer by a time, and its interval.
func cost(samples []span, longer time.Duration) (c sampler.Cost, every time.Duration) {
	var stops, runs []time.Duration
	for i := range len(samples) - 1 {
		stop := max(0, samples[i].to-samples[i].from+longer)
		stops, runs = append(stops, stop), append(runs, max(2*time.Microsecond, samples[i+1].from-samples[i].from-stop))
	}
	every = slices.Min(runs).Truncate(time.Microsecond)
	for i := range runs {
		runs[i] -= every
	}
	c.Overshoots, c.PerTicks = quantiles(runs), quantiles(stops)
	c.Overshoot, c.OvershootSpread = c.Overshoots.Moments()
	c.PerTick, _ = c.PerTicks.Moments()
	return c, every
}

// quantiles returns 65 of them, at equal steps.
func quantiles(values []time.Duration) (q sampler.Quantiles) {
	slices.Sort(values)
	for i := range 65 {
		q = append(q, values[i*(len(values)-1)/64])
	}
	return q
}
