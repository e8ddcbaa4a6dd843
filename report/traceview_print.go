package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"artifice/trace"
)

// Print writes the text of "traceview -r". It is called once, after the last event.
func (t *Traceview) Print(out io.Writer) error {
	t.list()
	total := t.finish()
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "totalCpuTime %dus\ntotalRealTime %dus\n", total.cpu, total.wall)
	t.printThreads(w)
	t.printCalls(w)
	t.printMethods(w)
	t.printRecords(w)
	return w.Flush()
}

// finish ends the open calls, adds all up and returns the time of all threads.
func (t *Traceview) finish() (total tvTimes) {
	for _, th := range t.threads {
		for _, c := range th.stack {
			c.exit = th.last
		}
	}
	t.makeUpWall()
	for _, c := range slices.Backward(t.calls) { // callees before callers
		span := c.exit.wall - c.enter.wall
		c.exclusive.wall = max(0, span-c.inclusive.wall)
		c.inclusive.wall = span
		c.finish()
	}
	for _, th := range t.threads {
		if th.called {
			th.root.enter, th.root.exit = th.first, th.last
		}
		th.root.finish()
		total.add(th.root.inclusive)
	}
	return total
}

func (c *tvCall) finish() {
	if c.caller != nil {
		c.caller.inclusive.add(c.inclusive)
	}
	c.method.exclusive.add(c.exclusive)
	if c.recursive {
		c.method.calls[1]++
		return
	}
	c.method.inclusive.add(c.inclusive)
	c.method.calls[0]++
}

// makeUpWall makes up wall times of CPU times, as of threads that take turns.
func (t *Traceview) makeUpWall() {
	now := int64(0)
	for _, a := range t.actions {
		c, th := a.call, a.call.thread
		if a.exit {
			now += c.exit.cpu - th.current
			th.current = c.exit.cpu
			c.exit.wall, th.last.wall = now, now
			continue
		}
		now += c.enter.cpu - th.current
		th.current = c.enter.cpu
		c.enter.wall = now
		if !th.haveWall {
			th.haveWall, th.first.wall = true, now
		}
	}
}

// inOrder returns things in the order in which a Java HashMap with their ids as
// keys lists them, from Java 8 on: by the lower bits of the hash, the ids mixed
// with their upper half, and those with equal bits as they came. (From nine of these
// on Java makes a tree of them, whose order can be another.)
func inOrder[T any](things []T, id func(T) int32) []T {
	buckets := uint32(16)
	for len(things) > int(buckets)*3/4 {
		buckets *= 2
	}
	bucket := func(x T) uint32 {
		h := uint32(id(x))
		return (h ^ h>>16) & (buckets - 1)
	}
	sorted := slices.Clone(things)
	slices.SortStableFunc(sorted, func(a, b T) int { return cmp.Compare(bucket(a), bucket(b)) })
	return sorted
}

func (t *Traceview) inOrder() []*tvThread {
	return inOrder(t.threads, func(th *tvThread) int32 { return th.id })
}

func (t *Traceview) printThreads(w io.Writer) {
	fmt.Fprint(w, "\nThread Times\nid  t-start    t-end  g-start    g-end     name\n")
	for _, th := range t.inOrder() {
		fmt.Fprintf(w, "%2d %8d %8d %8d %8d  %s\n", th.id, th.first.cpu, th.last.cpu, th.first.wall, th.last.wall, th.name)
	}
}

func (t *Traceview) printCalls(w io.Writer) {
	fmt.Fprint(w, "\nCall Times\nid  t-start    t-end  g-start    g-end    excl.    incl.  method\n")
	for _, c := range t.calls {
		fmt.Fprintf(w, "%2d %8d %8d %8d %8d %8d %8d  %s\n", c.thread.id, c.enter.cpu, c.exit.cpu, c.enter.wall, c.exit.wall, c.exclusive.cpu, c.inclusive.cpu, c.method.name)
	}
}

// main is the time that Traceview sorts by.
func (t *Traceview) main(times tvTimes) int64 {
	if t.clock == trace.Wall {
		return times.wall
	}
	return times.cpu
}

func (t *Traceview) printMethods(w io.Writer) {
	fmt.Fprint(w, "\nMethod Stats\nExcl Cpu  Incl Cpu  Excl Real Incl Real    Calls  Method\n")
	methods := inOrder(t.methods, func(m *tvMethod) int32 { return m.id })
	slices.SortStableFunc(methods, func(a, b *tvMethod) int {
		return cmp.Or(cmp.Compare(t.main(b.inclusive), t.main(a.inclusive)), strings.Compare(a.name, b.name))
	})
	for rank, m := range methods {
		if t.main(m.inclusive) == 0 {
			break
		}
		calls := fmt.Sprintf("%d+%d", m.calls[0], m.calls[1])
		fmt.Fprintf(w, "%9d %9d %9d %9d %9s  %d %s\n", m.exclusive.cpu, m.inclusive.cpu, m.exclusive.wall, m.inclusive.wall, calls, rank, m.name)
	}
}

func (t *Traceview) printRecords(w io.Writer) {
	fmt.Fprint(w, "\nTime Records\nid  t-start    t-end  g-start    g-end  method\n")
	print := func(c *tvCall) {
		fmt.Fprintf(w, "%2d %8d %8d %8d %8d  %s\n", c.thread.id, c.enter.cpu, c.exit.cpu, c.enter.wall, c.exit.wall, c.method.name)
	}
	threads := t.inOrder()
	slices.SortStableFunc(threads, func(a, b *tvThread) int {
		return cmp.Or(cmp.Compare(t.main(b.root.inclusive), t.main(a.root.inclusive)), strings.Compare(b.name, a.name))
	})
	for _, th := range threads {
		if th.called && th.id != 0 {
			print(&th.root)
		}
	}
	for _, c := range t.calls {
		print(c)
	}
}
