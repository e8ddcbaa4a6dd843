package waiting

import (
	"runtime"
	"slices"
	"sync"
	"time"

	"artifice/sampler"
)

// stacks is the number of additional waiting goroutines, which make the stack walk of a sample
// longer.
const stacks = 1600

// interval is the sampling thread's sleep between two samples.
const interval = 4 * time.Millisecond

// sampling stops the world repeatedly until it is ended.
type sampling struct {
	end   chan bool
	done  sync.WaitGroup
	spans []span // of its samples
}

// span is a period, in times since the start.
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

// park starts goroutines that block until the returned function is called.
func park() (leave func()) {
	end := make(chan bool)
	var done sync.WaitGroup
	for range stacks {
		done.Go(func() { <-end })
	}
	return func() { close(end); done.Wait() }
}

// gaps returns the periods of at least 2 us in which such a thread did not run.
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

// around is the time before and after its sample in which a stop can begin and end: the thread is
// on the core on which the sampler wakes, and has to get one again.
const around = 150 * time.Microsecond

// beyond returns, for each of these samples, how much longer than the sample the thread of the gaps
// was stopped.
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

// cost returns the cost of a sampler with these samples, each stop longer by a time, and its
// interval.
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

// quantiles returns 65 quantiles, at equal steps.
func quantiles(values []time.Duration) (q sampler.Quantiles) {
	slices.Sort(values)
	for i := range 65 {
		q = append(q, values[i*(len(values)-1)/64])
	}
	return q
}
