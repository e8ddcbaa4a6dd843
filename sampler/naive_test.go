package sampler

import (
	"cmp"
	"math"
	"slices"
	"time"

	"artifice/diffstack"

	"artifice/trace"
)

// naive is the reference implementation of the sampler. At each tick it rebuilds every thread's
// stack from the whole truth, walks all threads in list order and compares stacks with the
// reference algorithm. It shares only Cost, the schedule of ticks and the reference comparison with
// Run.
type naive struct {
	truth  []trace.Event                    // in time order
	events map[trace.ThreadID][]trace.Event // of each thread
	places map[trace.ThreadID][]int         // index of each of these events in truth
	sites  map[trace.ThreadID][]trace.Site  // call site of each of these events, as a walk reports it
	info   trace.Info
	sym    *trace.Symbols
	cfg    Config
	sched  ticker
	paused time.Duration
	stacks map[trace.ThreadID][]trace.MethodID // compared stacks, as numbers from key
	zeros  map[trace.ThreadID]time.Duration
	out    []trace.Event
	snaps  []trace.Snapshot
	open   map[trace.ThreadID]*trace.Snapshot
	count  map[trace.ThreadID]int64
}

func newNaive(truth []trace.Event, info trace.Info, sym *trace.Symbols, cfg Config) *naive {
	byThread := map[trace.ThreadID][]trace.Event{}
	places := map[trace.ThreadID][]int{}
	for i, e := range truth {
		byThread[e.Thread] = append(byThread[e.Thread], e)
		places[e.Thread] = append(places[e.Thread], i)
	}
	sites := map[trace.ThreadID][]trace.Site{}
	for id, events := range byThread {
		sites[id] = shownSites(events, sym)
	}
	return &naive{
		truth: truth, events: byThread, places: places, sites: sites, info: info, sym: sym, cfg: cfg,
		sched:  newTicker(&cfg),
		stacks: map[trace.ThreadID][]trace.MethodID{},
		zeros:  map[trace.ThreadID]time.Duration{},
		open:   map[trace.ThreadID]*trace.Snapshot{},
		count:  map[trace.ThreadID]int64{},
	}
}

// run samples until the end of the truth.
func (n *naive) run() {
	end := n.info.Elapsed
	for _, e := range n.truth {
		end = max(end, e.Wall)
	}
	at := n.sched.First()
	for {
		if most, none := n.sched.DrawCoreWait(); n.sched.NeedsCore() && none {
			at = n.coreAt(at, most, end)
		}
		if n.cfg.Runtime != dalvik { // Dalvik samples during a collection
			at = n.collectorEnd(at)
		}
		if at > end {
			break
		}
		n.tick(at)
		at += n.sched.Gap()
	}
	for id := range n.sym.Threads {
		n.closeSnapshot(trace.ThreadID(id))
	}
}

// coreAt returns the time of a tick that is due when no core is free. It is the first begin of a
// wait or end of a thread from then on, but at most most later. If no thread runs, it is immediate.
func (n *naive) coreAt(due, most, end time.Duration) time.Duration {
	at, any := due+most, false
	for id := range n.sym.Threads {
		running := false // at due, after all events up to it
		for _, c := range n.changes(trace.ThreadID(id), end) {
			if !c.runs && c.began && c.at >= due {
				at = min(at, c.at)
			}
			if c.at <= due {
				running = c.runs
			}
		}
		any = any || running
	}
	if !any {
		return due
	}
	return at
}

// change is a change of a thread's state.
type change struct {
	at    time.Duration
	runs  bool
	began bool // it was running before
}

// changes returns the times at which a thread begins to run and to wait, up to the end of the
// truth.
func (n *naive) changes(id trace.ThreadID, end time.Duration) (all []change) {
	runs := false
	set := func(at time.Duration, r bool) {
		all = append(all, change{at, r, runs})
		runs = r
	}
	events := n.events[id]
	th := n.sym.Thread(id)
	synthetic := n.info.Technique == trace.Truth
	if synthetic && len(events) > 0 && events[0].CPU > 0 {
		set(th.Start, true) // a thread without frames uses CPU time
	}
	var calls []int
	for i, e := range events {
		if e.Action == trace.Enter {
			calls = append(calls, i)
		} else {
			calls = closeCall(calls, events, n.sym, e)
		}
		next, used := end+1, time.Duration(0)
		if i+1 < len(events) {
			next, used = events[i+1].Wall, max(0, events[i+1].CPU-e.CPU)
		}
		switch {
		case synthetic && len(calls) > 0:
			set(e.Wall, n.sym.Method(events[calls[len(calls)-1]].Method).Wait == trace.Running)
		case synthetic:
			set(e.Wall, used > 0)
		case used == 0:
			set(e.Wall, false)
		default:
			set(e.Wall, true)
			if e.Wall+used < next {
				set(e.Wall+used, false)
			}
		}
	}
	if th.End > 0 {
		end = th.End
	}
	set(end+1, false)
	return all
}

// collectorEnd returns the first instant from at on at which no frame of the garbage collector is
// open.
func (n *naive) collectorEnd(at time.Duration) time.Duration {
	for {
		open := 0
		var next time.Duration = -1
		for _, e := range n.truth {
			if e.Wall > at && next < 0 {
				next = e.Wall
			}
		}
		for id := range n.events {
			for _, call := range n.frames(id, at) {
				if n.sym.Method(n.events[id][call].Method).Flags&trace.Collector != 0 {
					open++
				}
			}
		}
		if open == 0 {
			return at
		}
		if next < 0 {
			return 1 << 62
		}
		at = next
	}
}

// frames returns the open calls of a thread at an instant, as indices of their enters among the
// thread's events.
func (n *naive) frames(id trace.ThreadID, at time.Duration) (calls []int) {
	events := n.events[id]
	for i, e := range events {
		switch {
		case e.Wall > at:
			return calls
		case e.Action == trace.Enter:
			calls = append(calls, i)
		default:
			calls = closeCall(calls, events, n.sym, e)
		}
	}
	return calls
}

// closeCall removes the innermost open call that exit e closes. The method of e does not matter,
// but hidden and reported methods nest separately.
func closeCall(calls []int, events []trace.Event, sym *trace.Symbols, e trace.Event) []int {
	hidden := func(m trace.MethodID) bool { return sym.Method(m).Flags&trace.RuntimeInternal != 0 }
	for i := len(calls) - 1; i >= 0; i-- {
		if hidden(events[calls[i]].Method) == hidden(e.Method) {
			return slices.Delete(calls, i, i+1)
		}
	}
	return calls
}

// around returns a thread's last event up to at and its first event after at.
func (n *naive) around(id trace.ThreadID, at time.Duration) (before, after *trace.Event) {
	events := n.events[id]
	for i := range events {
		if events[i].Wall > at {
			return before, &events[i]
		}
		before = &events[i]
	}
	return before, nil
}

func (n *naive) living(id trace.ThreadID, at time.Duration) bool {
	t := n.sym.Thread(id)
	if n.retained(id, at) {
		return true
	}
	if n.info.Technique == trace.Truth {
		return t.Start <= at && (t.End == 0 || at <= t.End)
	}
	before, _ := n.around(id, at)
	return before != nil && (t.End == 0 || at <= t.End)
}

// retained reports whether a thread has ended and Dalvik keeps it in its list.
func (n *naive) retained(id trace.ThreadID, at time.Duration) bool {
	end := n.sym.Thread(id).End
	before, _ := n.around(id, at)
	return n.cfg.Runtime == dalvik && end > 0 && end < at && (n.info.Technique == trace.Truth || before != nil)
}

// sampling represents the sampling thread in the order of a walk.
const sampling = trace.ThreadID(math.MaxUint16)

// order returns the threads in the order of a walk. The sampling thread follows the threads that
// existed when it started, or all threads if that is unknown. Dalvik walks the list from the end,
// except for the first thread.
func (n *naive) order() []trace.ThreadID {
	var ids []trace.ThreadID
	own := 0
	for id, t := range n.sym.Threads {
		ids = append(ids, trace.ThreadID(id))
		if n.info.Technique != trace.Truth || t.Start == 0 {
			own = id + 1
		}
	}
	ids = slices.Insert(ids, own, sampling)
	if n.cfg.Runtime == dalvik {
		slices.Reverse(ids[1:])
	}
	return ids
}

func (n *naive) tick(at time.Duration) {
	begin := at + n.paused
	walked := n.cfg.Cost.PerTick
	for _, id := range n.order() {
		if id == sampling {
			walked += n.cfg.Cost.PerThread
			continue
		}
		living := n.living(id, at)
		if n.info.Technique == trace.Truth && !living {
			n.closeSnapshot(id)
			continue
		}
		walked += n.cfg.Cost.PerThread
		if !living {
			n.cpu(id, at, nil, trace.Running) // a recorded thread is also walked before its first event
			n.closeSnapshot(id)
			continue
		}
		events := n.events[id]
		calls := n.frames(id, at)
		if n.retained(id, at) {
			calls = nil
		}
		var seen []int
		for _, call := range calls {
			if n.sym.Method(events[call].Method).Flags&trace.RuntimeInternal == 0 {
				seen = append(seen, call)
			}
		}
		innermost := trace.Running
		if len(calls) > 0 {
			innermost = n.sym.Method(events[calls[len(calls)-1]].Method).Wait
		}
		walked += n.cfg.Cost.PerFrame * time.Duration(len(seen))
		for n.cfg.Leaves == LeavesHidden && len(seen) > 0 &&
			n.sym.Method(events[seen[len(seen)-1]].Method).Flags&trace.LeafNoPoll != 0 {
			seen = seen[:len(seen)-1]
		}
		n.compare(id, seen, n.cfg.Cost.Read(begin+walked), n.cpu(id, at, calls, innermost))
	}
	n.paused += walked + n.cfg.Cost.Resume
}

// cpu returns the reading of a thread's CPU clock, like ReadClocks.
func (n *naive) cpu(id trace.ThreadID, at time.Duration, calls []int, innermost trace.Wait) time.Duration {
	if !n.info.Clock.HasCPU() || !n.cfg.Clock.HasCPU() {
		return 0
	}
	before, after := n.around(id, at)
	absolute := func(cpu time.Duration) time.Duration {
		if n.info.Technique != trace.Truth {
			cpu += time.Millisecond
		}
		if cpu < time.Microsecond {
			return 0
		}
		return n.cfg.Cost.Read(cpu)
	}
	var used time.Duration
	end := n.sym.Thread(id).End
	switch {
	case before == nil && after == nil:
		return 0
	case n.retained(id, at) && before != nil: // the clock keeps its reading from the thread's end
		calls, innermost = n.frames(id, end), trace.Running
		if len(calls) > 0 {
			innermost = n.sym.Method(n.events[id][calls[len(calls)-1]].Method).Wait
		}
		used = before.CPU
		if n.info.Technique == trace.Truth && len(calls) > 0 && innermost == trace.Running {
			used += end - before.Wall
		}
	case before == nil:
		used = after.CPU // a thread without frames uses no CPU time
	case n.info.Technique == trace.Truth && len(calls) > 0:
		used = before.CPU
		if innermost == trace.Running {
			used += at - before.Wall
		}
	default:
		used = before.CPU
		if after != nil && n.near(id, at) {
			used = min(before.CPU+at-before.Wall, after.CPU)
		}
	}
	if zero, read := n.zeros[id]; !read || zero == 0 && n.cfg.Runtime != dalvik { // Dalvik has a flag instead
		n.zeros[id] = absolute(used)
		return 0
	}
	return absolute(used) - n.zeros[id]
}

// near reports whether the thread's next event after at is in the window of the next event of any
// thread, or in the window after it: see [Run].
func (n *naive) near(id trace.ThreadID, at time.Duration) bool {
	later := func(e trace.Event, at time.Duration) int { return cmp.Compare(e.Wall, at+1) }
	place, _ := slices.BinarySearchFunc(n.truth, at, later)
	next, _ := slices.BinarySearchFunc(n.events[id], at, later)
	return n.places[id][next]/windowSize <= place/windowSize+1
}

func (n *naive) compare(id trace.ThreadID, calls []int, wall, cpu time.Duration) {
	var stack, compared []trace.MethodID
	for _, call := range calls {
		stack = append(stack, n.events[id][call].Method)
		compared = append(compared, n.key(id, call))
	}
	n.count[id]++
	if n.open[id] != nil && slices.Equal(n.stacks[id], compared) {
		n.open[id].Count++
		n.open[id].Until = wall
		return
	}
	if n.open[id] != nil {
		n.open[id].Until = wall
		n.snaps = append(n.snaps, *n.open[id])
	}
	n.open[id] = &trace.Snapshot{Thread: id, Wall: wall, CPU: cpu, Until: wall, Count: 1, Stack: stack}
	for a, m := range diffstack.Compare(n.stacks[id], compared) {
		e := trace.Event{Wall: wall, CPU: cpu, Method: n.methodOf(id, m), Thread: id, Action: a}
		if !n.cfg.Clock.HasWall() {
			e.Wall = 0
		}
		n.out = append(n.out, e)
	}
	n.stacks[id] = compared
}

func (n *naive) closeSnapshot(id trace.ThreadID) {
	if n.open[id] != nil {
		n.snaps = append(n.snaps, *n.open[id])
		delete(n.open, id)
	}
}
