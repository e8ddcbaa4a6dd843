package encode

import (
	"bufio"
	"fmt"
	"time"

	"artifice/trace"
	"artifice/trace/calltree"
)

// SampleLists are the samples of every thread in order, for formats that store them by thread: 32
// bytes for each row of equal samples, and the distinct stacks once.
//
// A row lasts until the next one of its thread. A gap between two rows is filled by a row without
// a frame, which has no samples.
type SampleLists struct {
	Contexts SampledContexts
	threads  [][]sampleRow
	Ends     []sampleRow // end of the last row of each thread
	Timed    bool        // some row has a duration
	OfCPU    bool        // samples represent CPU time; samples without CPU time are waits
}

// sampleRow is a number of consecutive samples with the same stack.
type sampleRow struct {
	Node  calltree.Node
	count int64         // 0: no samples
	At    time.Duration // of the first sample
	CPU   time.Duration // of the thread at At
}

func (l *SampleLists) Add(s *trace.Snapshot, symbols *trace.Symbols) error {
	if s.IsEnd() {
		if int(s.Thread) < len(l.Ends) {
			l.end(s)
		}
		return nil
	}
	l.Timed = l.Timed || s.Until > s.Wall
	n, err := l.Contexts.Of(s, symbols)
	if err != nil {
		return err
	}
	for int(s.Thread) >= len(l.threads) {
		l.threads, l.Ends = append(l.threads, nil), append(l.Ends, sampleRow{})
	}
	if rows := l.threads[s.Thread]; len(rows) > 0 && l.Ends[s.Thread].At < s.Wall {
		l.threads[s.Thread] = append(rows, l.Ends[s.Thread])
	}
	l.Ends[s.Thread] = sampleRow{Node: l.Contexts.AddRoot(0), At: s.Until, CPU: s.CPU}
	l.threads[s.Thread] = append(l.threads[s.Thread], sampleRow{n, s.Count, s.Wall, s.CPU})
	return nil
}

// end records that a thread has no samples since the end of its last row. The row that fills the
// gap has the CPU time up to s.
func (l *SampleLists) end(s *trace.Snapshot) {
	end := &l.Ends[s.Thread]
	if s.Wall > end.At {
		l.threads[s.Thread] = append(l.threads[s.Thread], *end)
		end.At = s.Wall
	}
	end.CPU = s.CPU
}

// SampledContexts are the calling contexts of the sampled stacks of all threads.
type SampledContexts struct {
	calltree.Contexts
	last []calltree.Node // by thread: the context of its previous snapshot
}

// Of returns the context of a stack and creates it if necessary. It fails if symbols lack the
// thread or a method. It looks only at frames that differ from the previous stack.
func (c *SampledContexts) Of(s *trace.Snapshot, symbols *trace.Symbols) (calltree.Node, error) {
	if err := CheckSnapshot(s, symbols); err != nil {
		return calltree.NoNode, err
	}
	for int(s.Thread) >= len(c.last) {
		c.last = append(c.last, c.AddRoot(0))
	}
	n := c.Reach(c.last[s.Thread], s.Same, s.Stack)
	c.last[s.Thread] = n
	return n, nil
}

// CheckSnapshot fails if symbols lack the thread, or a method that the previous stack does not
// have.
func CheckSnapshot(s *trace.Snapshot, symbols *trace.Symbols) error {
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

// Has reports whether a thread has samples; a nil l has none.
func (l *SampleLists) Has(id trace.ThreadID) bool { return l != nil && len(l.Of(id)) > 0 }

// Weight returns the weight of row i of a thread: its nanoseconds, or its number of samples if no
// row has a duration. Samples of CPU time weigh the CPU time, whatever the wall time until the next
// sample.
func (l *SampleLists) Weight(id trace.ThreadID, i int) int64 {
	rows, next := l.threads[id], l.Ends[id]
	if i+1 < len(rows) {
		next = rows[i+1]
	}
	switch cpu := next.CPU - rows[i].CPU; {
	case !l.Timed:
		return rows[i].count
	case l.OfCPU && cpu > 0:
		return int64(cpu)
	}
	return int64(next.At - rows[i].At)
}

// IsGap reports whether a row has no samples because its thread did not run.
func (l *SampleLists) IsGap(row *sampleRow) bool { return l.OfCPU && row.count == 0 }

// Of returns the samples of a thread.
func (l *SampleLists) Of(id trace.ThreadID) []sampleRow {
	if int(id) >= len(l.threads) {
		return nil
	}
	return l.threads[id]
}

// FrameTable numbers the methods of stacks from 0 on, in the order of their first use;
// [calltree.NoMethod] means no frame.
type FrameTable struct {
	Symbols *trace.Symbols
	numbers []int32 // by method: its number plus 1; 0: not used
	none    int32   // the same for NoMethod
	Used    []trace.MethodID
}

func (t *FrameTable) Number(m trace.MethodID) int32 {
	at := &t.none
	if m != calltree.NoMethod {
		if int(m) >= len(t.numbers) {
			t.numbers = append(t.numbers, make([]int32, len(t.Symbols.Methods)-len(t.numbers))...)
		}
		at = &t.numbers[m]
	}
	if *at == 0 {
		t.Used = append(t.Used, m)
		*at = int32(len(t.Used))
	}
	return *at - 1
}

// Method returns the method of a number.
func (t *FrameTable) Method(m trace.MethodID) *trace.Method {
	if m == calltree.NoMethod {
		return &trace.Method{Name: Toplevel}
	}
	return t.Symbols.Method(m)
}

// Write writes the frames as JSON objects with name, file and line.
func (t *FrameTable) Write(w *bufio.Writer) {
	var text []byte
	separator := ""
	for _, id := range t.Used {
		m := t.Method(id)
		text = append(text[:0], separator...)
		separator = ","
		text = append(text, "\n{\"name\":"...)
		text = AppendJSON(text, m.FullName())
		if m.File != "" {
			text = append(text, `,"file":`...)
			text = AppendJSON(text, m.File)
		}
		if m.Line > 0 {
			text = fmt.Appendf(text, `,"line":%d`, m.Line)
		}
		text = append(text, '}')
		w.Write(text)
	}
}
