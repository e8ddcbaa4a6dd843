package report

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"artifice/format"
)

// Summary is what dumps show, of the main thread first.
type Summary struct {
	Process   string // whose dumps they are; empty where they do not say
	Dumps     int
	Others    int // dumps of other processes, which are left out
	Threads   []Thread
	Deadlocks [][]Link // circles of threads that wait for each other, in any dump, each once
}

// Thread is what dumps show of one thread.
type Thread struct {
	Name  string
	Dumps int    // in which it is
	State string // in most of them; empty where dumps do not say
	Stack []format.Frame
	Same  int    // dumps in which it has this stack, the one that most share; innermost frame first
	Waits []Link // in the last dump in which it waits, who waits for whom, from this thread on; fewer than 2: for no known thread

	Methods []Method // those that it was in most often first
}

// Link is a thread of a chain, and what it waits for.
type Link struct {
	Thread, State string
	Lock          *format.Lock // nil: nothing
}

// Method is in how many dumps a thread was in a method.
type Method struct {
	Frame format.Frame
	Counts
	Low, High float64 // 95 % interval of the share of time in which it is innermost
}

// Blocked returns who holds up whom: for each holder of a lock the threads that wait for it
// directly, those that hold up most first.
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

// Blocked is a lock that some threads wait for, and the thread that holds it.
type Blocked struct {
	Holder  string
	Lock    format.Lock
	Waiters []string
}

// Summary returns what was collected. Threads are in the order of the dumps, main first.
func (c *DumpsCollector) Summary() *Summary {
	s := &Summary{Process: c.process, Dumps: c.dumps, Others: c.others}
	for _, t := range c.threads {
		s.Threads = append(s.Threads, c.thread(t))
	}
	slices.SortStableFunc(s.Threads, func(a, b Thread) int { return cmp.Compare(notMain(a.Name), notMain(b.Name)) })
	seen := map[format.ThreadKey]bool{}
	for _, circle := range c.cycles {
		if !seen[circle[0].id] {
			s.Deadlocks = append(s.Deadlocks, links(circle))
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

func (c *DumpsCollector) thread(t *dumpsThread) Thread {
	best := t.most()
	r := Thread{Name: t.name, Dumps: t.dumps, State: t.state(), Same: best.dumps, Stack: c.framesOf(best.frames)}
	r.Waits = links(t.waits)
	ids := make([]format.FrameID, 0, len(t.counts))
	for id := range t.counts {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b format.FrameID) int {
		x, y := t.counts[a], t.counts[b]
		return cmp.Or(cmp.Compare(y.Self, x.Self), cmp.Compare(y.Total, x.Total), cmp.Compare(a, b))
	})
	for _, id := range ids {
		m := Method{Frame: c.renamed(id)[0], Counts: *t.counts[id]}
		m.Low, m.High = Share(m.Self, t.dumps)
		r.Methods = append(r.Methods, m)
	}
	return r
}

func (c *DumpsCollector) framesOf(ids []format.FrameID) []format.Frame {
	var list []format.Frame
	for _, id := range ids {
		list = append(list, c.renamed(id)...)
	}
	return list
}

// renamed returns the frames that one of a dump stands for, innermost first.
func (c *DumpsCollector) renamed(id format.FrameID) []format.Frame {
	if c.Rename == nil {
		return []format.Frame{*c.frames.Frame(id)}
	}
	frames := slices.Clone(c.Rename(*c.frames.Frame(id)))
	slices.Reverse(frames)
	return frames
}

func links(list []waiter) []Link {
	chain := make([]Link, len(list))
	for i, w := range list {
		chain[i] = Link{w.name, w.locks.State, w.locks.Waits}
	}
	return chain
}

// Share returns the exact 95 % interval of a share of which k in n were seen (Clopper and
// Pearson, Biometrika 26, 1934). n is above 0.
func Share(k, n int) (low, high float64) {
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
