package device

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"artifice/trace"
)

// A table that does not list all threads in the order of the walk (Android 14 and later) does not
// show how many threads lie between two that changed. Their stamps do: all distances are multiples
// of the cost of one thread. neighbors determines that cost, and from it the number of threads,
// without the table.

// neighbors are the distances of consecutive stamps in samples, by the pair of threads.
type neighbors struct {
	kinds    []neighborKind // ascending by distance
	perFrame float64        // ns, estimated within kinds
	unit     float64        // ns: cost of one thread; 0 if no two threads changed together often enough
	certain  bool           // whether the evidence excludes other threads between the nearest ones
}

// neighborKind are the distances of one pair of threads.
type neighborKind struct {
	from, to trace.ThreadID
	stamps   []float64 // ns, from one to the other
	frames   []float64 // of the other's stack
	distance float64   // ns: mean of stamps without outliers, less the frames
	error    float64   // of distance: twice its standard error, at least stampError
	threads  int       // from one to the other; 0 if distance is no multiple of the unit
}

const (
	minStamps    = 5                              // of a kind
	maxNeighbors = 10                             // in units: with more, the error of a distance reaches a unit
	stampError   = float64(150 * time.Nanosecond) // minimum error of a mean of stamps of whole microseconds
	byChance     = 0.05                           // maximum probability that distances are multiples by chance
)

// neighborsOf returns the distances of consecutive stamps in the ticks of w.
func (s *samples) neighborsOf(w *walk) *neighbors {
	all := map[[2]trace.ThreadID]*neighborKind{}
	for i := 1; i < len(s.all); i++ {
		last, at := &s.all[i-1], &s.all[i]
		if w.tickOf[i] != w.tickOf[i-1] || at.thread == last.thread || at.wall <= last.wall {
			continue
		}
		key := [2]trace.ThreadID{last.thread, at.thread}
		k := all[key]
		if k == nil {
			if len(all) == maxKinds {
				continue
			}
			k = &neighborKind{from: last.thread, to: at.thread}
			all[key] = k
		}
		k.stamps = append(k.stamps, float64(at.wall-last.wall))
		k.frames = append(k.frames, float64(at.depth))
	}
	n := &neighbors{}
	for _, key := range slices.SortedFunc(maps.Keys(all), func(a, b [2]trace.ThreadID) int { return slices.Compare(a[:], b[:]) }) {
		if k := all[key]; len(k.stamps) >= minStamps {
			k.measure(k.stamps)
			n.kinds = append(n.kinds, *k)
		}
	}
	n.sort()
	n.fitFrames()
	n.fitUnit()
	return n
}

func (n *neighbors) sort() {
	slices.SortStableFunc(n.kinds, func(a, b neighborKind) int { return cmp.Compare(a.distance, b.distance) })
}

// measure sets the distance, the mean without outliers, and its error. A median of stamps of whole
// microseconds would be a whole number.
func (k *neighborKind) measure(values []float64) {
	middle := median(values)
	near := slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return math.Abs(v-middle) > max(float64(2*time.Microsecond), middle/4) })
	mean, deviation := stat.MeanStdDev(near, nil)
	k.distance, k.error = mean, stampError
	if len(near) > 1 {
		k.error = max(stampError, 2*deviation/math.Sqrt(float64(len(near))))
	}
}

func median(values []float64) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}

// fitFrames estimates the cost of a frame from the distances of near pairs: within a pair, they
// differ by the depth of the second thread's stack.
func (n *neighbors) fitFrames() {
	var products, squares float64
	for _, k := range n.kinds {
		if k.distance > 3*n.kinds[0].distance {
			break
		}
		var x, y, count float64
		near := func(i int) bool { return math.Abs(k.stamps[i]-k.distance) <= k.distance/2 }
		for i := range k.stamps {
			if near(i) {
				x, y, count = x+k.frames[i], y+k.stamps[i], count+1
			}
		}
		for i := range k.stamps {
			if near(i) {
				products += (k.frames[i] - x/count) * (k.stamps[i] - y/count)
				squares += (k.frames[i] - x/count) * (k.frames[i] - x/count)
			}
		}
	}
	if squares == 0 || products <= 0 {
		return
	}
	n.perFrame = products / squares
	for i := range n.kinds {
		k := &n.kinds[i]
		rest := make([]float64, len(k.stamps))
		for j := range rest {
			rest[j] = k.stamps[j] - n.perFrame*k.frames[j]
		}
		k.measure(rest)
	}
	n.sort()
}

// fitUnit determines the cost of a thread: the shortest distance. It is certain if the others are
// multiples of it, and not by chance, or if two pairs of four threads are equally near. Two
// neighbors alone may have others between them.
func (n *neighbors) fitUnit() {
	n.kinds = slices.DeleteFunc(n.kinds, func(k neighborKind) bool { return k.distance <= 0 })
	if len(n.kinds) == 0 {
		return
	}
	n.unit = n.kinds[0].distance
	n.certain = n.isUnit(n.unit) || n.equallyNear()
	for i := range n.kinds {
		k := &n.kinds[i]
		if count := k.multiple(n.unit); n.certain && count <= maxNeighbors {
			k.threads = int(count)
		}
	}
}

// multiple returns a distance as a multiple of unit; 0 if it is none, or too inexact to decide.
func (k *neighborKind) multiple(unit float64) float64 {
	count := math.Round(k.distance / unit)
	if math.Abs(k.distance-count*unit) > k.error || 4*k.error > unit {
		return 0
	}
	return count
}

// isUnit reports whether nine of ten sufficiently exact distances are multiples of unit, and random
// distances would be with a probability of at most byChance.
func (n *neighbors) isUnit(unit float64) bool {
	fitting, tried, chance := 0, 0, 1.0
	for _, k := range n.kinds {
		if 4*k.error > unit || k.distance > maxNeighbors*unit {
			continue
		}
		tried++
		if k.multiple(unit) == 0 {
			continue
		}
		if fitting++; math.Abs(k.distance-n.kinds[0].distance) > unit/2 {
			chance *= 2 * k.error / unit
		}
	}
	return 10*fitting >= 9*tried && chance <= byChance
}

// equallyNear reports whether two pairs of four different threads have the shortest distance.
func (n *neighbors) equallyNear() bool {
	first := &n.kinds[0]
	return 4*first.error <= first.distance && slices.ContainsFunc(n.kinds, func(k neighborKind) bool {
		apart := k.from != first.from && k.from != first.to && k.to != first.from && k.to != first.to
		return apart && k.distance-first.distance <= first.error+k.error && 4*k.error <= k.distance
	})
}

// distances returns the distances of known numbers of threads, without outliers. With a cost per
// frame, the stacks of threads that the table lacks would count: then only direct neighbors are
// known.
func (n *neighbors) distances() (all []distance) {
	for _, k := range n.kinds {
		if k.threads == 0 || k.threads > 1 && n.perFrame > 0.02*n.unit {
			continue
		}
		for i, stamp := range k.stamps {
			if math.Abs(stamp-n.perFrame*k.frames[i]-float64(k.threads)*n.unit) <= n.unit/2 && len(all) < maxDistances {
				all = append(all, distance{threads: float64(k.threads), frames: k.frames[i], stamp: time.Duration(stamp), from: k.from, to: k.to})
			}
		}
	}
	return all
}

// resize sets the numbers of threads of the ticks of w from the stamps, given the costs: a tick
// walks all threads up to the last one that has had events.
func (s *samples) resize(w *walk, main trace.ThreadID, thread, frame float64) {
	stamps := make([][]float64, len(s.latest)) // from main's, by thread
	depths := make([][]float64, len(s.latest))
	first := -1 // main's sample of the tick
	for i := range s.all {
		at := &s.all[i]
		depths[at.thread] = append(depths[at.thread], float64(at.depth))
		if at.thread == main {
			first = i
		} else if first >= 0 && w.tickOf[i] == w.tickOf[first] && at.wall > s.all[first].wall {
			stamps[at.thread] = append(stamps[at.thread], float64(at.wall-s.all[first].wall))
		}
	}
	after := placesOf(stamps, depths, thread, frame)
	listed := int32(0)
	for i := range s.all {
		listed = max(listed, after[s.all[i].thread])
		w.sizes[w.tickOf[i]].threads = listed + 1
	}
}

// placesOf returns the number of threads from main to each thread, given its stamps relative to
// main's and its depths. The cost of known threads in between is subtracted; the others have a mean
// stack.
func placesOf(stamps, depths [][]float64, thread, frame float64) []int32 {
	type place struct {
		id          int
		stamp, cost float64
	}
	var all []place
	sum := 0.0
	for id := range stamps {
		if len(stamps[id]) > 0 {
			depth := stat.Mean(depths[id], nil)
			all = append(all, place{id, median(stamps[id]), thread + frame*depth})
			sum += depth
		}
	}
	slices.SortFunc(all, func(a, b place) int { return cmp.Compare(a.stamp, b.stamp) })
	each := thread + frame*sum/float64(max(1, len(all)))
	after, known := make([]int32, len(stamps)), 0.0
	for i, p := range all {
		known += p.cost
		after[p.id] = int32(i+1) + int32(max(0, math.Round((p.stamp-known)/each)))
	}
	return after
}

// mainThread returns the thread at the main thread's place.
func mainThread(places []int, main int) trace.ThreadID {
	return trace.ThreadID(max(0, slices.Index(places, main)))
}
