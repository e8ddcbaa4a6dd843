package dmformat

import (
	"encoding/binary"
	"math/bits"
	"time"
)

// LongRun is the name of the long-running-methods profile of ART 16 and later
// ("low overhead" tracing). It is none of the [Variants]: it holds only the
// calls that lasted long, and has no summary.
//
// The file has no header. It is a sequence of packets as in format V2: blocks of
// entries, then the threads and methods that they use. In a dump to a file the
// last block of each thread comes first, then the blocks that were flushed
// before, in the order of flushing.
//
//	block    u1 2, u4 tid, u3 records, u4 bytes of these
//	record   SLEB128 difference of time|exit, and on an enter
//	         SLEB128 difference of the method id
//
// The time is the raw value of the timestamp counter, its lowest bit 1 on exit
// and 0 on enter; the counter's frequency is not in the file. The enters of the
// frames that were on the stack at the start have one time in ns instead.
//
// Later sources of ART have times of ns<<1 | exit at this place, and no thread
// packets. Nothing in a file tells the two; artifice knows the former.
const LongRun = "art-longrun"

// Facts of the long-running-methods tracer.
const (
	LongRunThreshold = 1 << 22 // ticks: shorter calls are taken back at their exit
	LongRunWords     = 2048    // of a thread's buffer; an enter takes 2, an exit 1
	LongRunKept      = 1024    // words: when a flush would leave more, all are flushed
)

// DefaultCounterHz is the counter's frequency where nothing else is known: that
// of many phones' ARM generic timer. At it the threshold is 170.7 ms.
const DefaultCounterHz = 24_576_000

// AppendLongRunHead appends a block's head.
func AppendLongRunHead(b []byte, tid uint32, records, size int) []byte {
	b = binary.LittleEndian.AppendUint32(append(b, PacketEntries), tid)
	b = append(b, byte(records), byte(records>>8), byte(records>>16))
	return binary.LittleEndian.AppendUint32(b, uint32(size))
}

// TicksToTime converts a counter's value; ok is false when it does not fit.
func TicksToTime(ticks, hz uint64) (t time.Duration, ok bool) {
	hi, lo := bits.Mul64(ticks, uint64(time.Second))
	if hi >= hz {
		return 0, false
	}
	ns, _ := bits.Div64(hi, lo, hz)
	return time.Duration(ns), ns < 1<<63
}

// TimeToTicks returns the first tick that is not before t, the largest number
// where that does not fit. Up to 1 GHz it is the inverse of TicksToTime.
func TimeToTicks(t time.Duration, hz uint64) uint64 {
	hi, lo := bits.Mul64(uint64(t), hz)
	lo, carry := bits.Add64(lo, uint64(time.Second)-1, 0)
	if hi += carry; hi >= uint64(time.Second) {
		return 1<<64 - 1
	}
	ticks, _ := bits.Div64(hi, lo, uint64(time.Second))
	return ticks
}
