package folded

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/trace"
)

// Encoder implements [stackdump.Printer].
func (codec) Encoder(time.Duration, time.Duration) (stackdump.Encoder, error) {
	return &encoder{runs: map[trace.ThreadID]*stackRun{}}, nil
}

// encoder writes a line for each run of dumps with the same stack of a thread. The thread precedes
// the frames, as in async-profiler's output. Time without a frame is a line with the thread alone,
// so that the samples of a thread add up to its time.
type encoder struct {
	runs    map[trace.ThreadID]*stackRun
	order   []trace.ThreadID
	symbols *trace.Symbols
	dumps   int64
}

// stackRun is the current run of dumps with the same stack of a thread.
type stackRun struct {
	stack []trace.MethodID
	count int64
	until int64 // number of dumps included in the thread's lines
}

func (f *encoder) Dump(w *bufio.Writer, m *stackdump.Moment) {
	f.symbols = m.Symbols
	for _, t := range m.Threads {
		run := f.runs[t.ID]
		if run == nil {
			run = &stackRun{}
			f.runs[t.ID] = run
			f.order = append(f.order, t.ID)
		}
		if missed := f.dumps - run.until; missed > 0 { // without a frame
			f.add(w, t.ID, run, nil, missed)
		}
		f.add(w, t.ID, run, t.Stack, 1)
	}
	f.dumps++
}

// add adds count dumps with a stack to a thread.
func (f *encoder) add(w *bufio.Writer, id trace.ThreadID, run *stackRun, stack []trace.MethodID, count int64) {
	if !slices.Equal(run.stack, stack) {
		f.write(w, id, run)
		run.stack = append(run.stack[:0], stack...)
	}
	run.count += count
	run.until += count
}

// write writes a thread's completed run.
func (f *encoder) write(w *bufio.Writer, id trace.ThreadID, run *stackRun) {
	if run.count == 0 {
		return
	}
	thread := f.symbols.Thread(id)
	fmt.Fprintf(w, "[%s tid=%d]", nameOf(thread.String()), thread.TID)
	for _, m := range run.stack {
		w.WriteByte(';')
		w.WriteString(nameOf(stackdump.FrameName(f.symbols.Method(m))))
	}
	fmt.Fprintf(w, " %d\n", run.count)
	run.count = 0
}

func (f *encoder) End(w *bufio.Writer) {
	for _, id := range f.order {
		run := f.runs[id]
		if missed := f.dumps - run.until; missed > 0 {
			f.add(w, id, run, nil, missed)
		}
		f.write(w, id, run)
	}
}

// nameOf returns a name without the separator of frames.
func nameOf(name string) string { return strings.ReplaceAll(stackdump.OneLine(name), ";", ":") }
