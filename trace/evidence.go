package trace

import (
	"math"
	"time"
)

// Evidence is a Writer that gathers what tells a sampled trace from an
// instrumented one, and how long the sampling period was. Its zero value is
// ready for traces with a wall clock.
//
// A sampler compares a thread's stack with the one before and writes the
// difference in one go: exits, then enters, all with the same stamps. An
// instrumented thread reads its clocks anew for each event. So what counts is
// the group: a run of events of one thread with equal stamps on both clocks.
type Evidence struct {
	Clock   Clock
	Events  int64
	Groups  int64
	Singles int64 // groups of one event; nearly none in a sampled trace, nearly all in an instrumented one
	Mixed   int64 // exits after an enter of the same group: no sampler writes that, a coarse clock does
	Unwinds int64 // no sampler sees an exception
	Orphans int64 // exits with no frame open: no sampler writes one, but a cut or damaged trace has some

	threads []evidenceThread
	gaps    [gapBuckets]gapBucket
}

type evidenceThread struct {
	last    Event
	depth   int64
	size    int64 // events of the current group
	entered bool  // it has an enter
}

// The gaps between a thread's groups are kept by size, eight classes to an
// octave of nanoseconds.
const (
	gapsPerOctave = 8
	gapBuckets    = 64 * gapsPerOctave
)

type gapBucket struct {
	n   int64
	sum float64 // ns
}

// WriteEvents implements [Writer]. It never fails.
func (v *Evidence) WriteEvents(p []Event) error {
	for i := range p {
		v.add(&p[i])
	}
	v.Events += int64(len(p))
	return nil
}

func (v *Evidence) add(e *Event) {
	for int(e.Thread) >= len(v.threads) {
		v.threads = append(v.threads, evidenceThread{})
	}
	t := &v.threads[e.Thread]
	if t.size == 0 || e.Wall != t.last.Wall || e.CPU != t.last.CPU {
		v.startGroup(t, e)
	} else if t.size == 1 {
		v.Singles--
	}
	t.size++
	t.last = *e
	if e.Action == Enter {
		t.depth++
		t.entered = true
		return
	}
	v.leave(t, e)
}

func (v *Evidence) startGroup(t *evidenceThread, e *Event) {
	if t.size > 0 {
		v.gap(e.Time(v.Clock) - t.last.Time(v.Clock))
	}
	v.Groups++
	v.Singles++
	t.size = 0
	t.entered = false
}

func (v *Evidence) leave(t *evidenceThread, e *Event) {
	if t.entered {
		v.Mixed++
	}
	if e.Action == Unwind {
		v.Unwinds++
	}
	if t.depth == 0 {
		v.Orphans++
		return
	}
	t.depth--
}

func (v *Evidence) gap(d time.Duration) {
	if d <= 0 {
		return
	}
	b := &v.gaps[int(math.Log2(float64(d))*gapsPerOctave)]
	b.n++
	b.sum += float64(d)
}

// Confidence is how sure a verdict is.
type Confidence uint8

const (
	Unclear Confidence = iota // few groups, or neither kind prevails
	Likely                    // at least 19 in 20 groups say so, and there are 20 of them
	Certain                   // the trace has what the other technique cannot write
)

// String returns the confidence in a word.
func (c Confidence) String() string {
	return [...]string{"unclear", "likely", "certain"}[c]
}

// Verdict returns how the trace was recorded and how sure that is. Only
// "instrumented" can be certain: any sampled trace could have been recorded by
// a very slow clock.
func (v *Evidence) Verdict() (Technique, Confidence) {
	if v.Groups == 0 {
		return UnknownTechnique, Unclear
	}
	if v.Mixed > 0 || v.Unwinds > 0 {
		return Instrumented, Certain
	}
	technique, share := Sampled, 1-v.SingleShare()
	if share < 0.5 {
		technique, share = Instrumented, 1-share
	}
	if share < 0.95 || v.Groups < 20 {
		return technique, Unclear
	}
	return technique, Likely
}

// SingleShare returns the share of groups that hold one event, from 0 to 1; 0
// without events.
func (v *Evidence) SingleShare() float64 {
	if v.Groups == 0 {
		return 0
	}
	return float64(v.Singles) / float64(v.Groups)
}

// Period returns the usual distance between two samples, assuming that the
// trace is sampled: the mean of the gaps within half an octave of the most
// frequent size. A thread whose stack did not change leaves no trace of a
// sample, so there are gaps of several periods too, but the single one is the
// most frequent. It is 0 with fewer than 10 gaps. Without a wall clock it is in
// CPU time, and then less than the period by what the pauses and waits took.
func (v *Evidence) Period() time.Duration {
	mode := 0
	for i, b := range v.gaps {
		if b.n > v.gaps[mode].n {
			mode = i
		}
	}
	const reach = gapsPerOctave / 2
	var n int64
	var sum float64
	for i := max(0, mode-reach); i <= min(gapBuckets-1, mode+reach); i++ {
		n += v.gaps[i].n
		sum += v.gaps[i].sum
	}
	if n < 10 {
		return 0
	}
	return time.Duration(math.Round(sum / float64(n)))
}
