package score

import (
	"math"
	"time"

	"artifice/diffstack"
	"artifice/sampler"
	"artifice/trace"
	"artifice/trace/calltree"
)

// SampleScorer looks on while one sampler takes samples, and sums up what they
// report beside the true state. It is a [sampler.Observer].
//
// Whatever a sample needs to know of the true state it looks up at once. The times
// and calls that it reports are only written to a log: many scorers take turns,
// and each has columns of its own, far more than fit into the cache, so the
// columns are opened once for a full log.
type SampleScorer struct {
	// What every sample needs stands first: with hundreds of scorers it comes from
	// far memory each time.
	state  *TrueState
	cfg    SampleConfig
	log    sampleLog
	stacks stackComparison
	Accumulator

	sampledAt []time.Duration // by thread: app time of the last sample; kept only where frames end earlier
	threads   []loggedThread
}

// SampleConfig says how samples are read.
type SampleConfig struct {
	Ends diffstack.SliceEnd // when frames ended that a sample does not find any more

	// ByMethod makes frames the same call when they show the same method; else the
	// sampler's word counts.
	ByMethod bool

	// Each is the time that a sample stands for, whatever its stamp. 0: the time
	// until the next sample.
	Each time.Duration

	CPU bool // sum up CPU time, too
}

// NewSampleScorer returns the scorer of one sampler, which reads the truth through
// state.
func NewSampleScorer(state *TrueState, cfg SampleConfig) *SampleScorer {
	w := &SampleScorer{state: state, cfg: cfg, stacks: stackComparison{state: state}}
	w.pages.memory = state.memory
	if cfg.Ends != diffstack.EndNext {
		state.history.readers = append(state.history.readers, w)
	}
	if cfg.CPU {
		w.WithCPU()
	}
	return w
}

// Sample implements [sampler.Observer].
func (w *SampleScorer) Sample(l *sampler.Sample) {
	s := w.state
	if s.leavesOut(l.Thread) {
		return
	}
	s.advanceBut(l.App, l.Thread, l.Rest)
	r, t, now := w.reported(l.Thread), &s.threads[l.Thread], s.alive(l.Thread, l.App)
	old, depth, most := r.context, len(l.Stack), l.Same
	if w.cfg.ByMethod {
		most = math.MaxInt
	}
	// The ticks since the last report found the old stack.
	if !s.contexts.IsRoot(old) {
		w.Samples += l.Tick
	}
	if depth > 0 {
		w.Samples -= l.Tick
	}
	kept, left := w.stacks.sampled(t, r, depth, most, now)
	if w.cfg.Ends != diffstack.EndNext {
		from := w.cfg.Ends.Between(l.Last, l.App)
		w.stacks.endEarlier(l.Thread, old, kept, from, now)
		w.sampledOf(l.Thread, l.App)
	}
	w.Seen += int64(depth - min(l.Old, left))
	w.write(l, logEntry{context: r.context, kept: kept, depth: uint32(depth), left: uint32(left)})
}

// Ended implements [sampler.Observer]. The frames stay open, as in a trace file: no
// end of theirs is reported.
func (w *SampleScorer) Ended(l *sampler.Sample) {
	s := w.state
	if s.leavesOut(l.Thread) {
		return
	}
	s.advance(l.App)
	r, t := w.reported(l.Thread), &s.threads[l.Thread]
	if !s.contexts.IsRoot(r.context) {
		w.Samples += l.Tick
	}
	root := t.stack[0].context
	if end := s.alive(l.Thread, l.App); end < l.App { // else it lives to the end of the truth, as its last report does
		w.stacks.move(t, r, root, root, end)
	}
	w.write(l, logEntry{context: root})
}

// reported returns the stack reported last of a thread. One that is sampled before its
// first event is taken to live from the beginning.
func (w *SampleScorer) reported(id trace.ThreadID) *reportedStack {
	if int(id) < len(w.stacks.threads) && w.stacks.threads[id].context != calltree.NoNode {
		return &w.stacks.threads[id]
	}
	w.state.thread(id, 0)
	return w.stacks.thread(id)
}

// sampledOf notes when a thread was sampled last. Each thread has a time of its own: it can
// be sampled at a time of the app that others have passed already.
func (w *SampleScorer) sampledOf(id trace.ThreadID, at time.Duration) {
	for int(id) >= len(w.sampledAt) {
		w.sampledAt = append(w.sampledAt, 0)
	}
	w.sampledAt[id] = at
}

// since implements historyReader.
func (w *SampleScorer) since(id trace.ThreadID) time.Duration {
	if int(id) >= len(w.sampledAt) {
		return 0
	}
	return w.sampledAt[id]
}

// write stamps an entry and writes it to the log.
func (w *SampleScorer) write(l *sampler.Sample, e logEntry) {
	e.at, e.thread = l.Wall, l.Thread
	if w.cfg.Each > 0 {
		e.at = time.Duration(l.Tick) * w.cfg.Each
	}
	log := &w.log
	early := w.cfg.Ends != diffstack.EndNext
	if len(log.entries) == cap(log.entries) {
		log.grow(w.cfg.CPU, early)
	}
	if early {
		log.ends = append(log.ends, w.cfg.Ends.Between(l.Wall-l.Period, l.Wall))
	}
	if w.cfg.CPU {
		log.cpu = append(log.cpu, l.CPU)
	}
	if w.cfg.CPU && early {
		log.lastCPU = append(log.lastCPU, l.LastCPU)
	}
	log.entries = append(log.entries, e)
	if len(log.entries) == entriesPerLog {
		w.addUp()
	}
}

// Finish completes the sums once the state is finished.
func (w *SampleScorer) Finish() {
	w.addUp()
	w.Line = w.stacks.finish()
	w.stacks, w.log, w.threads = stackComparison{}, sampleLog{}, nil
}
