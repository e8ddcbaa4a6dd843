// Package dumps summarizes thread dumps: states of threads, shared stacks, and lock contention. A
// [Collector] receives dumps and returns a [Summary], which command report prints. It is not part of
// package report, so that programs without dumps, such as those in pages, do not link every file
// format.
package dumps

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"artifice/format"
)

// Collector summarizes thread dumps: the state of each thread, the stack that most dumps share, the
// methods it was in, and lock contention. The zero value is empty and counts managed frames only.
//
// Dumps are few and far apart, so a summary has counts and no times: the share of dumps that show a
// method has the exact interval of a binomial proportion (Clopper and Pearson, 1934). Package estimate
// is for samples, which are many.
type Collector struct {
	All    bool                              // count native and kernel frames, too
	Rename func(format.Frame) []format.Frame // as that of [format.DumpConfig]; nil: frames keep their names

	pid     int // process of the first dump; only its dumps are counted
	process string
	others  int // dumps of other processes
	dumps   int
	threads []*dumpThread
	index   map[format.ThreadKey]*dumpThread
	frames  *format.FrameTable
	last    []lockState // the threads of the last dump
	cycles  [][]lockState
	kept    []format.FrameID
}

// dumpThread is one thread in all dumps.
type dumpThread struct {
	name   string
	dumps  int
	states map[string]int
	stacks map[string]*stack // by the frames as text
	counts map[format.FrameID]*Counts
	waits  []lockState // the chain of lock holders, itself first, in the last dump in which it waits
}

// stack is one stack of a thread.
type stack struct {
	frames []format.FrameID // innermost first
	dumps  int
	first  int // number of the first dump that shows it
}

// Counts is the number of dumps in which a thread was in a method.
type Counts struct {
	Self  int // as the innermost frame
	Total int // anywhere on the stack
}

// Watch adds a dump. Dumps of other processes than that of the first are only counted: the file that
// Android writes at an ANR has them after those of the app. Watch is for [format.DumpConfig].
func (c *Collector) Watch(d *format.Dump, frames *format.FrameTable) {
	if c.index == nil {
		c.index = map[format.ThreadKey]*dumpThread{}
		c.pid, c.process = d.PID, d.Process
	}
	if d.PID != c.pid {
		c.others++
		return
	}
	c.frames = frames
	c.dumps++
	c.last = c.last[:0]
	for i := range d.Threads {
		t := &d.Threads[i]
		frames := c.shown(t.Stack)
		c.of(t).add(t, frames, c.dumps)
		c.last = append(c.last, lockStateOf(t, frames))
	}
	for i := range c.last {
		if list, _ := chain(&c.last[i], c.last); len(list) > 1 || list[0].locks.Waits != nil {
			c.index[c.last[i].id].waits = list
		}
	}
	c.cycles = append(c.cycles, deadlocks(c.last)...)
}

// shown returns the frames of a stack that are counted. The slice is valid until the next call.
func (c *Collector) shown(frames []format.FrameID) []format.FrameID {
	if c.All {
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
		known = &dumpThread{name: t.Name, states: map[string]int{}, stacks: map[string]*stack{}, counts: map[format.FrameID]*Counts{}}
		c.index[t.ID] = known
		c.threads = append(c.threads, known)
	}
	return known
}

// add adds the state and the stack of the thread in one dump.
func (t *dumpThread) add(seen *format.DumpThread, frames []format.FrameID, dump int) {
	t.dumps++
	t.states[seen.Locks.State]++
	key := make([]byte, 0, 4*len(frames))
	for _, id := range frames {
		key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
	}
	s := t.stacks[string(key)]
	if s == nil {
		s = &stack{frames: slices.Clone(frames), first: dump}
		t.stacks[string(key)] = s
	}
	s.dumps++
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

// Summary is what dumps show of a process. The main thread is first.
type Summary struct {
	Process   string // name of the process; empty if dumps have none
	Dumps     int
	Others    int // dumps of other processes, which are not included
	Threads   []Thread
	Deadlocks [][]LockWait // cycles of threads that wait for each other, in any dump, each once
}

// Thread is what dumps show of one thread.
type Thread struct {
	Name  string
	Dumps int            // number of dumps with the thread
	State string         // the most frequent one; empty if dumps have none
	Stack []format.Frame // the most frequent one, innermost frame first
	Same  int            // number of dumps with this stack
	Waits []LockWait     // chain of lock holders from this thread on, in the last dump in which it waits; fewer than 2: no known holder

	Methods []DumpedMethod // by frequency, the most frequent first
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

// Blocked returns for each holder of a lock the threads that wait for it directly. The lock with the most
// waiting threads is first.
func (s *Summary) Blocked() []Blocked {
	var list []Blocked
	for i := range s.Threads {
		t := &s.Threads[i]
		if len(t.Waits) < 2 {
			continue
		}
		b := Blocked{Holder: t.Waits[1].Thread, Lock: *t.Waits[0].Lock}
		at := slices.IndexFunc(list, func(o Blocked) bool { return o.Holder == b.Holder && o.Lock.Object == b.Lock.Object })
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
}

// Summary returns the summary of all dumps so far. Threads are in the order of the dumps, main first.
func (c *Collector) Summary() *Summary {
	s := &Summary{Process: c.process, Dumps: c.dumps, Others: c.others}
	for _, t := range c.threads {
		s.Threads = append(s.Threads, c.thread(t))
	}
	slices.SortStableFunc(s.Threads, func(a, b Thread) int { return cmp.Compare(notMain(a.Name), notMain(b.Name)) })
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

func notMain(name string) int {
	if name == "main" {
		return 0
	}
	return 1
}

func (c *Collector) thread(t *dumpThread) Thread {
	best := t.most()
	r := Thread{Name: t.name, Dumps: t.dumps, State: t.state(), Same: best.dumps, Stack: c.framesOf(best.frames)}
	r.Waits = c.links(t.waits)
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
		chain[i] = LockWait{w.name, w.locks.State, w.locks.Waits, c.framesOf(w.stack)}
	}
	return chain
}

// clopperPearson returns the exact 95 % interval of a proportion with k observed in n trials (Clopper and
// Pearson, Biometrika 26, 1934). n is positive.
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
