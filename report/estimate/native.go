package estimate

import (
	"math"
	"time"

	"artifice/trace/calltree"
)

// natives counts the ends of native methods. Native code continues to run while a sample stops the
// app. If it ends then, its thread is blocked until the pause ends, and continues a whole interval
// X before the next sample. So the code that follows within X has no sample, and the trace
// attributes X to the native method. Ends outside of pauses are uniform in X, and the sampling
// error includes them: the mean excess of an end in a pause is X/2 at most, as short native methods
// have less.
//
// The CPU clock shows where native code ended: it stands still while the thread is blocked. After
// ends outside of pauses, the next sample shows the code at a uniform distance within X, so these
// samples are like the code that has no sample after ends in pauses.
type natives map[int32]*nativeEnds // by the slot of the native method

// nativeEnds are the ends of a native method.
type nativeEnds struct {
	inPause int64
	outside int64
	after   map[calltree.Node]int64 // stacks of the next samples, for ends outside of pauses
}

// addNative counts the end of a stack, if it is native.
func (f *follower) addNative(t *thread, to calltree.Node, at stamp) {
	if f.stopped < minPause || f.running || f.tree.IsRoot(t.at) || f.tree.IsRoot(to) {
		return
	}
	if s := f.shownOf(t.at); 2*s.goingGaps < s.gaps || s.gaps == 0 || f.waitsIn(t.at) {
		return
	}
	slot := f.slotOf[t.at]
	n := f.natives[slot]
	if n == nil {
		n = &nativeEnds{after: map[calltree.Node]int64{}}
		f.natives[slot] = n
	}
	blocked := at.wall - t.now.wall - (at.cpu - t.now.cpu)
	switch {
	case blocked <= f.stopped/20+clockStep:
		n.outside++
		n.after[to]++
	case blocked <= f.stopped*5/4:
		n.inPause++
		t.resets.add(at.sample - 1)
	}
}

// pastPauses returns by context the wall time that ends of native code in pauses may have taken
// from it beyond what samples show, and what native methods may have too much.
func (f *follower) pastPauses() (lacks, exceeds []time.Duration) {
	lacks, exceeds = make([]time.Duration, f.tree.Len()), make([]time.Duration, f.tree.Len())
	for slot, n := range f.natives {
		if n.inPause == 0 || n.outside == 0 {
			continue
		}
		unsampled := float64(n.inPause) * float64(f.period-f.stopped)
		for to, times := range n.after {
			share := float64(times) / float64(n.outside)
			share += z95 * math.Sqrt(share*(1-share)/float64(n.outside))
			lacks[to] += time.Duration(unsampled * min(1, share))
		}
		f.nativeContexts(slot, time.Duration(unsampled/2), exceeds)
	}
	return lacks, exceeds
}

// nativeContexts distributes a time over the contexts of a slot by their samples.
func (f *follower) nativeContexts(slot int32, t time.Duration, column []time.Duration) {
	samples := f.slots[slot].exclusive.samples
	for n := calltree.Node(1); int(n) < f.tree.Len() && samples > 0; n++ {
		if f.slotOf[n] == slot {
			column[n] += time.Duration(float64(t) * float64(f.taken[n]) / float64(samples))
		}
	}
}
