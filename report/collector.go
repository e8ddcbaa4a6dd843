package report

import (
	"cmp"
	"slices"

	"artifice/format"
)

// Collector counts what dumps show. The zero value has seen none, and counts frames of the runtime alone.
type DumpsCollector struct {
	All    bool                              // count frames of machine code and the kernel, too
	Rename func(format.Frame) []format.Frame // as [format.DumpConfig]'s; nil: every frame stands for itself

	pid     int // of the first dump, the one that everything is about
	process string
	others  int // dumps of other processes
	dumps   int
	threads []*dumpsThread
	index   map[format.ThreadKey]*dumpsThread
	frames  *format.FrameTable
	last    []waiter // the threads of the last dump
	cycles  [][]waiter
	kept    []format.FrameID
}

// thread is one thread in all dumps.
type dumpsThread struct {
	name   string
	dumps  int
	states map[string]int
	stacks map[string]*stack // by the frames as text
	counts map[format.FrameID]*Counts
	waits  []waiter // it, and for whom it waits, in the last dump in which it waits
}

// stack is one stack of a thread.
type stack struct {
	frames []format.FrameID // innermost first
	dumps  int
	first  int // dump that showed it first
}

// Counts is in how many dumps a thread was in a method.
type Counts struct {
	Self  int // as the innermost frame
	Total int // anywhere on the stack
}

// Watch counts a dump. All must be of the process of the first: a file that Android writes at an
// ANR has those of other processes behind it. It is a [format.DumpConfig]'s Watch.
func (c *DumpsCollector) Watch(d *format.Dump, frames *format.FrameTable) {
	if c.index == nil {
		c.index = map[format.ThreadKey]*dumpsThread{}
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
		c.of(t).add(t, c.shown(t.Stack), c.dumps)
		c.last = append(c.last, waiterOf(t))
	}
	for i := range c.last {
		if list, _ := chain(&c.last[i], c.last); len(list) > 1 || list[0].locks.Waits != nil {
			c.index[c.last[i].id].waits = list
		}
	}
	c.cycles = append(c.cycles, deadlocks(c.last)...)
}

// shown returns the frames of a stack that count; it is good until the next call.
func (c *DumpsCollector) shown(frames []format.FrameID) []format.FrameID {
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

// of returns the thread that a dump has.
func (c *DumpsCollector) of(t *format.DumpThread) *dumpsThread {
	known, ok := c.index[t.ID]
	if !ok {
		known = &dumpsThread{name: t.Name, states: map[string]int{}, stacks: map[string]*stack{}, counts: map[format.FrameID]*Counts{}}
		c.index[t.ID] = known
		c.threads = append(c.threads, known)
	}
	return known
}

// add adds what a dump shows of the thread.
func (t *dumpsThread) add(seen *format.DumpThread, frames []format.FrameID, dump int) {
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

// most returns the stack that most dumps share, of equals the first.
func (t *dumpsThread) most() *stack {
	var best *stack
	for _, s := range t.stacks {
		if best == nil || s.dumps > best.dumps || s.dumps == best.dumps && s.first < best.first {
			best = s
		}
	}
	return best
}

// state returns the state that most dumps have, of equals the first in the alphabet.
func (t *dumpsThread) state() string {
	best := ""
	for s, n := range t.states {
		if c := cmp.Compare(n, t.states[best]); best == "" || c > 0 || c == 0 && s < best {
			best = s
		}
	}
	return best
}
