package score

import (
	"cmp"
	"math"
	"slices"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// starts contains the begin times of the first calls of each calling context.
type starts struct {
	most  int               // number of calls kept for each context
	at    [][]time.Duration // up to most of each context
	first []time.Duration   // stamp of each thread's first event, -1 before it
}

// add adds an event with the context after it.
func (s *starts) add(e *trace.Event, context calltree.Node) {
	for int(e.Thread) >= len(s.first) {
		s.first = append(s.first, -1)
	}
	if s.first[e.Thread] < 0 {
		s.first[e.Thread] = e.Wall
	}
	if e.Action != trace.Enter {
		return
	}
	if n := int(context) + 1 - len(s.at); n > 0 {
		s.at = append(s.at, make([][]time.Duration, n)...)
	}
	if at := &s.at[context]; len(*at) < s.most {
		*at = append(*at, e.Wall)
	}
}

// of returns the begin times of a context.
func (s *starts) of(context calltree.Node) []time.Duration {
	if int(context) >= len(s.at) {
		return nil
	}
	return s.at[context]
}

// vote is an offset at which one call begins on both sides.
type vote struct {
	offset, weight float64
}

// Limits of a search: begins of calls for each context, pairs of them, and candidate offsets.
const (
	keptStarts = 512 // many, because the other side contains all calls of a frequent context
	maxVotes   = 1 << 20
	maxPeaks   = 8
)

// searchOffsets returns the offsets at which most calls begin on both sides, best first. Calls open
// at the begin of a trace are ignored. lag is the maximum delay with which the observed trace
// reports the begin of a call: the period of a sampler. knownLag is that of the truth, which may be
// a sampled trace, too; the observed trace may then be converted from it and report a call at the
// same instant. Rare contexts have more weight.
func searchOffsets(r runLengths, lag, knownLag time.Duration, known, seen *starts, thread func(calltree.Node) trace.ThreadID) []time.Duration {
	var votes []vote
	for _, p := range rarest(known, seen) {
		id := thread(p)
		for _, t := range known.of(p) {
			for _, o := range seen.of(p) {
				if t == known.first[id] || o == seen.first[id] || len(votes) == maxVotes {
					continue
				}
				v := r.vote(t, o)
				v.weight /= float64(len(known.of(p)) * len(seen.of(p)))
				if v.weight > 0 {
					votes = append(votes, v)
				}
			}
		}
	}
	var offsets []time.Duration
	for _, offset := range peaks(votes, float64(max(lag, r.truth/2000, time.Microsecond))) {
		at := time.Duration(math.Round(offset))
		offsets = append(offsets, at-(lag-knownLag)/2)
		if knownLag > 0 && lag != knownLag {
			offsets = append(offsets, at)
		}
	}
	return offsets
}

// rarest returns the contexts of both sides, those with the fewest calls first.
func rarest(known, seen *starts) (list []calltree.Node) {
	for p := range known.at {
		if len(known.of(calltree.Node(p))) > 0 && len(seen.of(calltree.Node(p))) > 0 {
			list = append(list, calltree.Node(p))
		}
	}
	pairs := func(p calltree.Node) int { return len(known.of(p)) * len(seen.of(p)) }
	slices.SortStableFunc(list, func(a, b calltree.Node) int { return cmp.Compare(pairs(a), pairs(b)) })
	return list
}

// vote returns the offset for a call that begins at t and is observed at o. If the observed run is
// slowed down, o = offset + (observed - offset) t / truth; t has less weight the closer it is to
// the end.
func (r runLengths) vote(t, o time.Duration) vote {
	if r.floating || r.truth <= 0 {
		return vote{float64(o - t), 1}
	}
	part := float64(t) / float64(r.truth)
	return vote{(float64(o) - float64(r.observed)*part) / (1 - part), 1 - part}
}

// peaks returns the weighted medians of the votes in the windows with the most weight. No window is
// within two widths of a better one: among such, correct frames would select the one that
// compensates the delay of samples.
func peaks(votes []vote, width float64) (offsets []float64) {
	type window struct {
		from, to int
		weight   float64
	}
	slices.SortFunc(votes, func(a, b vote) int { return cmp.Compare(a.offset, b.offset) })
	var windows []window
	from, sum := 0, 0.
	for i, v := range votes {
		sum += v.weight
		for ; v.offset-votes[from].offset > width; from++ {
			sum -= votes[from].weight
		}
		windows = append(windows, window{from, i + 1, sum})
	}
	slices.SortStableFunc(windows, func(a, b window) int { return cmp.Compare(b.weight, a.weight) })
	var ends []float64 // of the selected windows
	for _, w := range windows {
		end := votes[w.to-1].offset
		near := func(better float64) bool { return math.Abs(end-better) <= 2*width }
		if len(ends) == maxPeaks {
			break
		}
		if !slices.ContainsFunc(ends, near) {
			ends = append(ends, end)
			offsets = append(offsets, median(votes[w.from:w.to], w.weight))
		}
	}
	return offsets
}

// median returns the weighted median of sorted votes.
func median(votes []vote, weight float64) float64 {
	half := 0.
	for _, v := range votes {
		if half += v.weight; half >= weight/2 {
			return v.offset
		}
	}
	return votes[len(votes)-1].offset
}
