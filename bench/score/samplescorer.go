package score

import (
	"math"
	"time"

	"artifice/diffstack"
	"artifice/sampler"
	"artifice/trace"
	"artifice/trace/calltree"
)

// SampleScorer observes the samples of one sampler and compares them with the true state. It is a
// [sampler.Observer].
//
// A sample is compared with the true state immediately, but its times and calls are only written to
// a log. Many scorers take turns, each with its own columns, which do not fit into the cache
// together: the columns are updated once for a full log.
type SampleScorer struct {
	// Fields that every sample uses come first: with hundreds of scorers they are rarely in the
	// cache.
	state  *TrueState
	cfg    SampleConfig
	log    sampleLog
	stacks stackComparison
	Accumulator

	sampledAt []time.Duration // by thread: app time of the last sample; used only if frames can end between samples
	threads   []loggedThread
}

// SampleConfig configures the interpretation of samples.
type SampleConfig struct {
	Ends diffstack.SliceEnd // end of frames that are missing from a sample

	// ByMethod identifies calls by method; else the sampler identifies them.
	ByMethod bool

	// Each is the time that a sample counts for, independent of its stamp. 0: the time until the
	// next sample.
	Each time.Duration

	CPU bool // sum up CPU time, too
}

// NewSampleScorer returns the scorer of a sampler that reads the truth from state.
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

// Ended implements [sampler.Observer]. Frames remain open, as in a trace file, which does not
// contain their end.
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
	if end := s.alive(l.Thread, l.App); end < l.App { // else the thread and its last report last to the end of the truth
		w.stacks.move(t, r, root, root, end)
	}
	w.write(l, logEntry{context: root})
}

// reported returns the last reported stack of a thread. A thread sampled before its first event is
// taken to start at time 0.
func (w *SampleScorer) reported(id trace.ThreadID) *reportedStack {
	if int(id) < len(w.stacks.threads) && w.stacks.threads[id].context != calltree.NoNode {
		return &w.stacks.threads[id]
	}
	w.state.thread(id, 0)
	return w.stacks.thread(id)
}

// sampledOf records the time of a thread's last sample. Threads have separate times, because a
// thread can be sampled at an app time that others have passed already.
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

// write appends an entry with its stamp to the log.
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

// Finish completes the sums after the state is finished.
func (w *SampleScorer) Finish() {
	w.addUp()
	w.Line = w.stacks.finish()
	w.stacks, w.log, w.threads = stackComparison{}, sampleLog{}, nil
}
