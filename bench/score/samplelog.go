package score

import (
	"time"

	"artifice/calltree"
	"artifice/diffstack"
	"artifice/trace"
)

// sampleLog is what samples reported of times and calls and is not yet in the
// columns, in the order of the samples.
type sampleLog struct {
	entries []logEntry
	ends    []time.Duration // by entry: stamp of the end of the frames that are gone; nil: the entry's
	cpu     []cpuEntry      // by entry; nil unless CPU time is asked for
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

// cpuEntry is the CPU time of an entry.
type cpuEntry struct {
	at   time.Duration // stamp
	last time.Duration // what it was in the sample before, where frames end before a sample
}

// entriesPerLog is so many that opening the columns costs little per entry.
const entriesPerLog = 1 << 11

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
			t.spendCPU(a, e, &log.cpu[i], w.cfg.Ends)
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
	*log = sampleLog{log.entries[:0], log.ends[:0], log.cpu[:0]}
}

// spendCPU gives the CPU time since the last entry to the stack reported then, up
// to the end of the frames that are gone, and the rest to what is left of it.
func (t *loggedThread) spendCPU(a *Accumulator, e *logEntry, c *cpuEntry, rule diffstack.SliceEnd) {
	if !t.met {
		t.met, t.cpu = true, c.at
	}
	end := c.at
	if e.kept != calltree.NoNode {
		end = rule.Between(min(max(t.cpu, c.last), c.at), c.at)
		a.pages.spendCPU(e.kept, c.at-end)
	}
	a.pages.spendCPU(t.context, end-t.cpu)
	t.cpu = c.at
}

// change ends the frames that are gone and begins those that are new.
func (t *loggedThread) change(a *Accumulator, e *logEntry, end time.Duration) {
	left := int(e.left)
	for depth := t.depth; depth > left; {
		last := &t.begun[len(t.begun)-1]
		to := max(left, last.below)
		a.Durations.add(end-last.at, depth-to)
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
