package score

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"time"

	"artifice/art"
	"artifice/calltree"
	"artifice/trace"
	"artifice/trace/stats"
)

// Align is how the time of an observed trace is laid on that of the truth.
type Align string

const (
	// ByHeader takes out what the runtimes may have done between a trace's time zero
	// and its first event, as the headers of both traces tell it ([art.StartOffset])
	// and their first events confirm.
	ByHeader Align = "header"

	// ByOffset takes the offset that the caller knows.
	ByOffset Align = "offset"

	// BySearch finds the offset: of those at which most calls begin on both sides, and
	// those that the headers allow, the one that makes most frames right.
	BySearch Align = "search"
)

// Config says how [Compare] lays an observed trace on the truth. The zero value
// does it by the headers.
type Config struct {
	Align  Align
	Offset time.Duration // for ByOffset: the observed trace's time when the truth's is 0

	// Floating tells that the observed trace says neither when the run began nor
	// when it ended, as stack dumps do not. Its time is taken to run as the truth's
	// does, and there is no slowdown.
	Floating bool
}

// Alignment is how the traces were laid on each other: the truth's time t is the
// observed trace's time Offset + Scale t.
type Alignment struct {
	By     Align         `json:"by"`
	Offset time.Duration `json:"offset_ns"`
	Scale  float64       `json:"scale"` // how many times longer the observed run is taken to be
	Rival  float64       `json:"rival"` // by search: frames right ([Timeline.DepthWeighted]) at the next best offset; else 0
}

// toTruth returns the truth's time of a time of the observed trace.
func (a *Alignment) toTruth(observed time.Duration) time.Duration {
	return time.Duration(math.Round(float64(observed-a.Offset) / a.Scale))
}

// worthScaling is by how much two runs differ in length before one is scaled.
const worthScaling = 0.01

// alignments returns how the observed trace may lie on the truth, once both have
// been read.
func (p *traces) alignments() ([]Alignment, error) {
	r, by, offsets := p.runs(), p.cfg.Align, p.headerOffsets()
	switch by {
	case ByOffset:
		offsets = []time.Duration{p.cfg.Offset}
	case BySearch:
		found := searchOffsets(r, p.seen.lag(p.observed), p.known.starts, p.seen.starts, p.state.contexts.Thread)
		if len(found) == 0 {
			return nil, ErrNothingInCommon
		}
		offsets = append(offsets, found...)
	default:
		by = ByHeader
	}
	var list []Alignment
	for _, offset := range offsets {
		list = append(list, Alignment{By: by, Offset: offset, Scale: r.scale(offset)})
	}
	return list, nil
}

// headerOffsets returns the offsets that the headers allow and the first events
// agree with best, more than one where the sampling period is too long to tell.
// Either trace may begin with the runtime's own work, of the length that its header
// tells, which the time of the truth has in it where the observed trace is an
// emulation of it. Whether a runtime worked at all then, no file says.
func (p *traces) headerOffsets() (list []time.Duration) {
	own, truths := startOffset(p.observed, p.seen.first), startOffset(p.truth, p.known.first)
	r, technique, lag := p.runs(), p.seen.technique(p.observed), p.seen.lag(p.observed)
	least := time.Duration(math.MaxInt64)
	for _, offset := range []time.Duration{0, own - truths, own, -truths} {
		scale := 1. // instrumented, an app is not slower until its first event
		if technique == trace.Sampled {
			scale = r.scale(offset)
		}
		late := p.seen.first - offset - time.Duration(scale*float64(p.known.first))
		off := max(-late, late-lag, 0)
		if off < least {
			least, list = off, nil
		}
		if off == least && !slices.Contains(list, offset) {
			list = append(list, offset)
		}
	}
	return list
}

// startOffset is [art.StartOffset] where no event contradicts it.
func startOffset(rec *trace.Recording, first time.Duration) time.Duration {
	if offset := art.StartOffset(&rec.Info); first >= offset {
		return offset
	}
	return 0
}

// technique tells how the trace was recorded.
func (s *summary) technique(rec *trace.Recording) trace.Technique {
	technique, _ := s.groups.TechniqueOf(&rec.Info)
	return technique
}

// lag returns by how much the trace tells late of a call that began: a sampled one
// by up to a period.
func (s *summary) lag(rec *trace.Recording) time.Duration {
	if period, ok := s.groups.Period(); ok && s.technique(rec) == trace.Sampled {
		return period.Median
	}
	return 0
}

// ErrNothingInCommon is the error of a search that has nothing to go by.
var ErrNothingInCommon = errors.New("the traces cannot be aligned: no call of one is known to begin in the other; give the offset")

// starts are the times at which the first calls of each calling context began.
type starts struct {
	most  int             // calls of each context that are kept
	at    []time.Duration // most for each context
	count []int           // of them, by context
	first []time.Duration // stamp of each thread's first event, -1 before it
}

// newStarts returns what a search needs, nil for another alignment.
func newStarts(cfg Config) *starts {
	if cfg.Align == BySearch {
		return &starts{most: keptStarts}
	}
	return nil
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
	if n := int(context) + 1 - len(s.count); n > 0 {
		s.count = append(s.count, make([]int, n)...)
		s.at = append(s.at, make([]time.Duration, n*s.most)...)
	}
	if n := s.count[context]; n < s.most {
		s.at[int(context)*s.most+n] = e.Wall
		s.count[context]++
	}
}

// of returns what is kept of a context.
func (s *starts) of(context calltree.Node) []time.Duration {
	if int(context) >= len(s.count) {
		return nil
	}
	from := int(context) * s.most
	return s.at[from : from+s.count[context]]
}

// runs are two runs of an app: their lengths, each from its time zero.
type runs struct {
	truth, observed time.Duration
	floating        bool
}

// scale returns how many times longer the observed run is taken to be when it
// begins at an offset.
func (r runs) scale(offset time.Duration) float64 {
	scale := stats.Slowdown(r.truth, r.observed-offset-r.truth)
	if r.floating || scale <= 0 || math.Abs(scale-1) < worthScaling {
		return 1
	}
	return scale
}

// vote is an offset at which one call begins on both sides.
type vote struct {
	offset, weight float64
}

// What a search looks at: so many beginnings of calls of each context, so many
// pairs of them, and so many offsets in the end.
const (
	keptStarts = 32
	mostVotes  = 1 << 20
	mostPeaks  = 8
)

// searchOffsets returns the offsets at which most calls begin on both sides, the
// best first. Calls that are open when a trace begins say nothing. lag is by how much
// the observed trace tells of a call late, 0 to lag: the period of a sampler. The
// rarer the calls of a context, the more they tell.
func searchOffsets(r runs, lag time.Duration, known, seen *starts, thread func(calltree.Node) trace.ThreadID) []time.Duration {
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
		offsets = append(offsets, time.Duration(math.Round(offset))-lag/2)
	}
	return offsets
}

// rarest returns the contexts that both sides have, those with the fewest calls
// first.
func rarest(known, seen *starts) (list []calltree.Node) {
	for p := range known.count {
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
func (r runs) vote(t, o time.Duration) vote {
	if r.floating || r.truth <= 0 {
		return vote{float64(o - t), 1}
	}
	part := float64(t) / float64(r.truth)
	return vote{(float64(o) - float64(r.observed)*part) / (1 - part), 1 - part}
}

// peaks returns the weighted medians of the votes in those windows of a width that
// have the most weight and do not overlap.
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
	var taken []window
	for _, w := range windows {
		overlaps := func(o window) bool { return w.from < o.to && o.from < w.to }
		if len(taken) == mostPeaks || slices.ContainsFunc(taken, overlaps) {
			continue
		}
		taken = append(taken, w)
		offsets = append(offsets, median(votes[w.from:w.to], w.weight))
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
