package tracers

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"artifice/research/internal/peers/seen"
)

// profilo writes a log with nine decimals: an entry for each frame of a stack, with numbers
// relative to the previous entry, followed by the names of frames and threads.
func profilo(t *seen.Trace) ([]File, *seen.Trace) {
	samples := sampled(t)
	ids := numbers(t)
	var b bytes.Buffer
	b.WriteString("dt\nver|3\nid|AAAAAAAAAAA\nprec|9\npid|10\narch|aarch64\nos|Android9\n\n")
	var last [4]int64 // number, time, thread, c
	entry := func(kind string, id, at, tid, c int64) {
		fmt.Fprintf(&b, "%d|%s|%d|%d|0|0|%d\n", id-last[0], kind, at-last[1], tid-last[2], c-last[3])
		last = [4]int64{id, at, tid, c}
	}
	id := int64(1)
	for _, s := range samples {
		id++ // an entry CPU_SAMPLE of another log: the numbers of stacks are not consecutive
		for _, frame := range s.frames {
			entry("STACK_FRAME", id, int64(boot+s.at), int64(s.thread), int64(ids[frame]))
			id++
		}
	}
	end := last[1]
	named := func(kind string, tid, c int64, key, name string) {
		entry(kind, id, end, tid, c)
		fmt.Fprintf(&b, "%d|STRING_KEY|%d|%s\n%d|STRING_VALUE|%d|%s\n", id+1, id, key, id+2, id+1, name)
		id += 3
	}
	for _, tid := range slices.Sorted(maps.Keys(t.Threads)) {
		named("TRACE_THREAD_NAME", 0, 0, fmt.Sprint(tid), t.Threads[tid])
	}
	for name, number := range ids {
		dot := strings.LastIndex(name, ".")
		named("JAVA_FRAME_NAME", 0, int64(number), "__name", "L"+strings.ReplaceAll(name[:dot], ".", "/")+";"+name[dot+1:])
	}
	held := alone(samples)
	held.Threads = t.Threads
	return []File{{"profilo.log", b.Bytes()}}, held
}

// btrace3 writes the file sampling of btrace 3, version 3: the stacks that threads recorded of
// themselves when they allocated (type 1), with their CPU times; and the names of methods, by
// address, and of threads.
func btrace3(t *seen.Trace) ([]File, *seen.Trace) {
	samples := sampled(t)
	ids := numbers(t)
	le := binary.LittleEndian
	about := `{"processId":4711}`
	b := le.AppendUint32(nil, 0x01020304)
	b = le.AppendUint32(b, 0)
	b = le.AppendUint32(b, 3)
	b = le.AppendUint64(b, uint64(boot/time.Millisecond))
	b = le.AppendUint32(b, uint32(len(samples)))
	b = append(le.AppendUint32(b, uint32(len(about))), about...)
	cpu := make(map[int]time.Duration)
	for _, s := range samples {
		b = le.AppendUint16(b, 1)
		b = le.AppendUint16(b, uint16(s.thread))
		b = le.AppendUint32(b, 0)
		for _, v := range []time.Duration{boot + s.at, 0, cpu[s.thread], 0} {
			b = le.AppendUint64(b, uint64(v))
		}
		cpu[s.thread] += interval / 4
		b = le.AppendUint32(b, uint32(len(s.frames)))
		b = le.AppendUint32(b, uint32(len(s.frames)))
		for _, frame := range slices.Backward(s.frames) {
			b = le.AppendUint64(b, uint64(16*ids[frame]))
		}
	}
	m := le.AppendUint64(nil, 0)
	m = le.AppendUint32(m, 1)
	m = le.AppendUint32(m, uint32(len(ids)))
	for name, id := range ids {
		text := "void " + name + "()"
		m = le.AppendUint64(m, uint64(16*id))
		m = append(le.AppendUint16(m, uint16(len(text))), text...)
	}
	for tid, name := range t.Threads {
		m = append(le.AppendUint16(m, uint16(tid)), byte(len(name)))
		m = append(m, name...)
	}
	held := changed(alone(samples), func(e *seen.Event) { e.Method += "()V" })
	held.CPU, held.Threads = true, t.Threads
	held.Events = withCPU(held.Events, samples, func(i int) time.Duration { return time.Duration(i) * interval / 4 })
	held.Start = boot + samples[0].at
	return []File{{"sampling", b}, {"sampling-mapping", m}}, held
}

// withCPU sets the CPU times of events at the times of samples, or after the last one of their
// thread. A thread's i-th sample has the CPU time cpu(i).
func withCPU(events []seen.Event, samples []sample, cpu func(i int) time.Duration) []seen.Event {
	of := make(map[int]map[time.Duration]int)
	for _, s := range samples {
		if of[s.thread] == nil {
			of[s.thread] = make(map[time.Duration]int)
		}
		of[s.thread][s.at] = len(of[s.thread])
	}
	for i, e := range events {
		nth, sampled := of[e.Thread][e.Wall]
		if !sampled {
			nth = len(of[e.Thread])
		}
		events[i].CPU = cpu(nth)
	}
	return events
}

// simpleperf writes the text of report-sample: each sample is 0.5 ms of its thread's CPU time, the
// count after the event's name.
func simpleperf(t *seen.Trace) ([]File, *seen.Trace) {
	const each = 500 * time.Microsecond
	samples := sampled(t)
	var b bytes.Buffer
	for _, s := range samples {
		fmt.Fprintf(&b, "sample:\n  event_type: cpu-clock:u\n  time: %d\n  event_count: %d\n  thread_id: %d\n  thread_name: %s\n", boot+s.at, each, s.thread, t.Threads[s.thread])
		for i, frame := range slices.Backward(s.frames) {
			indent := "    "
			if i == len(s.frames)-1 {
				indent = "  "
			}
			fmt.Fprintf(&b, "%svaddr_in_file: 10\n%sfile: /data/app/base.odex\n%ssymbol: %s\n", indent, indent, indent, frame)
			if i == len(s.frames)-1 && i > 0 {
				b.WriteString("  callchain:\n")
			}
		}
	}
	held := Running(ofCPU(samples, each), each, jitter)
	held.Threads = t.Threads
	held.Start = boot + samples[0].at
	return []File{{"report.txt", b.Bytes()}}, held
}
