package score

import (
	"slices"
	"time"

	"artifice/diffstack"
	"artifice/trace"
	"artifice/trace/calltree"
)

// sampleLog is what samples reported of times and calls and is not yet in the
// columns, in the order of the samples.
type sampleLog struct {
	entries []logEntry
	ends    []time.Duration // by entry: stamp of the end of the frames that are gone; nil: the entry's
	cpu     []time.Duration // by entry: CPU stamp; nil unless CPU time is asked for
	lastCPU []time.Duration // by entry: that of the sample before; nil where no frame ends before a sample
}

// logEntry is what one sample reports of one thread.
type logEntry struct {
	at      time.Duration // stamp; where a sample stands for a time of its own, the sum of these
	context calltree.Node // stack seen
	kept    calltree.Node // what is left in it of the one before; None: the thread is gone
	depth   uint32        // of context
	left    uint32        // of kept
	thread  trace.ThreadID
}

// entriesPerLog is so many that opening the columns costs little per entry.
const entriesPerLog = 1 << 12

// firstEntries is what a log has room for at first: a tracer that is sampled seldom needs
// no more. The next time it is full it gets all the room that it ever needs, so that
// hardly an entry is copied.
const firstEntries = 1 << 7

// grow makes room for another entry.
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

// loggedThread is what is added up of a thread so far.
type loggedThread struct {
	context calltree.Node // stack reported last; None before the first entry
	depth   int           // of context
	met     bool          // cpu is set
	since   time.Duration // stamp of the last entry
	cpu     time.Duration // its CPU stamp, where CPU time is asked for
	begun   []begunFrames // on its stack, outermost first
}

// begunFrames are frames that were new to one report.
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

// endCPU returns the CPU stamp of the end of the frames that are gone of an entry of
// thread t.
func (log *sampleLog) endCPU(i int, t *loggedThread, rule diffstack.SliceEnd) time.Duration {
	at := log.cpu[i]
	if !t.met || len(log.lastCPU) == 0 {
		return at
	}
	return rule.Between(min(max(t.cpu, log.lastCPU[i]), at), at)
}

// spendCPU gives the CPU time since the last entry to the stack reported then, up
// to the end of the frames that are gone, and the rest, up to at, to what is left of it.
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

// change ends the frames that are gone and begins those that are new.
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
