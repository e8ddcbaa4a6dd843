package writer

import (
	"bufio"
	"fmt"
	"time"

	"artifice/calltree"
	"artifice/trace"
)

// sampleLists are the samples of every thread in their order, for formats that
// have them thread by thread: 32 bytes for each row of equal ones, and the
// distinct stacks once.
//
// A row lasts until the next one of its thread; between two rows that do not touch there is
// one without a frame, which no sample saw.
type sampleLists struct {
	contexts SampledContexts
	threads  [][]sampleRow
	ends     []sampleRow // where the last row of each thread ends
	timed    bool        // a row lasts for some time
}

// sampleRow is a stack that count samples in a row saw.
type sampleRow struct {
	node  calltree.Node
	count int64         // 0: no sample
	at    time.Duration // of the first
	cpu   time.Duration // the thread's then
}

func (l *sampleLists) add(s *trace.Snapshot, symbols *trace.Symbols) error {
	if s.IsEnd() {
		if int(s.Thread) < len(l.ends) {
			l.end(s)
		}
		return nil
	}
	l.timed = l.timed || s.Until > s.Wall
	n, err := l.contexts.Of(s, symbols)
	if err != nil {
		return err
	}
	for int(s.Thread) >= len(l.threads) {
		l.threads, l.ends = append(l.threads, nil), append(l.ends, sampleRow{})
	}
	if rows := l.threads[s.Thread]; len(rows) > 0 && l.ends[s.Thread].at < s.Wall {
		l.threads[s.Thread] = append(rows, l.ends[s.Thread])
	}
	l.ends[s.Thread] = sampleRow{node: l.contexts.AddRoot(0), at: s.Until, cpu: s.CPU}
	l.threads[s.Thread] = append(l.threads[s.Thread], sampleRow{n, s.Count, s.Wall, s.CPU})
	return nil
}

// end takes in that no sample saw a thread since its last row, which has the CPU time until then.
func (l *sampleLists) end(s *trace.Snapshot) {
	end := &l.ends[s.Thread]
	if s.Wall > end.at {
		l.threads[s.Thread] = append(l.threads[s.Thread], *end)
		end.at = s.Wall
	}
	end.cpu = s.CPU
}

// SampledContexts are the contexts of sampled stacks, of whichever thread.
type SampledContexts struct {
	calltree.Contexts
	last []calltree.Node // by thread: the context of its snapshot before
}

// Of returns the context of a stack, and makes it if need be. It fails when symbols lack the
// thread or a method. It looks at those frames only that are not the same as before.
func (c *SampledContexts) Of(s *trace.Snapshot, symbols *trace.Symbols) (calltree.Node, error) {
	if err := checkSnapshot(s, symbols); err != nil {
		return calltree.NoNode, err
	}
	for int(s.Thread) >= len(c.last) {
		c.last = append(c.last, c.AddRoot(0))
	}
	n := c.Reach(c.last[s.Thread], s.Same, s.Stack)
	c.last[s.Thread] = n
	return n, nil
}

// checkSnapshot fails when symbols lack the thread or a method of a sampled stack that the one
// before has not.
func checkSnapshot(s *trace.Snapshot, symbols *trace.Symbols) error {
	if int(s.Thread) >= len(symbols.Threads) {
		return fmt.Errorf("a stack of thread index %d, but there are %d threads", s.Thread, len(symbols.Threads))
	}
	for _, m := range s.Stack[s.Same:] {
		if int(m) >= len(symbols.Methods) {
			return fmt.Errorf("a stack with method index %d, but there are %d methods", m, len(symbols.Methods))
		}
	}
	return nil
}

// has reports whether samples of a thread are known; of a nil l none are.
func (l *sampleLists) has(id trace.ThreadID) bool { return l != nil && len(l.of(id)) > 0 }

// weight returns what row i of a thread weighs: its nanoseconds, or its samples where no
// time passed in any row.
func (l *sampleLists) weight(id trace.ThreadID, i int) int64 {
	rows := l.threads[id]
	switch {
	case !l.timed:
		return rows[i].count
	case i+1 < len(rows):
		return int64(rows[i+1].at - rows[i].at)
	}
	return int64(l.ends[id].at - rows[i].at)
}

// of returns the samples of a thread.
func (l *sampleLists) of(id trace.ThreadID) []sampleRow {
	if int(id) >= len(l.threads) {
		return nil
	}
	return l.threads[id]
}

// frameTable numbers the methods that stacks use from 0 on, in the order of their
// first use; [calltree.NoMethod] stands for no frame.
type frameTable struct {
	symbols *trace.Symbols
	numbers []int32 // by method, 1 more; 0 for one not used
	none    int32   // the same for NoMethod
	used    []trace.MethodID
}

func (t *frameTable) number(m trace.MethodID) int32 {
	at := &t.none
	if m != calltree.NoMethod {
		if int(m) >= len(t.numbers) {
			t.numbers = append(t.numbers, make([]int32, len(t.symbols.Methods)-len(t.numbers))...)
		}
		at = &t.numbers[m]
	}
	if *at == 0 {
		t.used = append(t.used, m)
		*at = int32(len(t.used))
	}
	return *at - 1
}

// method returns what a number stands for.
func (t *frameTable) method(m trace.MethodID) *trace.Method {
	if m == calltree.NoMethod {
		return &trace.Method{Name: Toplevel}
	}
	return t.symbols.Method(m)
}

// write writes the frames as JSON objects with name, file and line.
func (t *frameTable) write(w *bufio.Writer) {
	var text []byte
	separator := ""
	for _, id := range t.used {
		m := t.method(id)
		text = append(text[:0], separator...)
		separator = ","
		text = append(text, "\n{\"name\":"...)
		text = appendJSON(text, m.FullName())
		if m.File != "" {
			text = append(text, `,"file":`...)
			text = appendJSON(text, m.File)
		}
		if m.Line > 0 {
			text = fmt.Appendf(text, `,"line":%d`, m.Line)
		}
		text = append(text, '}')
		w.Write(text)
	}
}
