package score

import (
	"cmp"
	"math"
	"slices"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// starts are the times at which the first calls of each calling context began.
type starts struct {
	most  int               // calls of each context that are kept
	at    [][]time.Duration // up to most of each context
	first []time.Duration   // stamp of each thread's first event, -1 before it
}

// add takes in an event and the context that it led to.
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

// of returns what is kept of a context.
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

// What a search looks at: so many beginnings of calls of each context, so many
// pairs of them, and so many offsets in the end.
const (
	keptStarts = 512 // so that samples of calls that come often are among those of the other side, which has all of them
	mostVotes  = 1 << 20
	mostPeaks  = 8
)

// searchOffsets returns the offsets at which most calls begin on both sides, the
// best first. Calls that are open when a trace begins say nothing. lag is by how much
// the observed trace tells of a call late, 0 to lag: the period of a sampler; knownLag is
// the same of the truth, which may be a sampled trace, too; then the observed one may have
// been made of it, and tell of a call at the same instant. The rarer the calls of a context,
// the more they tell.
func searchOffsets(r runLengths, lag, knownLag time.Duration, known, seen *starts, thread func(calltree.Node) trace.ThreadID) []time.Duration {
	var votes []vote
	for _, p := range rarest(known, seen) {
		id := thread(p)
		for _, t := range known.of(p) {
			for _, o := range seen.of(p) {
				if t == known.first[id] || o == seen.first[id] || len(votes) == mostVotes {
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

// rarest returns the contexts that both sides have, those with the fewest calls
// first.
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

// vote returns the offset of a call that begins at t and, as observed, at o. Where
// the observed run is stretched to its end, o = offset + (observed - offset) t /
// truth; the nearer t is to the end, the less it tells.
func (r runLengths) vote(t, o time.Duration) vote {
	if r.floating || r.truth <= 0 {
		return vote{float64(o - t), 1}
	}
	part := float64(t) / float64(r.truth)
	return vote{(float64(o) - float64(r.observed)*part) / (1 - part), 1 - part}
}

// peaks returns the weighted medians of the votes in those windows of a width that
// have the most weight. None lies within two widths of a better one: of these the
// frames would choose the one that makes up for what samples are late.
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
	var ends []float64 // of the windows taken
	for _, w := range windows {
		end := votes[w.to-1].offset
		near := func(better float64) bool { return math.Abs(end-better) <= 2*width }
		if len(ends) == mostPeaks {
			break
		}
		if !slices.ContainsFunc(ends, near) {
			ends = append(ends, end)
			offsets = append(offsets, median(votes[w.from:w.to], w.weight))
		}
	}
	return offsets
}

// median returns the offset below which half of the weight of sorted votes is.
func median(votes []vote, weight float64) float64 {
	half := 0.
	for _, v := range votes {
		if half += v.weight; half >= weight/2 {
			return v.offset
		}
	}
	return votes[len(votes)-1].offset
}
