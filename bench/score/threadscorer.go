package score

import (
	"math"
	"time"

	"artifice/bench/measure"
	"artifice/internal/recorder"
	"artifice/sampler/thread"
	"artifice/trace"
)

// ThreadScorer observes a tracer that samples threads one by one, and compares its report with the
// true state, as a reader of its recording would. It is a [thread.Observer]. Several scorers can
// share one state if each event of the truth is passed to all tracers before the next one.
type ThreadScorer struct {
	EventScorer
	stacks stackComparison

	// before is 1 ns if a tracer reports the begin of a call at the call's end, else 0. Samples
	// advance the state only to this much before their time, because the begin of a call reported
	// by another tracer is compared with the state at the same time. An event at the instant of a
	// sample does not affect sums.
	before time.Duration

	latest []time.Duration // by thread: app time of its last sample; nil if all calls end at samples

	kept int                       // number of samples that the recording keeps; 0: all
	ring recorder.Ring[keptSample] // if not all are kept
}

// keptSample is a sample that the recording contains unless too many follow it.
type keptSample struct {
	*thread.Sample
	line  measure.Timeline // its contribution
	first measure.Timeline // its contribution as the first sample
}

// NewThreadScorer returns the scorer of a tracer that reads the truth from state.
func NewThreadScorer(state *TrueState, cfg *thread.Config) *ThreadScorer {
	w := &ThreadScorer{EventScorer: *NewEventScorer(state, AllSamples, 0), stacks: stackComparison{state: state}, kept: cfg.Kept()}
	w.ring = recorder.NewRing[keptSample](w.kept)
	if cfg.Timer == thread.Hooks {
		w.before = 1
	}
	if cfg.Ends != 0 {
		w.latest = []time.Duration{}
		state.history.readers = append(state.history.readers, w)
	}
	return w
}

// Sampled implements [thread.Observer].
func (w *ThreadScorer) Sampled(s *thread.Sample) {
	if w.state.leavesOut(s.Thread) {
		return
	}
	w.state.advance(s.App - w.before)
	if w.kept > 0 {
		w.keep(s)
		return
	}
	w.compare(s)
	w.count(s)
}

// compare adds the contribution of a sample to the timeline.
func (w *ThreadScorer) compare(s *thread.Sample) {
	now := w.state.alive(s.Thread, s.App)
	old := w.stacks.thread(s.Thread).context
	kept := old
	for i := range s.Events {
		if w.stacks.apply(&s.Events[i], now); s.Events[i].Action == trace.Exit {
			kept = w.stacks.thread(s.Thread).context
		}
	}
	if w.latest == nil {
		return
	}
	if s.ExitApp < s.App {
		w.stacks.endEarlier(s.Thread, old, kept, s.ExitApp, now)
	}
	for int(s.Thread) >= len(w.latest) {
		w.latest = append(w.latest, math.MaxInt64)
	}
	w.latest[s.Thread] = s.App
}

// count adds the times and calls of a sample.
func (w *ThreadScorer) count(s *thread.Sample) {
	for i := range s.Events {
		w.add(&s.Events[i])
	}
	if len(s.Stack) > 0 {
		w.Samples++
	}
	w.Seen += int64(s.Fresh)
}

// since implements historyReader.
func (w *ThreadScorer) since(id trace.ThreadID) time.Duration {
	if int(id) >= len(w.latest) {
		return math.MaxInt64
	}
	return w.latest[id]
}

// keep holds a sample until it is decided whether the recording contains it.
func (w *ThreadScorer) keep(s *thread.Sample) {
	k := keptSample{Sample: s.Clone()}
	before := w.stacks.line
	w.compare(s)
	k.line = w.stacks.line
	k.line.Take(&before)
	state := w.state
	now, root := state.alive(s.Thread, s.App), state.contexts.AddRoot(s.Thread)
	state.exchange(&k.first, &state.threads[s.Thread], root, w.stacks.thread(s.Thread).context, root, now)
	w.ring.Add(k)
}

// empty counts the samples in the recording, after the last sample.
func (w *ThreadScorer) empty() {
	w.stacks.line = measure.Timeline{}
	for i, k := range w.ring.Kept() {
		if i == 0 {
			k.First()
			k.line = k.first
		}
		w.stacks.line.Add(&k.line)
		w.count(k.Sample)
	}
	w.ring = recorder.NewRing[keptSample](w.kept)
}

// Ended implements [thread.Observer]: the last sample of a thread counts up to the end of the
// thread.
func (w *ThreadScorer) Ended(id trace.ThreadID, wall, cpu time.Duration) {
	if w.state.leavesOut(id) {
		return
	}
	if w.kept > 0 {
		w.empty()
	}
	w.endThread(id, wall, cpu)
}

// Finish completes the timeline after the state is finished.
func (w *ThreadScorer) Finish() {
	w.Line = w.stacks.finish()
	w.stacks = stackComparison{}
}

// Taken returns the overhead of samples on the selected threads.
func (s *TrueState) Taken(byThread []time.Duration) (sum time.Duration) {
	for id, d := range byThread {
		if !s.leavesOut(trace.ThreadID(id)) {
			sum += d
		}
	}
	return sum
}
