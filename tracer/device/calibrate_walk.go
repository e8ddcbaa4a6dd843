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

// distance is the difference of two threads' timestamps in a tick, from the first thread to
// another, and the number of threads and frames walked in between.
type distance struct {
	threads, frames float64       // walked after the first thread, up to and including the other
	stamp           time.Duration // between the two stamps
	from, to        trace.ThreadID
}

// walk contains the measurements from the timestamps within ticks.
type walk struct {
	near      *neighbors // nil if the table lists the walked threads in order
	from      int        // the main thread's place; threads before it have ended
	ordered   int        // pairs of adjacent stamps in list order
	reversed  int        // pairs in the opposite order
	distances []distance
	sizes     []walkSize
	tickOf    []int32 // by sample of a thread: index into sizes
}

// walkSize is the number of threads and frames that a tick walked.
type walkSize struct {
	threads int32 // without the sampling thread
	frames  int64 // on all stacks, before the tick's changes
}

// samplingThread counts the sampling thread among the threads that a sample walks.
const samplingThread = 1

// mean returns the mean number of threads and frames that a tick walked.
//
// The sampling thread is one of the threads walked, although no trace of ART 13 and older lists it.
func (w *walk) mean() (threads, frames float64) {
	for _, s := range w.sizes {
		threads += float64(s.threads)
		frames += float64(s.frames)
	}
	n := float64(max(1, len(w.sizes)))
	return threads/n + samplingThread, frames / n
}

// listOrder returns each thread's place in the runtime's list: from the trace's thread table if
// there is one, otherwise from the order of its symbols. A thread missing in the table has -1.
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

// listsAll reports whether the thread table lists all threads that a sample walks, in order, as ART
// 13 and older write it. Android 14 sorts it by tid together with ended threads, the sampling
// thread among them; later releases number and list only threads with events.
func listsAll(rec *trace.Recording) bool {
	if rec.Source == nil || len(rec.Source.Threads) == 0 || rec.Info.PID <= 0 {
		return false
	}
	main := false
	for _, line := range rec.Source.Threads {
		tid, name, _ := strings.Cut(line, "\t")
		if name == "Sampling Profiler" {
			return false
		}
		main = main || tid == strconv.Itoa(rec.Info.PID)
	}
	return main
}

// mainPlace returns the place in the list of the main thread, which has the process's id; 0 if it
// is unknown.
func mainPlace(rec *trace.Recording, places []int) int {
	for id, t := range rec.Symbols.Threads {
		if rec.Info.PID > 0 && t.TID == uint32(rec.Info.PID) {
			return max(0, places[id])
		}
	}
	return 0
}

// maxDistances is the maximum number of pairs of timestamps kept.
const maxDistances = 1 << 14

// walk processes the ticks. A tick ends when a thread comes a second time, or within a part of the
// shortest period: samples lie within the pause, which is the shorter part of a period unless the
// app is stopped most of the time.
//
// The list grows at its end, so a thread has been in it since before the first event of any thread
// after it. Threads after the last one with events are assumed to have joined together with that
// one.
//
// ART up to 13 lists the threads that have ended before main, by id; their places in the walk are
// unknown. They are assumed to live from their first sample to their last.
func (s *samples) walk(places []int, from int, shortest time.Duration) *walk {
	w := &walk{from: from, tickOf: make([]int32, len(s.all))}
	depths := make([]int32, slices.Max(append(places, 0))+1) // by place in the list
	in := make([]int, len(places))                           // by thread: the last tick with it
	lastPlace := 0
	lastOf := make([]int, len(places)) // by thread: its last sample
	for i := range s.all {
		lastPlace = max(lastPlace, places[s.all[i].thread])
		lastOf[s.all[i].thread] = i
	}
	ended := 0 // living threads before main
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

// pair adds a timestamp of a tick that is not its first.
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

// skew returns the delay of another thread's timestamp relative to that of the busiest one in the
// same sample. The other thread is the one that most often changed together with it.
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

// skewOf returns the delay of the timestamp of thread to relative to that of from in the same
// sample: the median, or, if the clock is too coarse for that, the mean.
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

// minDistances is the minimum number of distances for an estimate of the walk.
const minDistances = 10

// costs estimates the cost of a thread and of a frame: the numbers a, b >= 0 that minimize the sum
// of the absolute differences |threads*a + frames*b - stamp|. This corresponds to the median, which
// a few slowly walked threads do not move. The intervals are the middle 95 % of 200 bootstrap
// samples.
//
// If the clock's step is longer than a walk, most distances of neighbors are 0 and so is their
// median. Then the sum of squares is minimized instead, which corresponds to the mean: the number
// of steps between two timestamps is proportional to the time between them.
//
// If the table does not list the walked threads, their numbers come from [neighbors]. If these do
// not determine them, the costs are unknown: N is 0, and the upper limits are those of two direct
// neighbors.
func (w *walk) costs(step time.Duration) (perThread, perFrame Estimate) {
	if w.near != nil && !w.near.certain {
		most := Estimate{Value: time.Duration(w.near.unit), High: time.Duration(w.near.unit)}
		if len(w.near.kinds) > 0 {
			most.High += time.Duration(w.near.kinds[0].error)
		}
		return most, Estimate{High: most.High}
	}
	if len(w.distances) < minDistances {
		return Estimate{}, Estimate{}
	}
	fit := func(all []distance) (perThread, perFrame time.Duration) {
		if step >= coarseStep || w.near != nil {
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
	// Stamps are rounded down. If they all have the same fraction of a microsecond, the error is
	// not random, and as long as a step for the shortest distance.
	reading := time.Duration(float64(step)/math.Sqrt(float64(len(w.distances)))) + a/100
	around := func(v time.Duration, all []time.Duration) Estimate {
		low, high := resample.Interval95(all)
		return Estimate{max(0, v), max(0, min(v, low)-reading), max(v, high) + reading, len(w.distances)}
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

// fitMedian minimises the sum of |threads*a + frames*b - stamp| for a, b >= 0 by iteratively
// reweighted least squares: each weight is the inverse of the last difference.
func fitMedian(all []distance) (perThread, perFrame time.Duration) {
	weights := make([]float64, len(all))
	for i := range weights {
		weights[i] = 1
	}
	var a, b float64
	const rounds, smallest = 30, 1000 // ns: timestamps are in µs
	for range rounds {
		a, b = weightedFit(all, weights)
		for i, d := range all {
			weights[i] = 1 / max(smallest, math.Abs(d.threads*a+d.frames*b-float64(d.stamp)))
		}
	}
	return time.Duration(a), time.Duration(b)
}

// weightedFit solves the normal equations of two unknowns. If one would be negative, it is 0 and
// the other is fitted alone.
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
