package measure

import "time"

// Timeline is the accuracy of an observed trace at each instant, not in sums: it compares the
// reported stack with the true one at every instant of every thread. Times are summed over threads,
// on the app's own axis, in which a sampler's pauses take no time.
//
// Source: own definition; the depth-weighted form is the Jaccard index of the sets (frame,
// instant), a frame being a calling context.
//
// Example: a thread of 10 ms is in A/B for 6 ms, then in A. Reported is A/B for 8 ms, then nothing:
// equal for 6 ms, 0.6. True frame time 6·2 + 4 = 16, reported 8·2 = 16, common 6·2 + 2·1 = 14:
// 14/(16 + 16 − 14) = 0.778.
type Timeline struct {
	Thread   time.Duration // time the threads lived
	Equal    time.Duration // part of Thread in which the reported and the true stack are equal
	True     time.Duration // frame time of the truth: depth of the stack, over time
	Reported time.Duration // frame time of the reported stacks
	Common   time.Duration // frame time of the outermost frames common to both stacks
}

// Accuracy is the share of thread time in which the stack is right, 0 to 1.
func (t Timeline) Accuracy() float64 { return Share(t.Equal, t.Thread) }

// DepthWeighted is common frame time divided by the frame time that at least one side has, 0 to 1.
// A stack that is wrong only in its innermost frame thus counts as nearly right. Without any frame
// it is 1.
func (t Timeline) DepthWeighted() float64 {
	union := t.True + t.Reported - t.Common
	if union == 0 {
		return 1
	}
	return Share(t.Common, union)
}

// Add adds the times of one interval of a thread, except Thread and True, which do not depend on
// the reported stacks.
func (t *Timeline) Add(d *Timeline) {
	t.Equal += d.Equal
	t.Reported += d.Reported
	t.Common += d.Common
}

// Take subtracts times added by [Timeline.Add].
func (t *Timeline) Take(d *Timeline) {
	t.Equal -= d.Equal
	t.Reported -= d.Reported
	t.Common -= d.Common
}
