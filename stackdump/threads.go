package stackdump

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"artifice/trace"
)

// threadKey is a thread of a process.
type threadKey struct {
	pid int
	id  ID
}

// process is what the tracker remembers of a process.
type process struct {
	label  string    // behind its threads' names; empty for the first process
	alive  []*thread // in its last whole dump
	before []*thread // in the one before; kept for its memory
	bare   bool      // a warning said that it has native frames only
}

// thread is what the tracker remembers of a thread.
type thread struct {
	id      trace.ThreadID
	left    bool // not selected: it has no id
	dump    int64
	stack   []trace.MethodID // as compared, outermost first
	since   stamps           // first sample that saw the stack
	last    stamps           // latest sample
	count   int64            // samples that saw it
	zero    time.Duration    // CPU time at the thread's first sample
	started bool
}

// process returns the process of d.
func (t *tracker) process(d *Dump) *process {
	if p, ok := t.processes[d.PID]; ok {
		return p
	}
	p := &process{}
	// perf's threads are named by command: their names tell the process.
	if len(t.processes) > 0 && !d.Partial {
		if p.label = d.Process; p.label == "" {
			p.label = "pid " + strconv.Itoa(d.PID)
		}
	}
	t.processes[d.PID] = p
	return p
}

// checkBare warns of a process whose frames all count for nothing.
func (t *tracker) checkBare(p *process, d *Dump) {
	if t.cfg.Include == AllFrames || p.bare {
		return
	}
	frames := 0
	for i := range d.Threads {
		for _, id := range d.Threads[i].Stack {
			if t.methods.frames.Frame(id).Kind == Managed {
				return
			}
			frames++
		}
	}
	if frames > 0 {
		p.bare = true
		t.warn.add(trace.WarnDumpNative, d.File, d.Line, "the process has native frames only, which ART's sampler does not see; include all frames to keep them",
			fmt.Sprintf("pid %d %s, %d threads", d.PID, d.Process, len(d.Threads)))
	}
}

// thread returns the thread that a dump calls seen. A new one gets a name and a
// tid of its own in the trace.
func (t *tracker) thread(p *process, d *Dump, seen *Thread) (*thread, error) {
	key := threadKey{d.PID, seen.ID}
	if th, ok := t.threads[key]; ok {
		return th, nil
	}
	th := &thread{left: !t.selected(seen)}
	t.threads[key] = th
	if th.left {
		return th, nil
	}
	name := seen.Name
	if p.label != "" {
		name += " (" + p.label + ")"
	}
	var err error
	th.id, err = t.symbols.AddThread(trace.Thread{TID: t.freeTID(seen.ID), Name: name})
	if err != nil {
		return nil, formatError(d.File, seen.Line, "too many threads; select one of them", err)
	}
	t.order = append(t.order, th)
	return th, nil
}

// selected reports whether a thread is one of those asked for.
func (t *tracker) selected(seen *Thread) bool {
	want := t.cfg.Threads
	if len(want) == 0 || slices.Contains(want, seen.Name) {
		return true
	}
	return seen.ID.TID != 0 && slices.Contains(want, strconv.FormatInt(seen.ID.TID, 10))
}

// freeTID returns a tid that no other thread of the trace has: the thread's own
// where possible.
func (t *tracker) freeTID(id ID) uint32 {
	own := id.TID
	if own == 0 {
		own = id.Number
	}
	tid := uint32(own)
	if own <= 0 || own > 1<<32-1 || t.tids[tid] {
		for t.nextTID++; t.tids[t.nextTID]; t.nextTID++ {
		}
		tid = t.nextTID
	}
	t.tids[tid] = true
	return tid
}
