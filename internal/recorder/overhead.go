package recorder

import (
	"math"
	"time"
)

// Overhead is the effect of a tracer on the running and waiting times of all threads, if each has
// its own delay. The zero value is unknown.
//
// Source: own definitions.
//
// Example: a thread works 8 ms of each frame of 16 ms for 1 s, and loses 4 ms in each frame. Its
// running time increases by a factor of 1.5, its waiting time decreases to half, and no frame is
// late.
type Overhead struct {
	// in the truth; native code counts as running, a thread without frames and without CPU use as
	// waiting
	Ran, Waited time.Duration
	Lost        time.Duration // additional running time
	Longer      time.Duration // additional waiting time; negative if waits with deadlines absorb delays

	Frames int64         // waits with deadlines: frames of the display, expirations of a timer
	Late   int64         // those with a deadline that the thread missed: it was busy or asleep until then
	LateBy time.Duration // the sum of their delays
}

// Running returns the ratio of running time to that of the truth; NaN without running time.
func (t *Overhead) Running() float64 { return times(t.Ran, t.Lost) }

// Waiting returns the ratio of waiting time to that of the truth.
func (t *Overhead) Waiting() float64 { return times(t.Waited, t.Longer) }

func times(length, more time.Duration) float64 {
	if length <= 0 {
		return math.NaN()
	}
	return 1 + float64(more)/float64(length)
}

// LateShare returns the share of late frames, 0 to 1; NaN without frames.
func (t *Overhead) LateShare() float64 {
	if t.Frames == 0 {
		return math.NaN()
	}
	return float64(t.Late) / float64(t.Frames)
}

// MeanLate returns the mean delay of late frames; 0 without any.
func (t *Overhead) MeanLate() time.Duration {
	if t.Late == 0 {
		return 0
	}
	return t.LateBy / time.Duration(t.Late)
}

// Frame counts a wait with a deadline that in the truth lasts until ends. The thread begins to
// wait at the wall time came, with a backlog from periods lost in earlier frames. Frame returns
// the backlog after this frame.
func (t *Overhead) Frame(w WaitRule, came, ends, behind time.Duration) time.Duration {
	t.Frames++
	if w.AtOnce { // a late turn takes no time from the next
		behind = 0
	}
	if due := ends + behind; came > due || came == due && !w.AtOnce {
		t.Late++
		t.LateBy += came - due
	}
	return w.End(came, ends, 0) - ends
}
