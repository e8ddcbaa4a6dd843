package estimate

import (
	"math"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// natives counts the ends of native methods. Native code continues to run while a sample stops the
// app. If it ends then, its thread is blocked until the pause ends, and continues a whole interval
// X before the next sample. So the code that follows within X has no sample, and the trace
// attributes X to the native method. Ends outside of pauses are uniform in X, and the sampling
// error includes them: the mean excess of an end in a pause is X/2 at most, as short native methods
// have less.
//
// The CPU clock shows where native code ended: it does not advance while the thread is blocked. After
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
		if t.resets == nil {
			t.resets = &resets{}
		}
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

// maxAfter is the maximum number of samples after a reset for which beginnings of runs are counted.
const maxAfter = 64

// resets are the ends of a thread's native code in pauses. Each sets the phase between app and
// sampler: the code that follows begins a whole interval before the next sample (natives). If the
// app does the same after each reset, its runs begin after the same number of samples again, and
// their errors are equal, as in an aliased app ([Cycle]). A reset also ends the drift of a cycle, so
// that its errors do not cancel.
type resets struct {
	n       int64
	last    int64                // number of the sample with the latest one
	reached [maxAfter + 1]uint32 // number of resets that are followed by i samples or more, at i
	equal   bool                 // errors of some method after them are equal
}

// add adds the end of native code in the pause of a sample.
func (r *resets) add(sample int64) {
	if r.n > 0 {
		r.close(sample)
	}
	r.n++
	r.last = sample
}

// close counts the samples up to the next reset, or to the end of the thread.
func (r *resets) close(sample int64) {
	for i := range min(sample-r.last, maxAfter) + 1 {
		r.reached[i]++
	}
}

// after returns the number of samples from the latest reset to a sample; 0 if r is nil, because there
// is no reset, or if the number exceeds maxAfter.
func (r *resets) after(sample int64) int64 {
	if r == nil || sample-r.last > maxAfter {
		return 0
	}
	return sample - r.last
}

// equalResets returns the number of resets of the selected threads with equal errors after them.
func (f *follower) equalResets() (n int64) {
	for id := range f.threads {
		if r := f.threads[id].resets; r != nil && r.equal && f.tree.Root(trace.ThreadID(id)) != calltree.NoNode {
			n += r.n
		}
	}
	return n
}

// begun counts beginnings of runs by the number of samples after the latest reset.
type begun [maxAfter + 1]uint32

// alike returns the factor by which equal errors after resets multiply the variance of the wall time
// of runs, at least 1. It is that of a cycle (steps.inStep), with the resets in place of the
// repetitions: runs that begin a number of samples after one reset begin after the same number of
// another with an excess over chance. But equal errors are bounded: a run of one sample is wrong by
// less than a period, and the begin of a longer one by less than half of one. equal reports whether
// the factor without this bound is at least inStepFrom.
func (b *begun) alike(r *resets, s *sum) (factor float64, equal bool) {
	var all, positions, have, possible float64
	for i := 1; i <= maxAfter; i++ {
		begins, reached := float64(b[i]), float64(r.reached[i])
		all += begins
		positions += reached
		have += begins * (begins - 1)
		possible += begins * (reached - 1)
	}
	density := all / positions
	if r.n < minSteps || possible <= 0 || density >= 1 || s.samples == 0 || s.varWall <= 0 {
		return 1, false
	}
	again := max(0, beyondChance(have, possible, density)-2*chanceError(possible, density))
	runs := float64(s.single + s.longer)
	period := float64(s.wall) / float64(s.samples)
	most := again * all * period * (float64(s.single) + float64(s.longer)/2) / runs
	factor = 1 + float64(r.n)*again*all/runs
	return min(factor, 1+most*most/(z95*z95*s.varWall)), factor >= inStepFrom
}
