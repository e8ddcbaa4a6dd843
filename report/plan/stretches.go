package plan

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"artifice/sampler"
)

// stretch is a period of a thread with the method on top of its stack.
type stretch struct{ from, to time.Duration }

// stretches contains the stretches of all threads, at most maxStretches. More stretches are all
// much shorter than the time between two samples.
type stretches struct {
	list  []stretch
	many  bool // there were more
	edges []edge
}

const maxStretches = 1 << 20

// edge is a change of the number of threads with the method on top of their stacks.
type edge struct {
	at    time.Duration
	level int // number of threads after it
}

// add adds a stretch. It extends the last one if it is of the same thread and begins at its end.
func (s *stretches) add(from, to time.Duration, same bool) {
	switch last := len(s.list) - 1; {
	case from >= to:
	case same && last >= 0 && s.list[last].to == from:
		s.list[last].to = to
	case len(s.list) < maxStretches:
		s.list = append(s.list, stretch{from, to})
	default:
		s.many = true
	}
}

// sort computes the edges of the stretches, with times multiplied by scale.
func (s *stretches) sort(scale float64) {
	scaled := func(d time.Duration) time.Duration { return time.Duration(float64(d) * scale) }
	for _, one := range s.list {
		s.edges = append(s.edges, edge{scaled(one.from), 1}, edge{scaled(one.to), -1})
	}
	slices.SortFunc(s.edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	level := 0
	for i := range s.edges {
		level += s.edges[i].level
		s.edges[i].level = level
	}
	s.list = nil
}

// Each interval is sampled from at most maxPhases phases and with at most maxTicks samples in
// all, but from at least minPhases phases.
const (
	maxPhases = 400
	minPhases = 24
	maxTicks  = 2_000_000
)

// misses returns the variance that sampling adds to the method's time in a run of the given length,
// over the phases of the samples, in ns².
func (s *stretches) misses(cfg sampler.Config, length time.Duration, traces int) float64 {
	gaps := sampler.NewGaps(&cfg)
	mean := gaps.Mean()
	phases := max(minPhases, min(maxPhases/traces, maxTicks/traces/int(1+length/mean)))
	random := rand.New(rand.NewPCG(cfg.Seed, 0x706861736573))
	sum, squares := 0.0, 0.0
	for range phases {
		x := s.sampled(gaps, time.Duration(random.Float64()*float64(mean)), length)
		sum += x
		squares += x * x
	}
	n := float64(phases)
	return max(0, (squares-sum*sum/n)/(n-1))
}

// sampled returns the method's time as estimated by samples from first on: each counts up to the
// next.
func (s *stretches) sampled(gaps *sampler.Gaps, first, length time.Duration) (seen float64) {
	at := 0 // edges up to now
	for now := first; now < length; {
		at += after(s.edges[at:], now)
		gap := gaps.Next()
		if at > 0 {
			seen += float64(s.edges[at-1].level) * float64(gap)
		}
		now += gap
	}
	return seen
}

// after returns the number of edges up to now, by an exponential search from the first edge.
func after(edges []edge, now time.Duration) int {
	reach := 1
	for reach < len(edges) && edges[reach-1].at <= now {
		reach *= 2
	}
	from, to := reach/2, min(reach, len(edges))
	for from < to {
		if middle := (from + to) / 2; edges[middle].at <= now {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from
}
