package recorder

import (
	"math"
	"time"
)

// Overhead is what a tracer has made of all threads' running and waiting, of those that it makes late
// one by one. The zero value knows nothing.
//
// Source: own definitions.
//
// Example: a thread that works 8 ms of each frame of 16 ms, for 1 s, and loses 4 ms in each: running takes
// 1.5 times, waiting half of what it did, and no frame is late.
type Overhead struct {
	Ran, Waited time.Duration // in the truth: native code runs, and a thread without frames that uses no CPU waits
	Lost        time.Duration // by how much longer it ran
	Longer      time.Duration // by how much longer it waited; below 0, where waits for an instant absorb

	Frames int64         // waits for an instant: a frame of the display, a turn of a timer
	Late   int64         // those whose instant the thread missed: it was busy, or asleep, until then
	LateBy time.Duration // the sum of how long after it the thread came
}

// Running returns how many times as long running takes as in the truth; NaN where nothing runs.
func (t *Overhead) Running() float64 { return times(t.Ran, t.Lost) }

// Waiting returns the same of waiting.
func (t *Overhead) Waiting() float64 { return times(t.Waited, t.Longer) }

func times(length, more time.Duration) float64 {
	if length <= 0 {
		return math.NaN()
	}
	return 1 + float64(more)/float64(length)
}

// LateShare returns which share of the frames is late, 0 to 1; NaN where there are none.
func (t *Overhead) LateShare() float64 {
	if t.Frames == 0 {
		return math.NaN()
	}
	return float64(t.Late) / float64(t.Frames)
}

// MeanLate returns how long after its instant a thread comes to wait for it, on average of the
// late frames; 0 without any.
func (t *Overhead) MeanLate() time.Duration {
	if t.Late == 0 {
		return 0
	}
	return t.LateBy / time.Duration(t.Late)
}

// Frame counts a wait for an instant, which in the truth lasts until ends. The thread comes to it
// at came, by the wall clock, and of the frames before it has lost so many periods that it is
// behind by a time. It returns what it is behind by after this one.
func (t *Overhead) Frame(w WaitRule, came, ends, behind time.Duration) time.Duration {
	t.Frames++
	if w.AtOnce { // a turn that is late takes none from the next
		behind = 0
	}
	if due := ends + behind; came > due || came == due && !w.AtOnce {
		t.Late++
		t.LateBy += came - due
	}
	return w.End(came, ends, 0) - ends
}
