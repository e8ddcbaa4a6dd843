package tracers

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"maps"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"artifice/research/internal/peers/seen"
)

// message returns a protocol buffer message with the given fields: number and value in turn.
func message(fields ...any) (b []byte) {
	for i := 0; i < len(fields); i += 2 {
		n := protowire.Number(fields[i].(int))
		switch v := fields[i+1].(type) {
		case int:
			b = protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), uint64(v))
		case int64: // also where an int has 32 bits
			b = protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), uint64(v))
		case string:
			b = protowire.AppendString(protowire.AppendTag(b, n, protowire.BytesType), v)
		case []byte:
			b = protowire.AppendBytes(protowire.AppendTag(b, n, protowire.BytesType), v)
		}
	}
	return b
}

// cores is the number of cores of the traced machine.
const cores = 4

// traced writes a trace as Perfetto's service of that name does, by the field numbers in
// protos/perfetto/trace: its user id is in each packet, and packets are compressed. Of three
// threads the first has ftrace marks, in bundles by core and therefore not in time order; the
// second has slices of Chrome's older form, in microseconds of another clock; the third has track
// events in nanoseconds of that clock.
func traced(t *seen.Trace) ([]File, *seen.Trace) {
	const pid, ahead = 4096, 7 * time.Second // BOOTTIME of MONOTONIC
	held := balanced(t)
	var packets [][]byte
	add := func(fields ...any) { packets = append(packets, message(append(fields, 3, 1000)...)) }
	add(10, 1, 6, message(1, message(1, 6, 2, int64(boot)), 1, message(1, 3, 2, int64(boot-ahead))))

	threads := slices.Sorted(maps.Keys(t.Threads))
	var bundles [cores][]byte
	flush := func(core int) {
		if len(bundles[core]) > 0 {
			add(10, 5, 1, append(message(1, core), bundles[core]...))
		}
		bundles[core] = nil
	}
	form := make(map[int]int)
	for i, tid := range threads {
		switch form[tid] = i % 3; form[tid] {
		case 0:
			add(10, 1, 2, message(2, message(1, tid, 2, t.Threads[tid], 3, pid)))
		case 1:
			add(10, 10+tid, 13, 1, 44, message(1, pid, 2, tid, 5, t.Threads[tid], 6, int64((boot-ahead)/time.Microsecond)))
		default:
			add(10, 10+tid, 13, 1, 59, message(58, 3, 11, message(11, tid)), 60, message(1, tid, 4, message(1, pid, 2, tid, 5, t.Threads[tid])))
		}
	}
	last := make(map[int]int64)           // us, of threads of the older form
	names := make(map[int]map[string]int) // interned, of threads of the older form
	for i, e := range held.Events {
		switch at := boot + e.Wall; {
		case form[e.Thread] == 0:
			text := fmt.Sprintf("E|%d\n", pid)
			if e.Enter {
				text = fmt.Sprintf("B|%d|%s\n", pid, e.Method)
			}
			core := int(e.Wall/(100*time.Microsecond)) % cores // a thread is on one core at a time
			bundles[core] = append(bundles[core], message(2, message(1, int64(at), 2, e.Thread, 3, message(1, 1, 2, text)))...)
			if len(bundles[core]) > 500 {
				flush(core)
			}
		case form[e.Thread] == 1:
			us := int64(e.Wall / time.Microsecond)
			event, interned := message(1, us-last[e.Thread], 6, message(2, int('E'))), []byte(nil)
			if e.Enter {
				of := names[e.Thread]
				if of == nil {
					of = make(map[string]int)
					names[e.Thread] = of
				}
				if of[e.Method] == 0 {
					of[e.Method] = len(of) + 1
					interned = message(12, message(2, message(1, of[e.Method], 2, e.Method)))
				}
				event = message(1, us-last[e.Thread], 10, of[e.Method], 6, message(2, int('B')))
			}
			last[e.Thread] = us
			packets = append(packets, append(message(10, 10+e.Thread, 13, 2, 11, event, 3, 1000), interned...))
			held.Events[i].Wall = e.Wall.Truncate(time.Microsecond)
		case e.Enter:
			add(10, 10+e.Thread, 13, 2, 8, int64(at-ahead), 11, message(9, 1, 23, e.Method))
		default:
			add(10, 10+e.Thread, 13, 2, 8, int64(at-ahead), 11, message(9, 2))
		}
	}
	for core := range bundles {
		flush(core)
	}
	held.Start = boot + first(held)
	return []File{{"trace.pftrace", deflated(packets)}}, held
}

// first returns the time of a trace's earliest event.
func first(t *seen.Trace) time.Duration {
	at := t.Events[0].Wall
	for _, e := range t.Events {
		at = min(at, e.Wall)
	}
	return at
}

// deflated returns a file of packets in which every second run of 50 is compressed.
func deflated(packets [][]byte) (file []byte) {
	for i := 0; len(packets) > 0; i++ {
		n := min(len(packets), 50)
		var part []byte
		for _, p := range packets[:n] {
			part = append(part, message(1, p)...)
		}
		if packets = packets[n:]; i%2 == 1 {
			var b bytes.Buffer
			z := zlib.NewWriter(&b)
			z.Write(part)
			z.Close()
			part = message(1, message(50, b.Bytes()))
		}
		file = append(file, part...)
	}
	return file
}
