// Package dumps summarizes thread dumps: states of threads, shared stacks, and lock contention. A
// [Collector] receives dumps and returns a [Summary], which command report prints. It is not part
// of package report, so that programs without dumps, such as those in pages, do not link every file
// format.
//
// # Example
//
//	var c dumps.Collector
//	c.Watch(dump, frames) // for each dump
//	fmt.Println(c.Summary().Size())
//
// # Units and errors
//
// Dumps have no durations: all values are numbers of dumps. There are no errors; those of files
// are returned by package format.
package dumps

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"artifice/format"
	"artifice/report"
)

// Collector summarizes thread dumps: the state of each thread, the stack that most dumps share, the
// methods it was in, and lock contention. The zero value is empty, and counts managed frames only
// unless the dumps have none.
//
// Dumps are few and far apart, so a summary has counts and no times: the share of dumps with a
// method has the exact interval of a binomial proportion (Clopper and Pearson, 1934). Package
// estimate is for samples, which are numerous.
type Collector struct {
	All    bool                              // count native and kernel frames, too
	Rename func(format.Frame) []format.Frame // as that of [format.DumpConfig]; nil: frames keep their names

	choice  format.FrameChoice // frames of the last dump to count unless All is set
	pid     int                // process of the first dump; only its dumps are counted
	process string
	others  int // dumps of other processes
	dumps   int
	threads []*dumpThread
	index   map[format.ThreadKey]*dumpThread
	frames  *format.FrameTable
	times   []time.Duration // of the dumps, since the first; nil if one has none
	first   format.DumpStamp
	last    []lockState // the threads of the last dump
	cycles  [][]lockState
	names   map[format.ThreadKey]string // of nameThreads
	kept    []format.FrameID
}

// dumpThread is one thread in all dumps.
type dumpThread struct {
	id      format.ThreadKey
	name    string
	dumps   int
	states  map[string]int
	stacks  map[string]*stack // by the frames as text
	counts  map[format.FrameID]*Counts
	moments []moment    // of the dumps with the thread
	waits   []lockState // the chain of lock holders, itself first, in the last dump in which it waits
	waitsIn int         // number of that dump
}

// moment is a thread in one dump.
type moment struct {
	dump  int // from 0
	state string
	stack *stack
}

// stack is one stack of a thread.
type stack struct {
	key    string           // frames as text
	frames []format.FrameID // innermost first
	dumps  int
	first  int // number of the first dump that shows it
}

// Counts is the number of dumps in which a thread was in a method.
type Counts struct {
	Self  int // as the innermost frame
	Total int // anywhere on the stack
}

// Watch adds a dump. Dumps of processes other than that of the first dump are only counted, because
// the file that Android writes at an ANR contains them after those of the app. Watch is for
// [format.DumpConfig].
func (c *Collector) Watch(d *format.Dump, frames *format.FrameTable) {
	if c.index == nil {
		c.index = map[format.ThreadKey]*dumpThread{}
		c.pid, c.process, c.first = d.PID, d.Process, d.Stamp
	}
	if d.PID != c.pid {
		c.others++
		return
	}
	c.choice = d.Choice(frames, c.choice)
	c.frames = frames
	c.dumps++
	c.addTime(d.Stamp)
	c.last = c.last[:0]
	for i := range d.Threads {
		t := &d.Threads[i]
		frames := c.shown(t.Stack)
		state := c.stateOf(t)
		c.of(t).add(state, frames, c.dumps)
		c.last = append(c.last, lockStateOf(t, state, frames))
	}
	for i := range c.last {
		if list, _ := chain(&c.last[i], c.last); len(list) > 1 || list[0].locks.Waits != nil {
			known := c.index[c.last[i].id]
			known.waits, known.waitsIn = list, c.dumps
		}
	}
	c.cycles = append(c.cycles, deadlocks(c.last)...)
}

// addTime adds the time of a dump. Dates are used if a dump has no time of a monotonic clock.
func (c *Collector) addTime(s format.DumpStamp) {
	at := s.Date.Sub(c.first.Date)
	known := !s.Date.IsZero() && !c.first.Date.IsZero()
	if s.HasUptime && c.first.HasUptime {
		at, known = s.Uptime-c.first.Uptime, true
	}
	if c.dumps > 1 && c.times == nil || !known {
		c.times = nil
		return
	}
	c.times = append(c.times, at)
}

// stateOf returns the state of a thread as the dump has it. A thread that waits in Thread.sleep is
// sleeping, which most runtimes call waiting.
func (c *Collector) stateOf(t *format.DumpThread) string {
	state := t.Locks.State
	if doing := StateOf(state); doing != Waiting && doing != TimedWaiting {
		return state
	}
	for _, id := range t.Stack {
		f := c.frames.Frame(id)
		if f.Kind != format.ManagedFrame {
			continue
		}
		if strings.HasPrefix(f.Method, "sleep") && (f.Class == "java.lang.Thread" || f.Class == "java.lang.VMThread") {
			return sleepingState
		}
		break
	}
	return state
}

// shown returns the frames of a stack that are counted. The slice is valid until the next call.
func (c *Collector) shown(frames []format.FrameID) []format.FrameID {
	if c.All || c.choice == format.AllFrames {
		return frames
	}
	c.kept = c.kept[:0]
	for _, id := range frames {
		if c.frames.Frame(id).Kind == format.ManagedFrame {
			c.kept = append(c.kept, id)
		}
	}
	return c.kept
}

// of returns the record of a thread, and creates it if necessary.
func (c *Collector) of(t *format.DumpThread) *dumpThread {
	known, ok := c.index[t.ID]
	if !ok {
		known = &dumpThread{id: t.ID, name: t.Name, states: map[string]int{}, stacks: map[string]*stack{}, counts: map[format.FrameID]*Counts{}}
		c.index[t.ID] = known
		c.threads = append(c.threads, known)
	}
	return known
}

// add adds the state and the stack of the thread in one dump.
func (t *dumpThread) add(state string, frames []format.FrameID, dump int) {
	t.dumps++
	t.states[state]++
	key := make([]byte, 0, 4*len(frames))
	for _, id := range frames {
		key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
	}
	s := t.stacks[string(key)]
	if s == nil {
		s = &stack{key: string(key), frames: slices.Clone(frames), first: dump}
		t.stacks[string(key)] = s
	}
	s.dumps++
	t.moments = append(t.moments, moment{dump: dump - 1, state: state, stack: s})
	met := map[format.FrameID]bool{}
	for i, id := range frames {
		n := t.counts[id]
		if n == nil {
			n = &Counts{}
			t.counts[id] = n
		}
		if i == 0 {
			n.Self++
		}
		if !met[id] {
			n.Total++
		}
		met[id] = true
	}
}

// most returns the most frequent stack; the first one in a tie.
func (t *dumpThread) most() *stack {
	var best *stack
	for _, s := range t.stacks {
		if best == nil || s.dumps > best.dumps || s.dumps == best.dumps && s.first < best.first {
			best = s
		}
	}
	return best
}

// state returns the most frequent state; the alphabetically first one in a tie.
func (t *dumpThread) state() string {
	best := ""
	for s, n := range t.states {
		if c := cmp.Compare(n, t.states[best]); best == "" || c > 0 || c == 0 && s < best {
			best = s
		}
	}
	return best
}

// Summary summarizes the dumps of a process. The main thread is first.
type Summary struct {
	Process   string // name of the process; empty if dumps have none
	Dumps     int
	Others    int             // dumps of other processes, which are not included
	Times     []time.Duration // of the dumps since the first; nil if they have none
	Threads   []Thread
	Stacks    []SharedStack // of all threads and dumps, the most frequent first; threads without frames have none
	Deadlocks [][]LockWait  // cycles of threads that wait for each other, in any dump, each once
}

// Thread summarizes one thread of the dumps.
type Thread struct {
	Name  string         // with the number of the thread where several have one name
	Plain string         // the name in the dumps
	Main  bool           // it is the main thread: its tid is the process's, or no thread's is and it is called main
	Dumps int            // number of dumps with the thread
	State string         // the most frequent one; empty if dumps have none
	Stack []format.Frame // the most frequent one, innermost frame first
	Same  int            // number of dumps with this stack
	Waits []LockWait     // chain of lock holders from this thread on, in the last dump in which it waits; fewer than 2: no known holder
	In    int            // number of that dump, from 1

	Moments []Moment       // one for each dump
	Methods []DumpedMethod // by frequency, the most frequent first
}

// Moment is the state and stack of a thread in one dump.
type Moment struct {
	Present bool   // the dump has the thread
	State   string // as the dump has it
	Stack   int    // number of the stack among the thread's, from 1 in the order of the dumps; 0: no frames
}

// SharedStack is a stack that threads have in dumps.
type SharedStack struct {
	Stack   []format.Frame // innermost frame first
	Count   int            // in how many dumps of a thread
	Threads []string       // with the stack
}

// LockWait is a thread of a chain, and the lock it waits for.
type LockWait struct {
	Thread, State string
	Lock          *format.Lock   // nil: none
	Stack         []format.Frame // in that dump, innermost frame first
}

// DumpedMethod is the number of dumps in which a thread was in a method.
type DumpedMethod struct {
	Frame format.Frame
	Counts
	Low, High float64 // 95 % interval of the share of time in which it is innermost
}

// Blocked returns for each holder of a lock the threads that wait for it directly. The lock with
// the most waiting threads is first.
func (s *Summary) Blocked() []Blocked {
	var list []Blocked
	for i := range s.Threads {
		t := &s.Threads[i]
		if len(t.Waits) < 2 {
			continue
		}
		b := Blocked{Holder: t.Waits[1].Thread, Lock: *t.Waits[0].Lock, Chain: t.Waits[:2], In: t.In}
		at := slices.IndexFunc(list, func(o Blocked) bool {
			return o.Holder == b.Holder && o.Lock.Object == b.Lock.Object && o.In == b.In
		})
		if at < 0 {
			at = len(list)
			list = append(list, b)
		}
		list[at].Waiters = append(list[at].Waiters, t.Name)
	}
	slices.SortStableFunc(list, func(a, b Blocked) int { return cmp.Compare(len(b.Waiters), len(a.Waiters)) })
	return list
}

// Blocked is a contended lock with its holder and the threads that wait for it.
type Blocked struct {
	Holder  string
	Lock    format.Lock
	Waiters []string
	Chain   []LockWait // the first of the waiters, and the holder
	In      int        // number of the dump, from 1
}

// Summary returns the summary of all dumps so far. Threads are in the order of the dumps, main
// first.
func (c *Collector) Summary() *Summary {
	s := &Summary{Process: c.process, Dumps: c.dumps, Others: c.others, Times: c.times}
	c.nameThreads()
	main := slices.IndexFunc(c.threads, func(t *dumpThread) bool { return c.pid != 0 && t.id.TID == int64(c.pid) })
	for i, t := range c.threads {
		r := c.thread(t)
		r.Main = i == main || main < 0 && t.name == report.MainThread
		s.Threads = append(s.Threads, r)
	}
	slices.SortStableFunc(s.Threads, func(a, b Thread) int {
		switch {
		case a.Main == b.Main:
			return 0
		case a.Main:
			return -1
		}
		return 1
	})
	s.Stacks = c.sharedStacks()
	seen := map[format.ThreadKey]bool{}
	for _, circle := range c.cycles {
		if !seen[circle[0].id] {
			s.Deadlocks = append(s.Deadlocks, c.links(circle))
		}
		for _, w := range circle {
			seen[w.id] = true
		}
	}
	return s
}

// sharedStacks returns the stacks of all threads.
func (c *Collector) sharedStacks() []SharedStack {
	index := map[string]int{}
	var list []SharedStack
	for _, t := range c.threads {
		mine := map[int]bool{}
		for _, m := range t.moments {
			if len(m.stack.frames) == 0 {
				continue
			}
			at, ok := index[m.stack.key]
			if !ok {
				at = len(list)
				index[m.stack.key] = at
				list = append(list, SharedStack{Stack: c.framesOf(m.stack.frames)})
			}
			s := &list[at]
			if s.Count++; !mine[at] {
				mine[at] = true
				s.Threads = append(s.Threads, c.names[t.id])
			}
		}
	}
	slices.SortStableFunc(list, func(a, b SharedStack) int { return cmp.Compare(b.Count, a.Count) })
	return list
}

// nameThreads gives each thread a name of its own: threads with one name get their numbers.
func (c *Collector) nameThreads() {
	count := map[string]int{}
	for _, t := range c.threads {
		count[t.name]++
	}
	c.names = map[format.ThreadKey]string{}
	for _, t := range c.threads {
		name := t.name
		switch {
		case count[name] < 2 && name != "":
		case t.id.TID != 0:
			name = strings.TrimLeft(fmt.Sprintf("%s (tid %d)", name, t.id.TID), " ")
		case t.id.Number != 0:
			name = strings.TrimLeft(fmt.Sprintf("%s (#%d)", name, t.id.Number), " ")
		}
		c.names[t.id] = name
	}
}

func (c *Collector) thread(t *dumpThread) Thread {
	best := t.most()
	r := Thread{Name: c.names[t.id], Plain: t.name, In: t.waitsIn, Dumps: t.dumps, State: t.state(), Same: best.dumps, Stack: c.framesOf(best.frames)}
	r.Waits = c.links(t.waits)
	r.Moments = t.shownMoments(c.dumps)
	ids := make([]format.FrameID, 0, len(t.counts))
	for id := range t.counts {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b format.FrameID) int {
		x, y := t.counts[a], t.counts[b]
		return cmp.Or(cmp.Compare(y.Self, x.Self), cmp.Compare(y.Total, x.Total), cmp.Compare(a, b))
	})
	for _, id := range ids {
		m := DumpedMethod{Frame: c.renamed(id)[0], Counts: *t.counts[id]}
		m.Low, m.High = clopperPearson(m.Self, t.dumps)
		r.Methods = append(r.Methods, m)
	}
	return r
}

// shownMoments returns what the thread does in each of n dumps.
func (t *dumpThread) shownMoments(n int) []Moment {
	list := make([]Moment, n)
	number := map[*stack]int{}
	for _, m := range t.moments {
		if len(m.stack.frames) > 0 && number[m.stack] == 0 {
			number[m.stack] = len(number) + 1
		}
		list[m.dump] = Moment{true, m.state, number[m.stack]}
	}
	return list
}

func (c *Collector) framesOf(ids []format.FrameID) []format.Frame {
	var list []format.Frame
	for _, id := range ids {
		list = append(list, c.renamed(id)...)
	}
	return list
}

// renamed returns the frames that a frame of a dump represents after renaming, innermost first.
func (c *Collector) renamed(id format.FrameID) []format.Frame {
	if c.Rename == nil {
		return []format.Frame{*c.frames.Frame(id)}
	}
	frames := slices.Clone(c.Rename(*c.frames.Frame(id)))
	slices.Reverse(frames)
	return frames
}

// links returns the exported form of a chain.
func (c *Collector) links(list []lockState) []LockWait {
	chain := make([]LockWait, len(list))
	for i, w := range list {
		chain[i] = LockWait{c.names[w.id], w.locks.State, w.locks.Waits, c.framesOf(w.stack)}
	}
	return chain
}

// clopperPearson returns the exact 95 % interval of a proportion with k observed in n trials
// (Clopper and Pearson, Biometrika 26, 1934). n is positive.
func clopperPearson(k, n int) (low, high float64) {
	const tail = 0.025
	low, high = 0, 1
	if k > 0 {
		low = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(tail)
	}
	if k < n {
		high = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(1 - tail)
	}
	return max(0, low), math.Min(1, high)
}
