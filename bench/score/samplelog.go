package score

import (
	"slices"
	"time"

	"artifice/diffstack"
	"artifice/trace"
	"artifice/trace/calltree"
)

// sampleLog contains times and calls reported by samples and not yet added to the columns, in order
// of the samples.
type sampleLog struct {
	entries []logEntry
	ends    []time.Duration // by entry: stamp of the end of the removed frames; nil: the stamp of the entry
	cpu     []time.Duration // by entry: CPU stamp; nil unless CPU time is summed up
	lastCPU []time.Duration // by entry: CPU stamp of the previous sample; nil if frames end at samples only
}

// logEntry is the report of one sample about one thread.
type logEntry struct {
	at      time.Duration // stamp; if each sample counts for a fixed time, the sum of these
	context calltree.Node // sampled stack
	kept    calltree.Node // its common part with the previous stack; None: the thread has ended
	depth   uint32        // of context
	left    uint32        // of kept
	thread  trace.ThreadID
}

// entriesPerLog amortizes the cost of accessing the columns.
const entriesPerLog = 1 << 12

// firstEntries is the initial capacity of a log, sufficient for a tracer with few samples. When a
// log is full for the first time, it grows to its final capacity, so that few entries are copied.
const firstEntries = 1 << 7

// grow extends the capacity for another entry.
func (log *sampleLog) grow(cpu, early bool) {
	more := firstEntries
	if len(log.entries) > 0 {
		more = entriesPerLog - len(log.entries)
	}
	log.entries = slices.Grow(log.entries, more)
	if early {
		log.ends = slices.Grow(log.ends, more)
	}
	if cpu {
		log.cpu = slices.Grow(log.cpu, more)
	}
	if cpu && early {
		log.lastCPU = slices.Grow(log.lastCPU, more)
	}
}

// loggedThread is the state of a thread in addUp.
type loggedThread struct {
	context calltree.Node // stack reported last; None before the first entry
	depth   int           // of context
	met     bool          // cpu is set
	since   time.Duration // stamp of the last entry
	cpu     time.Duration // its CPU stamp, if CPU time is summed up
	begun   []begunFrames // on its stack, outermost first
}

// begunFrames are the frames that one report added.
type begunFrames struct {
	below int           // frames below them
	at    time.Duration // stamp
}

// addUp adds the log's entries to the columns and empties it.
func (w *SampleScorer) addUp() {
	log, a := &w.log, &w.Accumulator
	a.pages.grow(w.state.contexts.Len())
	for i := range log.entries {
		e := &log.entries[i]
		t := w.logged(e)
		if len(log.cpu) > 0 {
			t.spendCPU(a, e, log.cpu[i], log.endCPU(i, t, w.cfg.Ends))
		}
		if e.kept == calltree.NoNode {
			a.pages.spend(t.context, e.at-t.since)
			t.context, t.depth, t.since, t.begun = e.context, 0, e.at, t.begun[:0]
			continue
		}
		end := e.at
		if len(log.ends) > 0 {
			end = max(t.since, log.ends[i])
			a.pages.spend(e.kept, e.at-end)
		}
		a.pages.spend(t.context, end-t.since)
		t.change(a, e, end)
		t.since = e.at
	}
	*log = sampleLog{log.entries[:0], log.ends[:0], log.cpu[:0], log.lastCPU[:0]}
}

// endCPU returns the CPU stamp at the end of the removed frames of an entry of thread t.
func (log *sampleLog) endCPU(i int, t *loggedThread, rule diffstack.SliceEnd) time.Duration {
	at := log.cpu[i]
	if !t.met || len(log.lastCPU) == 0 {
		return at
	}
	return rule.Between(min(max(t.cpu, log.lastCPU[i]), at), at)
}

// spendCPU adds the CPU time since the last entry to the stack reported then, up to the end of the
// removed frames, and the rest, up to at, to the remaining frames.
func (t *loggedThread) spendCPU(a *Accumulator, e *logEntry, at, end time.Duration) {
	if !t.met {
		t.met, t.cpu = true, at
	}
	if e.kept == calltree.NoNode {
		end = at
	} else {
		a.pages.spendCPU(e.kept, at-end)
	}
	a.pages.spendCPU(t.context, end-t.cpu)
	t.cpu = at
}

// change ends removed frames and begins new ones.
func (t *loggedThread) change(a *Accumulator, e *logEntry, end time.Duration) {
	left := int(e.left)
	for depth := t.depth; depth > left; {
		last := &t.begun[len(t.begun)-1]
		to := max(left, last.below)
		a.Durations.AddCalls(end-last.at, depth-to)
		if depth = to; depth == last.below {
			t.begun = t.begun[:len(t.begun)-1]
		}
	}
	t.context, t.depth = e.context, int(e.depth)
	if e.context != e.kept {
		a.Reported += int64(t.depth - left)
		a.pages.call(e.kept, e.context)
		t.begun = append(t.begun, begunFrames{left, e.at})
	}
}

// logged returns the thread of an entry.
func (w *SampleScorer) logged(e *logEntry) *loggedThread {
	for int(e.thread) >= len(w.threads) {
		w.threads = append(w.threads, loggedThread{})
	}
	t := &w.threads[e.thread]
	if t.context == calltree.NoNode {
		t.context, t.since = w.state.contexts.AddRoot(e.thread), e.at
	}
	return t
}
