package jvm

import (
	"bufio"
	"fmt"
	"slices"
	"time"

	"artifice/format/internal/stackdump"
)

// resolution is the unit of HotSpot's elapsed=.
const resolution = 10 * time.Millisecond

// vmThreadID is the tid of the VM's own thread: a number that no kernel assigns.
const vmThreadID = 0x7ffffffe

// encoder writes thread dumps as HotSpot of JDK 17 does. Each dump contains one of the VM's own
// threads, without a stack. It provides the time of dumps after main has ended.
type encoder struct{}

func (encoder) Dump(w *bufio.Writer, m *stackdump.Moment) {
	date := stackdump.Epoch.Add(m.At).Format("2006-01-02 15:04:05")
	fmt.Fprintf(w, "%s\nFull thread dump OpenJDK 64-Bit Server VM (17 mixed mode, emulated):\n\n", date)
	for _, t := range m.Threads {
		thread := m.Symbols.Thread(t.ID)
		cpu := float64(t.CPU) / float64(time.Millisecond)
		fmt.Fprintf(w, "\"%s\" #%d prio=5 os_prio=0 cpu=%.2fms elapsed=%.2fs tid=0x%016x nid=0x%x runnable  [0x0000000000000000]\n   java.lang.Thread.State: RUNNABLE\n",
			stackdump.OneLine(thread.String()), int(t.ID)+1, cpu, m.At.Seconds(), 0x7f0000000000+int64(t.ID), thread.TID)
		for _, id := range slices.Backward(t.Stack) {
			fmt.Fprintf(w, "\tat %s\n", stackdump.JavaFrame(m.Symbols.Method(id)))
		}
		w.WriteByte('\n')
	}
	fmt.Fprintf(w, "\"VM Thread\" os_prio=0 cpu=0.00ms elapsed=%.2fs tid=0x%016x nid=0x%x runnable  \n\n", m.At.Seconds(), int64(0x7effffffffff), vmThreadID)
	w.WriteString("JNI global refs: 0, weak refs: 0\n\n")
}

func (encoder) End(*bufio.Writer) {}

// Encoder implements [stackdump.Printer].
func (hotspot) Encoder(interval, phase time.Duration) (stackdump.Encoder, error) {
	if interval%resolution != 0 || phase%resolution != 0 {
		return nil, fmt.Errorf("dumps every %[1]s from %[2]s: HotSpot prints times in steps of %[3]s; use multiples of %[3]s", interval, phase, resolution)
	}
	return encoder{}, nil
}
