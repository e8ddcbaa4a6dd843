package stackdump

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"artifice/trace"
)

// foldedEncoder writes a line for each run of dumps in which a thread's stack
// stayed the same, with the thread in front as async-profiler has it. Time
// without a frame is a line with the thread alone, so that the samples of a
// thread add up to its time.
type foldedEncoder struct {
	runs    map[trace.ThreadID]*foldedRun
	order   []trace.ThreadID
	symbols *trace.Symbols
	dumps   int64
}

// foldedRun is the run that a thread is in.
type foldedRun struct {
	stack []trace.MethodID
	count int64
	until int64 // dumps that the thread's lines account for
}

func (f *foldedEncoder) dump(w *bufio.Writer, m *moment) {
	f.symbols = m.symbols
	for _, t := range m.threads {
		run := f.runs[t.id]
		if run == nil {
			run = &foldedRun{}
			f.runs[t.id] = run
			f.order = append(f.order, t.id)
		}
		if missed := f.dumps - run.until; missed > 0 { // without a frame
			f.add(w, t.id, run, nil, missed)
		}
		f.add(w, t.id, run, t.stack, 1)
	}
	f.dumps++
}

// add lets a thread have a stack in count more dumps.
func (f *foldedEncoder) add(w *bufio.Writer, id trace.ThreadID, run *foldedRun, stack []trace.MethodID, count int64) {
	if !slices.Equal(run.stack, stack) {
		f.write(w, id, run)
		run.stack = append(run.stack[:0], stack...)
	}
	run.count += count
	run.until += count
}

// write writes the run that a thread was in.
func (f *foldedEncoder) write(w *bufio.Writer, id trace.ThreadID, run *foldedRun) {
	if run.count == 0 {
		return
	}
	thread := f.symbols.Thread(id)
	fmt.Fprintf(w, "[%s tid=%d]", foldedName(thread.String()), thread.TID)
	for _, m := range run.stack {
		w.WriteByte(';')
		w.WriteString(foldedName(frameName(f.symbols.Method(m))))
	}
	fmt.Fprintf(w, " %d\n", run.count)
	run.count = 0
}

func (f *foldedEncoder) end(w *bufio.Writer) {
	for _, id := range f.order {
		run := f.runs[id]
		if missed := f.dumps - run.until; missed > 0 {
			f.add(w, id, run, nil, missed)
		}
		f.write(w, id, run)
	}
}

// foldedName returns a name without the separator of frames.
func foldedName(name string) string { return strings.ReplaceAll(lineOf(name), ";", ":") }
