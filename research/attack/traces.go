package main

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"

	"artifice/internal/dmformat"
)

// traceClasses are method traces, besides the damaged ones of validFiles.
var traceClasses = []class{
	plain("dmtrace-deep", ".trace", recording, classicDeep),
	plain("dmtrace-threads", ".trace", recording, classicThreads),
	plain("dmtrace-unlisted", ".trace", recording, classicUnlisted),
	plain("dmtrace-times", ".trace", recording, classicTimes),
	plain("dmtrace-tables", ".trace", recording, classicTables),
	plain("dmtrace-header", ".trace", recording, classicHeader),
	plain("dmtrace-v2-deep", ".trace", recording, v2Deep),
	plain("dmtrace-v2-methods", ".trace", recording, v2Methods),
	plain("dmtrace-v2-counts", ".trace", recording, v2Counts),
	plain("dmtrace-v2-packets", ".trace", recording, v2Packets),
}

// oneMethod is a table of one thread and one method.
const oneMethod = "*threads\n1\tmain\n*methods\n0x10\ta.A\tf\t()V\tA.java\n"

// classicOf returns a classic file with both clocks and records of 14 bytes.
func classicOf(options, tables string, size int, record func(i int) (tid uint16, word, cpu, wall uint32)) []byte {
	b := []byte("*version\n3\n" + options + "clock=dual\nelapsed-time-usec=1000000\nvm=art\n" + tables + "*end\n")
	b = dmformat.Header{Version: 3, RecordSize: 14}.Append(b)
	for i := 0; record != nil && len(b) < size; i++ {
		tid, word, cpu, wall := record(i)
		b = binary.LittleEndian.AppendUint16(b, tid)
		b = binary.LittleEndian.AppendUint32(b, word)
		b = binary.LittleEndian.AppendUint32(b, cpu)
		b = binary.LittleEndian.AppendUint32(b, wall)
	}
	return b
}

// classicDeep has calls that don't end, up to a depth, once or on and on.
func classicDeep(r *rand.Rand, size int) []byte {
	depth := pick(r, 30_000, 65_000, size)
	down := pick(r, 1, 2)
	return classicOf("", oneMethod, size, func(i int) (uint16, uint32, uint32, uint32) {
		exit := uint32(0)
		if i/depth%2 == 1 && down == 1 {
			exit = 1
		}
		return 1, 0x10 | exit, uint32(i), uint32(i)
	})
}

// classicThreads has events of many threads that the table does not list.
func classicThreads(r *rand.Rand, size int) []byte {
	n := pick(r, 1000, 20_000, 65_536)
	return classicOf("", oneMethod, size, func(i int) (uint16, uint32, uint32, uint32) {
		return uint16(i % n), 0x10 | uint32(i/n%2), uint32(i), uint32(i)
	})
}

// classicUnlisted has methods that the table does not list.
func classicUnlisted(r *rand.Rand, size int) []byte {
	step := pick(r, uint32(4), 4096, 1<<20+4)
	return classicOf("", oneMethod, size, func(i int) (uint16, uint32, uint32, uint32) {
		return 1, uint32(i/2)*step&^3 | uint32(i%2), uint32(i), uint32(i)
	})
}

// classicTimes has times that go back, wrap or jump, and actions that don't fit.
func classicTimes(r *rand.Rand, size int) []byte {
	return classicOf("", oneMethod, size, func(i int) (uint16, uint32, uint32, uint32) {
		return uint16(r.IntN(3)), 0x10 | r.Uint32N(4), pick(r, uint32(i), r.Uint32(), uint32(extreme(r))), pick(r, uint32(i), r.Uint32(), uint32(extreme(r)))
	})
}

// classicTables has large, odd or repeated tables.
func classicTables(r *rand.Rand, size int) []byte {
	var b strings.Builder
	b.WriteString("*threads\n1\tmain\n")
	if r.IntN(2) == 0 {
		for i := range size / 20 {
			fmt.Fprintf(&b, "%d\tt%d\n", pick(r, int64(i), extreme(r)), i)
		}
	}
	b.WriteString("*methods\n")
	switch r.IntN(4) {
	case 0:
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, "0x%x\ta.A\tf%d\t()V\tA.java\n", i*4, i)
		}
	case 1:
		b.WriteString(strings.Repeat(pick(r, "\n", "\t", "0x10\ta.A\tf\t()V\tA.java\n", "0x10\n", "*methods\n", "*threads\n", "*end", "\x00", "*\n"), size/4))
	case 2:
		for b.Len() < size {
			fmt.Fprintf(&b, "0x%x\t%s\t%s\t%s\tA.java\t%d\n", uint64(extreme(r)), long(r, r.IntN(70_000)), long(r, 10), long(r, 10), extreme(r))
		}
	case 3:
		fmt.Fprintf(&b, "0x10\t%s\tf\t()V\n", long(r, size))
	}
	return classicOf("", b.String(), b.Len()+1400, func(i int) (uint16, uint32, uint32, uint32) {
		return 1, 0x10 | uint32(i%2), uint32(i), uint32(i)
	})
}

// classicHeader has options and header words at the edges.
func classicHeader(r *rand.Rand, size int) []byte {
	var options strings.Builder
	for range r.IntN(20) {
		key := pick(r, "data-file-overflow", "clock", "elapsed-time-usec", "num-method-calls", "clock-call-overhead-nsec", "vm", "pid", "alloc-count", "x")
		fmt.Fprintf(&options, "%s=%s\n", key, pick(r, "", "true", number(r, r.IntN(1000)), number(r, 1), long(r, r.IntN(size/10+1))))
	}
	b := classicOf(options.String(), oneMethod, size, func(i int) (uint16, uint32, uint32, uint32) {
		return 1, 0x10 | uint32(i%2), uint32(i), uint32(i)
	})
	at := strings.Index(string(b), "*end\n") + len("*end\n")
	for range r.IntN(4) {
		b[at+r.IntN(dmformat.HeaderSize)] = byte(extreme(r))
	}
	return b
}

// v2Of returns a file in format V2 of 2026 with one clock, and its packets between head and
// summary.
func v2Of(packets []byte) []byte {
	b := dmformat.HeaderV2{Clocks: 1, Streaming: true}.Append(nil)
	b, _ = dmformat.AppendThreadPacket(b, 1, "main")
	b, _ = dmformat.AppendMethodPacket(b, 1, "a\tf\t()V\tF\n")
	b = append(b, packets...)
	b, _ = dmformat.AppendSummaryPacket(b, []byte("*version\n4\nclock=wall\nelapsed-time-nsec=1\nvm=art\n*end\n"))
	return b
}

// block appends an entries packet.
func block(b []byte, tid, records uint32, body []byte) []byte {
	b = dmformat.BlockHead{TID: tid, Count: records, Bytes: uint32(len(body))}.Append(b, dmformat.V2of17, 1)
	return append(b, body...)
}

// v2Deep has calls that don't end or go up and down at random, of one method or of different ones.
func v2Deep(r *rand.Rand, size int) []byte {
	var body []byte
	methods, ends := pick(r, int64(0), 1, 1000), r.IntN(2) == 0
	limit := pick(r, 30_000, size)
	records, depth := 0, 0
	for was := int64(0); len(body) < size; records++ {
		if depth > 0 && ends && (depth >= limit || r.IntN(2) == 0) {
			body = dmformat.AppendSLEB(body, 4|1-was)
			was, depth = 1, depth-1
			continue
		}
		body = dmformat.AppendSLEB(body, 4-was)
		body = dmformat.AppendSLEB(body, r.Int64N(methods+1))
		was, depth = 0, depth+1
	}
	return v2Of(block(nil, 1, uint32(records), body))
}

// v2Methods has many method and thread packets, with many or long names, and hardly an event.
func v2Methods(r *rand.Rand, size int) []byte {
	var b []byte
	long65 := long(r, 60_000)
	kind := r.IntN(4)
	for i := 0; len(b) < size; i++ {
		switch kind {
		case 0:
			b, _ = dmformat.AppendMethodPacket(b, uint64(i), "a\tf\t()V\tF\n")
		case 1:
			b, _ = dmformat.AppendMethodPacket(b, uint64(extreme(r)), long65+"\n")
		case 2:
			b, _ = dmformat.AppendThreadPacket(b, uint32(i), "")
		case 3:
			b, _ = dmformat.AppendMethodPacket(b, 1, pick(r, "", "\n", "\t\t\t\t\t\n", "a"))
		}
	}
	return v2Of(b)
}

// v2Counts has blocks with counts and lengths that don't fit their records.
func v2Counts(r *rand.Rand, size int) []byte {
	var b []byte
	for len(b) < size {
		var body []byte
		for range r.IntN(10) {
			body = dmformat.AppendSLEB(body, extreme(r))
		}
		head := dmformat.BlockHead{TID: pick(r, 1, 2, uint32(extreme(r))), Count: pick(r, uint32(len(body)/2), uint32(extreme(r))), Bytes: uint32(len(body))}
		if r.IntN(10) == 0 {
			head.Bytes = uint32(extreme(r))
		}
		generation := pick(r, dmformat.V2of15, dmformat.V2of16, dmformat.V2of17)
		b = append(head.Append(b, generation, 1+r.IntN(2)), body...)
	}
	return v2Of(b)
}

// v2Packets has many tiny blocks of threads, or packets of unknown kinds.
func v2Packets(r *rand.Rand, size int) []byte {
	var b []byte
	kind := r.IntN(3)
	for i := 0; len(b) < size; i++ {
		switch kind {
		case 0:
			b = block(b, uint32(i%70_000), 0, nil)
		case 1:
			b = block(b, uint32(i), 1, []byte{4, 1})
		case 2:
			b = append(b, byte(r.IntN(5)), byte(r.Uint32()))
		}
	}
	return v2Of(b)
}
