package score

import (
	"time"

	"artifice/threadsampler"
	"artifice/trace"
)

// ThreadScorer looks on while a tracer samples threads one by one, and sums up what
// it reports beside the true state, as a reader of its record would. It is a
// [threadsampler.Observer]. Several can stand beside one state, if each event of the
// truth goes to all tracers before the next one does.
type ThreadScorer struct {
	EventScorer
	stacks stackComparison
}

// NewThreadScorer returns the scorer of one tracer, which is given what is read
// through state.
func NewThreadScorer(state *TrueState) *ThreadScorer {
	return &ThreadScorer{EventScorer: *NewEventScorer(state, AllSamples, 0), stacks: stackComparison{state: state}}
}

// Sampled implements [threadsampler.Observer].
func (w *ThreadScorer) Sampled(s *threadsampler.Sample) {
	if w.state.leavesOut(s.Thread) {
		return
	}
	w.state.advance(s.App)
	now := w.state.alive(s.Thread, s.App)
	for i := range s.Events {
		w.add(&s.Events[i])
		w.stacks.apply(&s.Events[i], now)
	}
	if s.Depth > 0 {
		w.Samples++
	}
	w.Seen += int64(s.Fresh)
}

// Ended implements [threadsampler.Observer]: the last sample of a thread owns the time
// to the thread's end.
func (w *ThreadScorer) Ended(id trace.ThreadID, wall, cpu time.Duration) {
	if w.state.leavesOut(id) || int(id) >= len(w.threads) || w.threads[id].context == 0 {
		return
	}
	t := &w.threads[id]
	w.spend(t.context, max(0, wall-t.last), max(0, cpu-t.cpu))
}

// Finish completes the timeline once the state is finished.
func (w *ThreadScorer) Finish() {
	w.Line = w.stacks.finish()
	w.stacks = stackComparison{}
}

// Taken sums up what samples took from the threads that count.
func (s *TrueState) Taken(byThread []time.Duration) (sum time.Duration) {
	for id, d := range byThread {
		if !s.leavesOut(trace.ThreadID(id)) {
			sum += d
		}
	}
	return sum
}
