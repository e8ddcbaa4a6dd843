package measure

import "time"

// Timeline is the accuracy of an observed trace from moment to moment, not in
// sum: it compares the reported stack with the true one at every instant of
// every thread. Times are summed over threads, on the app's own axis, in which
// a sampler's pauses take no time.
//
// Source: own definition; the depth-weighted form is the Jaccard index of the
// sets (frame, instant), a frame being a calling context.
//
// Example: a thread of 10 ms is in A/B for 6 ms, then in A. Reported is A/B for
// 8 ms, then nothing: equal for 6 ms, 0.6. True frame time 6·2 + 4 = 16, reported
// 8·2 = 16, common 6·2 + 2·1 = 14: 14/(16 + 16 − 14) = 0.778.
type Timeline struct {
	Thread   time.Duration // time the threads lived
	Equal    time.Duration // of it, time in which reported and true stack are the same
	True     time.Duration // frame time of the truth: depth of the stack, over time
	Reported time.Duration // the same as reported
	Common   time.Duration // the same of the frames that both stacks begin with
}

// Accuracy is the share of thread time in which the stack is right, 0 to 1.
func (t Timeline) Accuracy() float64 { return Share(t.Equal, t.Thread) }

// DepthWeighted is common frame time over all frame time that either side
// has, 0 to 1: a stack that is wrong in its innermost frame only is nearly right.
// Without any frame both sides agree: 1.
func (t Timeline) DepthWeighted() float64 {
	union := t.True + t.Reported - t.Common
	if union == 0 {
		return 1
	}
	return Share(t.Common, union)
}

// Add adds what a stretch of one thread has: all but the time threads lived and
// the frame time of the truth, which do not depend on what is reported.
func (t *Timeline) Add(d *Timeline) {
	t.Equal += d.Equal
	t.Reported += d.Reported
	t.Common += d.Common
}

// Take takes off what [Timeline.Add] has added.
func (t *Timeline) Take(d *Timeline) {
	t.Equal -= d.Equal
	t.Reported -= d.Reported
	t.Common -= d.Common
}
