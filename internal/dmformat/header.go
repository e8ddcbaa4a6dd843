package dmformat

import (
	"encoding/binary"
	"fmt"
)

// Magic is the first word of a header.
const Magic = "SLOW"

// StreamBit is or-ed to the version word of a streaming file.
const StreamBit = 0xF0

// HeaderSize is the length of the header as ART and Dalvik write it.
const HeaderSize = 32

// HeaderSize1 is the length of the header of version 1 as Traceview's manual states it: it ends
// with the start time.
const HeaderSize1 = 16

// Minimum lengths of a header for its fields.
const (
	minHeader           = 16 // up to the start time; some generators write no more
	minHeaderWithRecord = 18 // up to the record size
)

// Header is the binary header in front of the records.
//
//	0  u4 magic
//	4  u2 version; classic files state it in the key section too
//	6  u2 offset of the first record or item, from the magic on
//	8  u8 start time, us: Dalvik wall clock since 1970, ART monotonic clock
//	16 u2 record size, in versions >= 3 and streaming files; else 0
//	18    zeros up to the offset
type Header struct {
	Version    uint16 // without StreamBit
	Streaming  bool
	Start      uint64 // us
	RecordSize int    // bytes; 0 in a file of version 1 or 2
}

// CheckVersion returns an error if the version word of a header is unknown. raw must have at least
// the first 8 bytes of the header.
func CheckVersion(raw []byte) error {
	word := binary.LittleEndian.Uint16(raw[4:])
	if v := word &^ StreamBit; v < 1 || v > 3 || word&StreamBit != 0 && word&StreamBit != StreamBit {
		return fmt.Errorf("unknown trace version %#x (known: 1, 2, 3 and the streaming 0xf2, 0xf3)", word)
	}
	return nil
}

// ParseHeader parses a header. raw must have at least the first 8 bytes, and all bytes that its
// offset field states. See [HeaderLength].
func ParseHeader(raw []byte) (h Header, err error) {
	word := binary.LittleEndian.Uint16(raw[4:])
	h.Version, h.Streaming = word&^StreamBit, word&StreamBit == StreamBit
	if err := CheckVersion(raw); err != nil {
		return h, err
	}
	hasSize := h.Version >= 3 || h.Streaming
	need := minHeader
	if hasSize {
		need = minHeaderWithRecord
	}
	if len(raw) < need {
		return h, fmt.Errorf("header of %d bytes, but version %d needs at least %d", len(raw), h.Version, need)
	}
	h.Start = binary.LittleEndian.Uint64(raw[8:])
	if hasSize {
		h.RecordSize = int(binary.LittleEndian.Uint16(raw[16:]))
	}
	return h, nil
}

// HeaderLength returns the length of the header that begins with the 8 bytes head.
func HeaderLength(head []byte) int { return int(binary.LittleEndian.Uint16(head[6:])) }

// Append appends the header's [HeaderSize] bytes.
func (h Header) Append(b []byte) []byte {
	word := h.Version
	if h.Streaming {
		word |= StreamBit
	}
	n := len(b)
	b = append(b, Magic...)
	b = binary.LittleEndian.AppendUint16(b, word)
	b = binary.LittleEndian.AppendUint16(b, HeaderSize)
	b = binary.LittleEndian.AppendUint64(b, h.Start)
	b = binary.LittleEndian.AppendUint16(b, uint16(h.RecordSize))
	return append(b, make([]byte, n+HeaderSize-len(b))...)
}
