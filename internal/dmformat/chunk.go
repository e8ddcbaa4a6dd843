package dmformat

import (
	"encoding/binary"
	"math"
)

// ChunkType is the type of the chunk in which ART and Dalvik send the file of output mode file to
// DDMS when a trace stops (Trace::FinishTracing, DdmPublishChunk).
const ChunkType = "MPSE"

// ChunkHead is the length of a chunk's type and of its length.
const ChunkHead = 8

// IsChunk reports whether head begins with a chunk that contains a trace file. Needed are the first
// ChunkHead+len(SectionVersion) bytes.
func IsChunk(head []byte) bool {
	const whole = ChunkHead + len(SectionVersion)
	return len(head) >= whole && string(head[:4]) == ChunkType && string(head[ChunkHead:whole]) == SectionVersion
}

// ChunkLength returns the number of bytes in a chunk, from its head.
func ChunkLength(head []byte) int64 { return int64(binary.BigEndian.Uint32(head[4:])) }

// AppendChunkHead appends the head of a chunk of n bytes. It returns false if n has more than 32
// bits.
func AppendChunkHead(b []byte, n int64) ([]byte, bool) {
	return binary.BigEndian.AppendUint32(append(b, ChunkType...), uint32(n)), n <= math.MaxUint32
}
