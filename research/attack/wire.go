package main

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"artifice/internal/protobuf"
)

// wireClasses are protocol buffers of Perfetto, simpleperf and OTLP, besides the damaged ones of
// validFiles.
var wireClasses = []class{
	plain("perfetto-slices", ".perfetto-trace", recording, perfettoSlices),
	plain("perfetto-samples", ".perfetto-trace", recording, perfettoSamples),
	plain("perfetto-interned", ".perfetto-trace", recording, perfettoInterned),
	plain("simpleperf-samples", ".data", recording, simpleperfSamples),
	plain("wire-nested", ".perfetto-trace", recording, wireNested),
	plain("wire-random", ".perfetto-trace", recording, wireRandom),
}

// message returns a message of pairs: a field's number and an integer, a text or a message.
func message(pairs ...any) (m protobuf.Message) {
	for i := 0; i < len(pairs); i += 2 {
		field := pairs[i].(int)
		switch v := pairs[i+1].(type) {
		case int:
			m.Uint(field, uint64(v))
		case int64:
			m.Uint(field, uint64(v))
		case string:
			m.Bytes(field, []byte(v))
		case protobuf.Message:
			m.Bytes(field, v)
		case []byte:
			m.Bytes(field, v)
		}
	}
	return m
}

// packet appends a TracePacket.
func packet(b []byte, fields ...any) []byte {
	m := protobuf.Message(b)
	m.Bytes(1, message(fields...))
	return m
}

// track describes the track 1 of a thread.
func track(b []byte) []byte {
	return packet(b, 10, 1, 60, message(1, 1, 2, "main", 4, message(1, 1, 2, 1, 5, "main")))
}

// perfettoSlices has slices that don't end, on many tracks, or at times at the edges.
func perfettoSlices(r *rand.Rand, size int) []byte {
	b := track(nil)
	tracks, odd := pick(r, int64(1), 1, 1000, 1<<40), r.IntN(3) == 0
	ends := r.IntN(2) == 0
	for i := int64(0); len(b) < size; i++ {
		at, kind := i*1000, 1
		if odd {
			at = extreme(r)
		}
		if ends {
			kind = 1 + r.IntN(4)
		}
		b = packet(b, 8, at, 10, 1, 11, message(9, kind, 11, i%tracks+1, 23, "f"))
	}
	return b
}

// interned are Perfetto's tables of functions, frames and stacks; a stack has many frames.
func interned(r *rand.Rand, depth int) protobuf.Message {
	m := message(5, message(1, 1, 2, "f"), 5, message(1, 2, 2, "g"), 6, message(1, 1, 2, 1), 6, message(1, 2, 2, 2))
	stack := make([]byte, depth)
	for i := range stack {
		stack[i] = byte(1 + r.IntN(2))
	}
	frames := message(1, 1)
	if r.IntN(2) == 0 {
		frames.Bytes(2, stack) // packed
	} else {
		for _, f := range stack {
			frames.Uint(2, uint64(f))
		}
	}
	m.Bytes(7, frames)
	m.Bytes(7, message(1, 2, 2, 1, 2, 2))
	return m
}

// perfettoSamples has many samples of a deep stack.
func perfettoSamples(r *rand.Rand, size int) []byte {
	b := packet(nil, 10, 1, 13, 1, 12, interned(r, size/pick(r, 2, 4, 100)), 8, 1)
	for i := int64(1); len(b) < size; i++ {
		b = packet(b, 8, i*1000, 10, 1, 66, message(1, 0, 2, 1, 3, 1, 4, 1+r.IntN(2)))
	}
	return b
}

// perfettoInterned has tables with many entries, cycles and missing ones.
func perfettoInterned(r *rand.Rand, size int) []byte {
	b := track(nil)
	id := func() int64 { return pick(r, r.Int64N(1000), extreme(r)) }
	for i := int64(0); len(b) < size; i++ {
		table := message(pick(r, 2, 5, 6, 7, 16, 17, 19, 18, 2000, 2002), message(1, id(), 2, id(), 3, id()),
			pick(r, 2, 5, 17), message(1, id(), 2, long(r, r.IntN(100))))
		b = packet(b, 10, 1+r.IntN(2), 13, r.IntN(4), 12, table, 8, i*1000, 66, message(1, 0, 2, 1, 3, 1, 4, id()))
	}
	return b
}

// simpleperfSamples has samples with deep chains, unknown files and symbols, and lengths that don't
// fit.
func simpleperfSamples(r *rand.Rand, size int) []byte {
	b := []byte("SIMPLEPERF\x01\x00")
	record := func(m []byte) {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(m)))
		b = append(b, m...)
	}
	depth := pick(r, 1, 100, size/8)
	for i := int64(0); len(b) < size; i++ {
		sample := message(1, i*1000, 2, 7)
		for range depth {
			sample.Bytes(3, message(1, pick(r, 5, extreme(r)), 2, r.IntN(3), 3, pick(r, int64(0), 1, extreme(r))))
		}
		record(message(1, sample))
	}
	record(message(3, message(1, 1, 2, "x", 3, "f", 3, "g")))
	record(message(4, message(1, 7, 2, 6, 3, "t")))
	end := pick(r, int64(0), extreme(r))
	return binary.LittleEndian.AppendUint32(b, uint32(end))
}

// wireNested has messages in messages.
func wireNested(r *rand.Rand, size int) []byte {
	field := pick(r, 1, 2, 3, 4, 11, 12)
	depth := pick(r, 100, 10_000, size/4)
	lengths := make([]int, depth) // of the inner messages, innermost first
	for i := 1; i < depth && lengths[i-1] < size; i++ {
		lengths[i] = lengths[i-1] + protobuf.SizeVarint(uint64(lengths[i-1])) + 1
	}
	var b []byte
	for _, n := range slices.Backward(lengths) {
		if n > 0 {
			b = protobuf.AppendHead(b, field, n)
		}
	}
	return packet(track(nil), 10, 1, 11, b)
}

// wireRandom has packets of fields at random.
func wireRandom(r *rand.Rand, size int) []byte {
	b := track(nil)
	fields := []int{1, 2, 3, 6, 8, 9, 10, 11, 12, 13, 41, 42, 44, 50, 58, 59, 60, 66, 76, 79, 133, 135}
	for len(b) < size {
		m := message(8, extreme(r), 10, r.IntN(3))
		for range r.IntN(4) {
			inner := message(1+r.IntN(24), extreme(r), 1+r.IntN(24), long(r, r.IntN(20)), 1+r.IntN(24), message(1+r.IntN(10), extreme(r)))
			m.Bytes(pick(r, fields...), inner)
		}
		b = protobuf.AppendHead(b, 1, len(m))
		b = append(b, m...)
	}
	return b
}
