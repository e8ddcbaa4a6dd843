package stackdump

import (
	"bufio"
	"fmt"
	"strings"
	"time"

	"artifice/trace"
)

// dumpEpoch is when the truths of emulated dumps begin.
var dumpEpoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// anrEncoder writes dumps as ART does on SIGQUIT, without what it prints of
// memory and class loaders.
type anrEncoder struct{}

func (anrEncoder) dump(w *bufio.Writer, m *moment) {
	date := dumpEpoch.Add(m.at).Format("2006-01-02 15:04:05.000000000-0700")
	fmt.Fprintf(w, "\n----- pid %d at %s -----\nCmd line: app\nBuild type: optimized\n\nDALVIK THREADS (%d):\n", m.pid, date, len(m.threads))
	for _, t := range m.threads {
		thread := m.symbols.Thread(t.id)
		fmt.Fprintf(w, "\"%s\" prio=5 tid=%d Runnable\n", lineOf(thread.String()), int(t.id)+1)
		fmt.Fprintf(w, "  | sysTid=%d nice=0 cgrp=default sched=0/0 handle=0x0\n", thread.TID)
		fmt.Fprintf(w, "  | state=R schedstat=( %d 0 0 ) utm=0 stm=0 core=0 HZ=100\n  | held mutexes=\n", t.cpu)
		writeANRStack(w, m.symbols, t.stack)
		w.WriteByte('\n')
	}
	fmt.Fprintf(w, "----- end %d -----\n", m.pid)
}

func (anrEncoder) end(*bufio.Writer) {}

// maxRepetition is StackDumpVisitor::kMaxRepetition: how many lines a frame that
// repeats gets.
const maxRepetition = 3

// writeANRStack writes the frames, innermost first. Of a method that called
// itself ART prints three lines and, when another method follows, how many more
// there were, less one. Of those that end the stack it does not say how many:
// here they are all written, so that the dump is whole.
func writeANRStack(w *bufio.Writer, symbols *trace.Symbols, stack []trace.MethodID) {
	outermost := 1
	for outermost < len(stack) && stack[outermost] == stack[0] {
		outermost++
	}
	run := 0
	for i := len(stack) - 1; i >= outermost; i-- {
		if run++; run <= maxRepetition {
			writeANRFrame(w, symbols.Method(stack[i]))
		}
		if stack[i-1] != stack[i] {
			if run > maxRepetition {
				fmt.Fprintf(w, "  ... repeated %d times\n", run-maxRepetition-1)
			}
			run = 0
		}
	}
	for range outermost {
		writeANRFrame(w, symbols.Method(stack[0]))
	}
}

func writeANRFrame(w *bufio.Writer, m *trace.Method) {
	fmt.Fprintf(w, "  at %s", lineOf(frameName(m)))
	switch {
	case m.Flags&trace.Native != 0:
		w.WriteString("(Native method)\n")
	case m.File == "":
		fmt.Fprintf(w, "(unavailable:%d)\n", lineOrNone(m.Line))
	default:
		fmt.Fprintf(w, "(%s:%d)\n", lineOf(m.File), lineOrNone(m.Line))
	}
}

// lineOrNone returns a line as ART prints it: -1 when unknown.
func lineOrNone(line int) int {
	if line <= 0 {
		return -1
	}
	return line
}

// frameName returns class.method with dots in the class.
func frameName(m *trace.Method) string {
	if m.Unlisted || m.Class == "" || m.Name == "" || strings.Contains(m.Class, ".") {
		return m.FullName()
	}
	return m.DottedClass() + "." + m.Name
}

// lineOf returns a name that stays on its line.
func lineOf(name string) string { return validText([]byte(name)) }
