package dmformat

import (
	"encoding/binary"
	"fmt"
	"math"

	"artifice/trace"
)

// Generation is one of the three layouts of ART's format V2. They share version words, so a reader
// must try each.
type Generation int

const (
	V2of15 Generation = 15 // Android 15: us, first record in the block's head, lengths of 16 bits
	V2of16 Generation = 16 // Android 16: ns
	V2of17 Generation = 17 // ART of 2026: timestamp counter, exits without a method
)

// Version words of format V2; streaming files have [StreamBit] too.
const (
	versionV2Single = 4
	versionV2Dual   = 5
)

// Codes of the packets of format V2.
const (
	PacketThread  = 0 // u4 kernel tid, u2 length, name; before the thread's first entries
	PacketMethod  = 1 // u8 method id (an address), u2 length, "class<TAB>name<TAB>signature<TAB>file\n"
	PacketEntries = 2 // see Generation
	PacketSummary = 3 // u2 length, key section without tables; ends the file
)

// Lengths of the packets' fixed parts, code included.
const (
	ThreadHead  = 1 + 4 + 2
	MethodHead  = 1 + 8 + 2
	SummaryHead = 1 + 2
)

// MinMethodV2 is the lowest method id to write: ids are addresses.
const MinMethodV2 = 8

// Limits of the blocks of entries that artifice writes. In V2of15 the packet has 16 bits for each
// number (ART truncates larger ones); V2of16 and V2of17 have 24 and 32 bits, but ART's V2of16 uses
// only 16 bits of the count.
const (
	MaxBlockRecords = math.MaxUint16
	MaxBlockBytes   = math.MaxUint16
)

// SplitSize is the size of the buffer from which ART of Android 16 writes a streamed block. A
// longer run is split: the second block follows immediately, its differences continue from the
// last values of the first, and its count includes that of the first.
const SplitSize = 3 << 20

// MaxRecordV2 returns the space that ART reserves for one record in such a buffer.
func MaxRecordV2(c trace.Clock) int {
	if c == trace.Dual {
		return 30
	}
	return 20
}

// HeaderV2 is the header of a file in format V2, [HeaderSize] bytes.
//
//	0  u4 magic
//	4  u2 version 4 or 5, | StreamBit
//	6  u8 start time on the monotonic clock: us in V2of15, else ns
//	14 u8 timestamp counter then, V2of17 only
//	22 u8 frequency of that counter in Hz, V2of17 only; 0: wall times are ns
//	30    zeros
type HeaderV2 struct {
	Clocks    int // 1 or 2
	Streaming bool
	Start     uint64
	Counter   uint64
	Frequency uint64
}

// IsV2 reports whether a version word is one of format V2.
func IsV2(word uint16) bool {
	v := word &^ StreamBit
	return (v == versionV2Single || v == versionV2Dual) && (word&StreamBit == 0 || word&StreamBit == StreamBit)
}

// ParseHeaderV2 parses the first HeaderSize bytes of a file with a version word of format V2.
func ParseHeaderV2(b []byte) HeaderV2 {
	word := binary.LittleEndian.Uint16(b[4:])
	return HeaderV2{
		Clocks:    int(word&^StreamBit) - versionV2Single + 1,
		Streaming: word&StreamBit != 0,
		Start:     binary.LittleEndian.Uint64(b[6:]),
		Counter:   binary.LittleEndian.Uint64(b[14:]),
		Frequency: binary.LittleEndian.Uint64(b[22:]),
	}
}

// Version returns the version word without StreamBit, as in the summary.
func (h HeaderV2) Version() uint16 { return uint16(versionV2Single + h.Clocks - 1) }

// Append appends the header.
func (h HeaderV2) Append(b []byte) []byte {
	word := h.Version()
	if h.Streaming {
		word |= StreamBit
	}
	b = append(b, Magic...)
	b = binary.LittleEndian.AppendUint16(b, word)
	b = binary.LittleEndian.AppendUint64(b, h.Start)
	b = binary.LittleEndian.AppendUint64(b, h.Counter)
	b = binary.LittleEndian.AppendUint64(b, h.Frequency)
	return append(b, 0, 0)
}

// AppendThreadPacket appends a thread packet.
func AppendThreadPacket(b []byte, tid uint32, name string) ([]byte, error) {
	if len(name) > math.MaxUint16 {
		return b, fmt.Errorf("name of thread %d has %d bytes; format V2 allows at most 65535", tid, len(name))
	}
	b = binary.LittleEndian.AppendUint32(append(b, PacketThread), tid)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(name)))
	return append(b, name...), nil
}

// AppendMethodPacket appends a method packet. line includes its line end.
func AppendMethodPacket(b []byte, id uint64, line string) ([]byte, error) {
	if len(line) > math.MaxUint16 {
		return b, fmt.Errorf("line of method %#x has %d bytes; format V2 allows at most 65535: %.60q…", id, len(line), line)
	}
	b = binary.LittleEndian.AppendUint64(append(b, PacketMethod), id)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(line)))
	return append(b, line...), nil
}

// AppendSummaryPacket appends a summary packet.
func AppendSummaryPacket(b []byte, text []byte) ([]byte, error) {
	if len(text) > math.MaxUint16 {
		return b, fmt.Errorf("the summary has %d bytes; format V2 allows at most 65535", len(text))
	}
	b = binary.LittleEndian.AppendUint16(append(b, PacketSummary), uint16(len(text)))
	return append(b, text...), nil
}

// BlockHead is the fixed part of an entries packet.
//
//	V2of15      u1 2, u4 tid, u8 first id|action, [both clocks: u4 first CPU us],
//	            u4 first wall us, u2 records after the first, u2 bytes of these
//	V2of16, 17  u1 2, u4 tid, u3 records, u4 bytes of these
//
// The records of V2of15 and V2of16 are: SLEB128 difference of id|action, ULEB128 difference of
// wall time, [both clocks: ULEB128 difference of CPU time]. Those of V2of17: SLEB128 difference of
// wall time<<2|action, [both clocks: SLEB128 difference of CPU time], and only on an enter SLEB128
// difference of the method id. An exit closes the innermost call of its thread, regardless of the
// block that opened it. A single clock, also thread CPU, is stored in the place of the wall clock.
// Differences are relative to the previous record, initially to 0 (V2of15: to the head).
type BlockHead struct {
	TID       uint32
	Count     uint32 // as stated in the packet; in V2of15 without the first record
	Bytes     uint32 // of the records after the head
	First     uint64 // V2of15: first id|action
	CPU, Wall uint32 // V2of15: first times, us
}

// BlockHeadSize returns the length of an entries packet's head, code included.
func BlockHeadSize(g Generation, clocks int) int {
	if g == V2of15 {
		return 1 + 4 + 8 + 4*clocks + 2 + 2
	}
	return 1 + 4 + 3 + 4
}

// ParseBlockHead parses a head of BlockHeadSize bytes.
func ParseBlockHead(b []byte, g Generation, clocks int) BlockHead {
	h := BlockHead{TID: binary.LittleEndian.Uint32(b[1:])}
	if g != V2of15 {
		h.Count = uint32(b[5]) | uint32(b[6])<<8 | uint32(b[7])<<16
		h.Bytes = binary.LittleEndian.Uint32(b[8:])
		return h
	}
	h.First = binary.LittleEndian.Uint64(b[5:])
	b = b[13:]
	if clocks == 2 {
		h.CPU = binary.LittleEndian.Uint32(b)
		b = b[4:]
	}
	h.Wall = binary.LittleEndian.Uint32(b)
	h.Count = uint32(binary.LittleEndian.Uint16(b[4:]))
	h.Bytes = uint32(binary.LittleEndian.Uint16(b[6:]))
	return h
}

// Append appends the head; numbers are truncated to their fields.
func (h BlockHead) Append(b []byte, g Generation, clocks int) []byte {
	b = binary.LittleEndian.AppendUint32(append(b, PacketEntries), h.TID)
	if g != V2of15 {
		b = append(b, byte(h.Count), byte(h.Count>>8), byte(h.Count>>16))
		return binary.LittleEndian.AppendUint32(b, h.Bytes)
	}
	b = binary.LittleEndian.AppendUint64(b, h.First)
	if clocks == 2 {
		b = binary.LittleEndian.AppendUint32(b, h.CPU)
	}
	b = binary.LittleEndian.AppendUint32(b, h.Wall)
	b = binary.LittleEndian.AppendUint16(b, uint16(h.Count))
	return binary.LittleEndian.AppendUint16(b, uint16(h.Bytes))
}
