package dmformat

import (
	"encoding/binary"
	"math/bits"
	"time"
)

// Names of the generations of ART's long-running-methods profile ("low overhead" tracing). They
// are not [Variants]: a profile contains only calls above a minimum duration, and has no summary.
const (
	LongRun2025 = "art-longrun-2025-02"
	LongRun16   = "art-longrun-16"
)

// LongRun is a generation of that profile.
//
// The file has no header. It is a sequence of packets as in format V2: blocks of entries, then the
// threads and methods that they use. In a dump to a file the last block of each thread comes
// first, then the blocks that were flushed before, in the order of flushing.
//
//	block    u1 2, u4 tid, u3 records, u4 bytes of these
//	record   SLEB128 difference of time|exit, and on an enter
//	         SLEB128 difference of the method id
//
// Sources: runtime/trace_profile.cc (DumpLongRunningMethodBuffer, RecordMethodsOnThreadStack,
// TraceData::DumpData) and trace_profile.h (kLongRunningMethodThreshold).
type LongRun struct {
	Name        string
	Description string

	// Threshold, in ticks of the timestamp counter: shorter calls are removed at their exit.
	Threshold uint64

	// Nanoseconds is true if times are ns<<1 | exit. Otherwise times are raw values of the counter
	// with the exit flag in the lowest bit; the file does not contain the frequency, and the
	// enters of frames on the stack at the start all have one time in ns instead.
	Nanoseconds bool

	// Threads is true if threads have packets with their names. Readers derive a file's generation
	// from these packets.
	Threads bool
}

// LongRuns are all generations, oldest first.
var LongRuns = []LongRun{
	{Name: LongRun2025, Description: "ART's main branch of February 2025: long-running methods (170.7 ms and longer), times in counter ticks, and thread names",
		Threshold: 1 << 22, Threads: true},
	{Name: LongRun16, Description: "ART of Android 16: long-running methods (341.3 ms and longer), with times in ns, without thread names",
		Threshold: 1 << 23, Nanoseconds: true},
}

// LongRunByName returns the generation with the given name, or nil if there is none.
func LongRunByName(name string) *LongRun {
	for i := range LongRuns {
		if LongRuns[i].Name == name {
			return &LongRuns[i]
		}
	}
	return nil
}

// DefaultLongRun is the generation that is emulated by default.
func DefaultLongRun() *LongRun { return LongRunByName(LongRun16) }

// IsLongRun reports whether a format is a generation of the profile.
func IsLongRun(format string) bool { return LongRunByName(format) != nil }

// Constants of the long-running-methods tracer.
const (
	LongRunWords = 2048 // of a thread's buffer; an enter takes 2, an exit 1
	LongRunKept  = 1024 // words: if a flush would leave more, all are flushed

	// LongRunCollected is the number of bytes of flushed blocks that ART 16 collects before its
	// write position becomes wrong (kBufSizeForEncodedData;
	// TraceData::AppendToLongRunningMethods).
	LongRunCollected = LongRunWords * 8 * 10
)

// LongRunSummary is a packet of sources later than both generations: the end of the trace on the
// timestamp counter and on the monotonic clock, u8 each, in ns.
const LongRunSummary = 17

// DefaultCounterHz is the assumed frequency of the counter if it is unknown: the ARM generic timer
// of many phones.
const DefaultCounterHz = 24_576_000

// AppendLongRunHead appends a block's head.
func AppendLongRunHead(b []byte, tid uint32, records, size int) []byte {
	b = binary.LittleEndian.AppendUint32(append(b, PacketEntries), tid)
	b = append(b, byte(records), byte(records>>8), byte(records>>16))
	return binary.LittleEndian.AppendUint32(b, uint32(size))
}

// TicksToTime converts a counter value to a time. ok is false if the time overflows.
func TicksToTime(ticks, hz uint64) (t time.Duration, ok bool) {
	hi, lo := bits.Mul64(ticks, uint64(time.Second))
	if hi >= hz {
		return 0, false
	}
	ns, _ := bits.Div64(hi, lo, hz)
	return time.Duration(ns), ns < 1<<63
}

// TimeToTicks returns the first tick not before t, or the maximum if it overflows. Up to 1 GHz it
// is the inverse of TicksToTime.
func TimeToTicks(t time.Duration, hz uint64) uint64 {
	hi, lo := bits.Mul64(uint64(t), hz)
	lo, carry := bits.Add64(lo, uint64(time.Second)-1, 0)
	if hi += carry; hi >= uint64(time.Second) {
		return 1<<64 - 1
	}
	ticks, _ := bits.Div64(hi, lo, uint64(time.Second))
	return ticks
}
