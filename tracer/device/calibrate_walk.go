package device

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"artifice/internal/resample"
	"artifice/trace"
)

// distance is how much later than the first thread another one is stamped in a
// tick, and what was walked in between.
type distance struct {
	threads, frames float64       // walked after the first thread, up to and including the other
	stamp           time.Duration // between the two stamps
	from, to        trace.ThreadID
}

// walk is what the stamps within ticks say.
type walk struct {
	from      int // the main thread's place; threads before it have ended
	ordered   int // pairs of adjacent stamps in list order
	reversed  int // pairs against it
	distances []distance
	sizes     []walkSize
	tickOf    []int32 // by sample of a thread: index into sizes
}

// walkSize is what a tick had to walk.
type walkSize struct {
	threads int32 // without the sampling thread
	frames  int64 // on all stacks, before the tick's changes
}

// samplingThread is one, of the threads that a sample walks.
const samplingThread = 1

// mean returns what a tick had to walk on average.
//
// The sampling thread is one of the threads walked, though no trace of ART 13 and
// older lists it.
func (w *walk) mean() (threads, frames float64) {
	for _, s := range w.sizes {
		threads += float64(s.threads)
		frames += float64(s.frames)
	}
	n := float64(max(1, len(w.sizes)))
	return threads/n + samplingThread, frames / n
}

// listOrder returns each thread's place in the runtime's list: the trace's
// thread table where there is one, else the order of its symbols. A thread that
// the table lacks has -1.
func listOrder(rec *trace.Recording) []int {
	places := make([]int, len(rec.Symbols.Threads))
	table := map[uint32]int{}
	if rec.Source != nil {
		for i, line := range rec.Source.Threads {
			tid, _, _ := strings.Cut(line, "\t")
			if n, err := strconv.ParseUint(tid, 10, 32); err == nil {
				table[uint32(n)] = i
			}
		}
	}
	for id := range places {
		places[id] = id
		if len(table) > 0 {
			place, ok := table[rec.Symbols.Threads[id].TID]
			if !ok {
				place = -1
			}
			places[id] = place
		}
	}
	return places
}

// mainPlace returns the main thread's place in the list, which has the
// process's id; 0 when it cannot be told.
func mainPlace(rec *trace.Recording, places []int) int {
	for id, t := range rec.Symbols.Threads {
		if rec.Info.PID > 0 && t.TID == uint32(rec.Info.PID) {
			return max(0, places[id])
		}
	}
	return 0
}

// maxDistances bounds the pairs of stamps that are kept.
const maxDistances = 1 << 14

// walk goes through the ticks. A tick ends when a thread comes a second time,
// or within a part of the shortest period: samples lie within the pause, which
// is the shorter part of a period unless the app stands still most of the time.
//
// A thread has been in the list, which grows at its end, since before the first
// event of any thread behind it. Those after the last that has events are taken
// to have come with that one.
//
// ART up to 13 lists the threads that have ended before main, by id: where among
// the others they were walked is not told. They are taken to live from their first sample
// to their last.
func (s *samples) walk(places []int, from int, shortest time.Duration) *walk {
	w := &walk{from: from, tickOf: make([]int32, len(s.all))}
	depths := make([]int32, slices.Max(append(places, 0))+1) // by place in the list
	in := make([]int, len(places))                           // by thread: the tick that saw it last
	lastPlace := 0
	lastOf := make([]int, len(places)) // by thread: its last sample
	for i := range s.all {
		lastPlace = max(lastPlace, places[s.all[i].thread])
		lastOf[s.all[i].thread] = i
	}
	ended := 0 // threads before main that live
	var first, last *sample
	open, listed := int64(0), 0
	for i := range s.all {
		at := &s.all[i]
		place := places[at.thread]
		if listed = max(listed, place-from+1); place == lastPlace {
			listed = max(listed, len(places)-from)
		}
		if first == nil || in[at.thread] == len(w.sizes) || at.wall-first.wall > shortest*6/10 {
			w.sizes = append(w.sizes, walkSize{frames: open})
			first, last = at, nil
		}
		if place < from && in[at.thread] == 0 {
			ended++
		}
		in[at.thread] = len(w.sizes)
		w.tickOf[i] = int32(len(w.sizes) - 1)
		w.sizes[len(w.sizes)-1].threads = int32(listed + ended)
		if place < from && lastOf[at.thread] == i {
			ended--
		}
		if place < 0 {
			continue
		}
		open += int64(at.depth - depths[place])
		depths[place] = at.depth
		if last != nil {
			w.pair(places, depths, first, last, at)
		}
		last = at
	}
	return w
}

// pair takes in a stamp of a tick that is not its first.
func (w *walk) pair(places []int, depths []int32, first, last, at *sample) {
	from, before, to := places[first.thread], places[last.thread], places[at.thread]
	if lives := to >= w.from; lives == (before >= w.from) {
		if to < before {
			w.reversed++
			return
		}
		w.ordered++
	}
	if from < w.from || to <= from || len(w.distances) == maxDistances {
		return
	}
	frames := 0.0
	for _, d := range depths[from+1 : to+1] {
		frames += float64(d)
	}
	w.distances = append(w.distances, distance{
		threads: float64(to - from), frames: frames, stamp: at.wall - first.wall, from: first.thread, to: at.thread,
	})
}

// skew returns how much later than the busiest thread another one is stamped in
// the same sample: of the other threads, that which most often changed together
// with it.
func (w *walk) skew(busiest trace.ThreadID, step time.Duration) (to trace.ThreadID, stamp Estimate) {
	counts := map[trace.ThreadID]int{}
	for _, d := range w.distances {
		if d.from == busiest {
			counts[d.to]++
		}
	}
	found := false
	for id, n := range counts {
		if n >= minDistances && (!found || n > counts[to] || n == counts[to] && id < to) {
			to, found = id, true
		}
	}
	if !found {
		return to, Estimate{}
	}
	return to, w.skewOf(busiest, to, step)
}

// skewOf returns how much later than one thread another is stamped in the same
// sample: the median, or, where the clock's step is too coarse for that, the mean.
func (w *walk) skewOf(from, to trace.ThreadID, step time.Duration) Estimate {
	var stamps []time.Duration
	for _, d := range w.distances {
		if d.from == from && d.to == to {
			stamps = append(stamps, d.stamp)
		}
	}
	if step >= coarseStep {
		return mean(ascending(stamps))
	}
	return quantile(ascending(stamps), 0.5)
}

// minDistances is how many stamps after others an estimate of the walk needs.
const minDistances = 10

// costs estimates the cost of a thread and of a frame: the two numbers, not
// below 0, for which threads*a + frames*b misses the stamps by the least sum of
// absolute differences. That is the median, which a few threads that were
// slow to be walked do not move. The intervals are the middle 95 % of 200
// bootstrap samples.
//
// Where the clock's step is longer than a walk, most distances of neighbours are 0
// and so is their median; then the squares are least, which is the mean: how often
// a step falls between two stamps is in proportion to the time between them.
func (w *walk) costs(step time.Duration) (perThread, perFrame Estimate) {
	if len(w.distances) < minDistances {
		return Estimate{}, Estimate{}
	}
	fit := func(all []distance) (perThread, perFrame time.Duration) {
		if step >= coarseStep {
			return fitMean(all)
		}
		return fitMedian(all)
	}
	a, b := fit(w.distances)
	var as, bs []time.Duration
	drawn := make([]distance, min(len(w.distances), 2000))
	for places := range resample.Draw(len(w.distances), len(drawn), 200, 1, 2) {
		for i, place := range places {
			drawn[i] = w.distances[place]
		}
		a, b := fit(drawn)
		as, bs = append(as, a), append(bs, b)
	}
	around := func(v time.Duration, all []time.Duration) Estimate {
		low, high := resample.Interval95(all)
		return Estimate{v, min(v, low), max(v, high), len(w.distances)}
	}
	return around(a, as), around(b, bs)
}

// fitMean minimises the sum of squares of threads*a + frames*b - stamp for a, b >= 0.
func fitMean(all []distance) (perThread, perFrame time.Duration) {
	weights := make([]float64, len(all))
	for i := range weights {
		weights[i] = 1
	}
	a, b := weightedFit(all, weights)
	return time.Duration(a), time.Duration(b)
}

// fitMedian minimises the sum of |threads*a + frames*b - stamp| for a, b >= 0 by
// weighted least squares, each weight the inverse of the last difference.
func fitMedian(all []distance) (perThread, perFrame time.Duration) {
	weights := make([]float64, len(all))
	for i := range weights {
		weights[i] = 1
	}
	var a, b float64
	const rounds, smallest = 30, 1000 // ns: stamps are in us
	for range rounds {
		a, b = weightedFit(all, weights)
		for i, d := range all {
			weights[i] = 1 / max(smallest, math.Abs(d.threads*a+d.frames*b-float64(d.stamp)))
		}
	}
	return time.Duration(a), time.Duration(b)
}

// weightedFit solves the normal equations of two unknowns; when one would be
// negative it is 0 and the other is fitted alone.
func weightedFit(all []distance, weights []float64) (a, b float64) {
	var tt, tf, ff, ts, fs float64
	for i, d := range all {
		w, s := weights[i], float64(d.stamp)
		tt += w * d.threads * d.threads
		tf += w * d.threads * d.frames
		ff += w * d.frames * d.frames
		ts += w * d.threads * s
		fs += w * d.frames * s
	}
	alone := func(xs, xx float64) float64 {
		if xx == 0 {
			return 0
		}
		return max(0, xs/xx)
	}
	det := tt*ff - tf*tf
	if det <= 1e-9*tt*ff {
		return alone(ts, tt), 0
	}
	a, b = (ts*ff-fs*tf)/det, (fs*tt-ts*tf)/det
	switch {
	case b < 0:
		return alone(ts, tt), 0
	case a < 0:
		return 0, alone(fs, ff)
	}
	return a, b
}
