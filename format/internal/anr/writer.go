package anr

import (
	"bufio"
	"fmt"
	"time"

	"artifice/format/internal/stackdump"
	"artifice/trace"
)

// Encoder implements [stackdump.Printer].
func (codec) Encoder(time.Duration, time.Duration) (stackdump.Encoder, error) { return encoder{}, nil }

// encoder writes dumps as ART does on SIGQUIT, without ART's sections on memory and class loaders.
type encoder struct{}

func (encoder) Dump(w *bufio.Writer, m *stackdump.Moment) {
	date := stackdump.Epoch.Add(m.At).Format("2006-01-02 15:04:05.000000000-0700")
	fmt.Fprintf(w, "\n----- pid %d at %s -----\nCmd line: app\nBuild type: optimized\n\nDALVIK THREADS (%d):\n", m.PID, date, len(m.Threads))
	for _, t := range m.Threads {
		thread := m.Symbols.Thread(t.ID)
		fmt.Fprintf(w, "\"%s\" prio=5 tid=%d Runnable\n", stackdump.OneLine(thread.String()), int(t.ID)+1)
		fmt.Fprintf(w, "  | sysTid=%d nice=0 cgrp=default sched=0/0 handle=0x0\n", thread.TID)
		fmt.Fprintf(w, "  | state=R schedstat=( %d 0 0 ) utm=0 stm=0 core=0 HZ=100\n  | held mutexes=\n", t.CPU)
		writeStack(w, m.Symbols, t.Stack)
		w.WriteByte('\n')
	}
	fmt.Fprintf(w, "----- end %d -----\n", m.PID)
}

func (encoder) End(*bufio.Writer) {}

// maxRepetition is StackDumpVisitor::kMaxRepetition: the maximum number of lines for a repeated
// frame.
const maxRepetition = 3

// writeStack writes the frames, innermost first. For a recursive method ART prints three lines and,
// if another method follows, the number of further frames minus one. For repeated frames at the end
// of the stack ART omits the number. The encoder writes all of them, so that the dump is complete.
func writeStack(w *bufio.Writer, symbols *trace.Symbols, stack []trace.MethodID) {
	outermost := 1
	for outermost < len(stack) && stack[outermost] == stack[0] {
		outermost++
	}
	run := 0
	for i := len(stack) - 1; i >= outermost; i-- {
		if run++; run <= maxRepetition {
			writeFrame(w, symbols.Method(stack[i]))
		}
		if stack[i-1] != stack[i] {
			if run > maxRepetition {
				fmt.Fprintf(w, "  ... repeated %d times\n", run-maxRepetition-1)
			}
			run = 0
		}
	}
	for range outermost {
		writeFrame(w, symbols.Method(stack[0]))
	}
}

func writeFrame(w *bufio.Writer, m *trace.Method) {
	fmt.Fprintf(w, "  at %s", stackdump.OneLine(stackdump.FrameName(m)))
	switch {
	case m.Flags&trace.Native != 0:
		w.WriteString("(Native method)\n")
	case m.File == "":
		fmt.Fprintf(w, "(unavailable:%d)\n", lineOrNone(m.Line))
	default:
		fmt.Fprintf(w, "(%s:%d)\n", stackdump.OneLine(m.File), lineOrNone(m.Line))
	}
}

// lineOrNone returns a line number as ART prints it: -1 if unknown.
func lineOrNone(line int) int {
	if line <= 0 {
		return -1
	}
	return line
}
