package stackdump

import (
	"bufio"
	"fmt"
	"slices"
	"time"

	"artifice/trace"
)

// jvmResolution is the unit of HotSpot's elapsed=.
const jvmResolution = 10 * time.Millisecond

// vmThreadID is the tid of the VM's own thread: one that no kernel gives.
const vmThreadID = 0x7ffffffe

// jvmEncoder writes thread dumps as HotSpot of JDK 17 does. Of its own threads
// there is one, which has no stack: it tells the time where main has ended.
type jvmEncoder struct{}

func (jvmEncoder) dump(w *bufio.Writer, m *moment) {
	date := dumpEpoch.Add(m.at).Format("2006-01-02 15:04:05")
	fmt.Fprintf(w, "%s\nFull thread dump OpenJDK 64-Bit Server VM (17 mixed mode, emulated):\n\n", date)
	for _, t := range m.threads {
		thread := m.symbols.Thread(t.id)
		cpu := float64(t.cpu) / float64(time.Millisecond)
		fmt.Fprintf(w, "\"%s\" #%d prio=5 os_prio=0 cpu=%.2fms elapsed=%.2fs tid=0x%016x nid=0x%x runnable  [0x0000000000000000]\n   java.lang.Thread.State: RUNNABLE\n",
			lineOf(thread.String()), int(t.id)+1, cpu, m.at.Seconds(), 0x7f0000000000+int64(t.id), thread.TID)
		for _, id := range slices.Backward(t.stack) {
			fmt.Fprintf(w, "\tat %s\n", javaFrame(m.symbols.Method(id)))
		}
		w.WriteByte('\n')
	}
	fmt.Fprintf(w, "\"VM Thread\" os_prio=0 cpu=0.00ms elapsed=%.2fs tid=0x%016x nid=0x%x runnable  \n\n", m.at.Seconds(), int64(0x7effffffffff), vmThreadID)
	w.WriteString("JNI global refs: 0, weak refs: 0\n\n")
}

func (jvmEncoder) end(*bufio.Writer) {}

// javaFrame returns a frame as StackTraceElement writes it.
func javaFrame(m *trace.Method) string {
	name := lineOf(frameName(m))
	switch {
	case m.Flags&trace.Native != 0:
		return name + "(Native Method)"
	case m.File == "":
		return name + "(Unknown Source)"
	case m.Line <= 0:
		return name + "(" + lineOf(m.File) + ")"
	}
	return fmt.Sprintf("%s(%s:%d)", name, lineOf(m.File), m.Line)
}
