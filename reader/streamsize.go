package reader

import (
	"encoding/binary"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// recordSize returns the size of the records that follow. ART up to 13 writes
// 14 bytes also for one clock, while its header says 10: the last four are
// junk. Both sizes are tried on the first block.
func (f *File) recordSize(in *input, size int) int {
	const single, dual = 10, 14
	if size != single {
		return size
	}
	b := in.head(bufferSize)
	whole := len(b) < bufferSize
	if walk(b, dual, whole) <= walk(b, single, whole) {
		return size
	}
	f.warnf(trace.WarnRecordSize, "records have %d bytes where the header says %d, as ART up to 13 writes them for one clock; "+
		"written back they have %[2]d", dual, single)
	return dual
}

// How well a size of records fits what a file begins with.
const (
	fitsNot  = iota
	fitsPart // as far as the file goes, which has no summary or ends within an item
	fits
)

// walk tells how well b, or the whole file, is a sequence of items if records
// have that size: each record's thread was announced, codes are known, method
// lines end and a summary begins as such.
func walk(b []byte, size int, whole bool) int {
	known := map[uint16]bool{}
	for len(b) >= 7 {
		tid := binary.LittleEndian.Uint16(b)
		n := size
		if tid == 0 {
			n = itemLength(b)
		}
		switch {
		case tid != 0 && !known[tid], n < 0:
			return fitsNot
		case tid != 0:
		case b[2] == dmformat.ItemThread:
			known[binary.LittleEndian.Uint16(b[3:])] = true
		case b[2] == dmformat.ItemMethod && n <= len(b) && b[n-1] != '\n',
			b[2] == dmformat.ItemSummary && !isPrefix(b[7:], dmformat.SectionVersion):
			return fitsNot
		case b[2] == dmformat.ItemSummary && n == len(b):
			return fits
		}
		if n > len(b) {
			break
		}
		b = b[n:]
	}
	if whole {
		return fitsPart
	}
	return fits
}

// isPrefix reports whether b begins with text, or text with b.
func isPrefix(b []byte, text string) bool {
	n := min(len(b), len(text))
	return string(b[:n]) == text[:n]
}

// itemLength returns the length of the item that b begins with, which is no
// record and of which at least 7 bytes are there; -1 for an unknown code.
func itemLength(b []byte) int {
	switch b[2] {
	case dmformat.ItemMethod:
		return 5 + int(binary.LittleEndian.Uint16(b[3:]))
	case dmformat.ItemThread:
		return 7 + int(binary.LittleEndian.Uint16(b[5:]))
	case dmformat.ItemSummary:
		return 7 + int(binary.LittleEndian.Uint32(b[3:]))
	}
	return -1
}
