package artgolden

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// Hash returns the hash of a file in normal form.
func Hash(file []byte, c Cell) (string, error) {
	normal, err := Normalize(file, c)
	sum := sha256.Sum256(normal)
	return hex.EncodeToString(sum[:12]), err
}

// Normalize returns a file without the parts that the runtime does not determine: the order of
// *methods, the boundaries between blocks of a run, and bytes that ART 13 never sets.
func Normalize(file []byte, c Cell) ([]byte, error) {
	switch {
	case c.V2:
		return normalV2(file, c)
	case c.LongRun:
		return sortPackets(file)
	}
	file = sortMethods(file)
	if c.Version == "13" && c.Streaming && c.Clock != trace.Dual {
		return clearUnset(file)
	}
	return file, nil
}

// sortMethods sorts the lines of the table of methods.
func sortMethods(file []byte) []byte {
	from := bytes.LastIndex(file, []byte("*methods\n"))
	if from < 0 {
		return file
	}
	from += len("*methods\n")
	to := bytes.Index(file[from:], []byte("*end\n"))
	if to < 0 {
		return file
	}
	lines := bytes.SplitAfter(file[from:from+to], []byte("\n"))
	slices.SortFunc(lines, bytes.Compare)
	return slices.Concat(file[:from], bytes.Join(lines, nil), file[from+to:])
}

// sortPackets sorts the packets of methods at the end of a profile of long-running methods, which
// are in the order of a hash table of addresses.
func sortPackets(file []byte) ([]byte, error) {
	at, head := 0, dmformat.BlockHeadSize(dmformat.V2of17, 1)
	for at < len(file) && file[at] == dmformat.PacketEntries {
		if len(file)-at < head {
			return nil, io.ErrUnexpectedEOF
		}
		at += head + int(binary.LittleEndian.Uint32(file[at+head-4:]))
	}
	if at > len(file) {
		return nil, io.ErrUnexpectedEOF
	}
	var methods [][]byte
	for rest := file[at:]; len(rest) > 0; {
		if rest[0] != dmformat.PacketMethod || len(rest) < dmformat.MethodHead {
			return nil, fmt.Errorf("offset %d: no packet of a method", len(file)-len(rest))
		}
		n := dmformat.MethodHead + int(binary.LittleEndian.Uint16(rest[dmformat.MethodHead-2:]))
		if n > len(rest) {
			return nil, io.ErrUnexpectedEOF
		}
		methods, rest = append(methods, rest[:n]), rest[n:]
	}
	slices.SortFunc(methods, bytes.Compare)
	return slices.Concat(file[:at], bytes.Join(methods, nil)), nil
}

// clearUnset clears the last four of the 14 bytes that ART up to 13 streams of a
// record with one clock: LogMethodTraceEvent sends its whole stack_buf.
func clearUnset(file []byte) ([]byte, error) {
	const record, unset = 14, 4
	file = slices.Clone(file)
	for at := dmformat.HeaderSize; at < len(file); {
		b := file[at:]
		switch {
		case len(b) < 7:
			return nil, fmt.Errorf("offset %d: %d bytes are left", at, len(b))
		case b[0] != 0 || b[1] != 0:
			if len(b) < record {
				return nil, fmt.Errorf("offset %d: a record of %d bytes", at, len(b))
			}
			clear(b[record-unset : record])
			at += record
		case b[2] == dmformat.ItemMethod:
			at += 5 + int(binary.LittleEndian.Uint16(b[3:]))
		case b[2] == dmformat.ItemThread:
			at += 7 + int(binary.LittleEndian.Uint16(b[5:]))
		case b[2] == dmformat.ItemSummary:
			return file, nil
		default:
			return nil, fmt.Errorf("offset %d: item %d", at, b[2])
		}
	}
	return nil, errors.New("no summary")
}

// blocks reads a file in format V2 packet by packet and joins the records of adjacent blocks of one
// thread.
type blocks struct {
	gen    dmformat.Generation
	fields int      // of a record: method and times
	out    []byte   // the normal form
	tid    uint32   // thread of the previous block
	open   bool     // the previous packet was a block
	bytes  int      // length of the previous block
	last   []uint64 // last record of the previous block
}

// normalV2 returns a file with its blocks joined: a mark, the thread, and the records with all
// numbers unabbreviated. A block without records remains one.
func normalV2(file []byte, c Cell) ([]byte, error) {
	b := &blocks{gen: dmformat.V2of16, fields: 2}
	if c.Version == "15" {
		b.gen = dmformat.V2of15
	}
	if c.Clock == trace.Dual {
		b.fields = 3
	}
	if len(file) < dmformat.HeaderSize {
		return nil, io.ErrUnexpectedEOF
	}
	b.out = append(b.out, file[:dmformat.HeaderSize]...)
	file = methodsFirst(file)
	for at := dmformat.HeaderSize; at < len(file); {
		n, err := b.packet(file[at:])
		if err != nil {
			return nil, fmt.Errorf("offset %d: %w", at, err)
		}
		at += n
	}
	return b.out, nil
}

// methodsFirst moves the packets of threads at the start of a file after the methods that follow.
func methodsFirst(file []byte) []byte {
	leading := func(p []byte, code byte, head int) (n int) {
		for len(p) >= n+head && p[n] == code {
			n += head + int(binary.LittleEndian.Uint16(p[n+head-2:]))
		}
		return min(n, len(p))
	}
	rest := file[dmformat.HeaderSize:]
	threads := leading(rest, dmformat.PacketThread, dmformat.ThreadHead)
	methods := leading(rest[threads:], dmformat.PacketMethod, dmformat.MethodHead)
	return slices.Concat(file[:dmformat.HeaderSize], rest[threads:threads+methods], rest[:threads], rest[threads+methods:])
}

// packet processes the packet at the start of p and returns its length.
func (b *blocks) packet(p []byte) (n int, err error) {
	heads := map[byte]int{dmformat.PacketThread: dmformat.ThreadHead, dmformat.PacketMethod: dmformat.MethodHead, dmformat.PacketSummary: dmformat.SummaryHead}
	if p[0] == dmformat.PacketEntries {
		return b.block(p)
	}
	n, known := heads[p[0]]
	if !known {
		return 0, fmt.Errorf("packet %d", p[0])
	}
	if len(p) >= n {
		n += int(binary.LittleEndian.Uint16(p[n-2:]))
	}
	if len(p) < n {
		return 0, io.ErrUnexpectedEOF
	}
	b.out, b.open = append(b.out, p[:n]...), false
	return n, nil
}

// block processes a block. The lengths in its head are truncated to 16 bits (15: both; 16: the
// count), so records are read until both agree.
func (b *blocks) block(p []byte) (int, error) {
	size := dmformat.BlockHeadSize(b.gen, b.fields-1)
	if len(p) < size {
		return 0, io.ErrUnexpectedEOF
	}
	head := dmformat.ParseBlockHead(p, b.gen, b.fields-1)
	goesOn := b.open && b.tid == head.TID
	empty := b.gen == dmformat.V2of16 && head.Bytes == 0
	if !goesOn || empty {
		b.out = binary.LittleEndian.AppendUint32(append(b.out, dmformat.PacketEntries), head.TID)
	}
	// A run that fills ART's buffer of 3 MiB continues in the next block, and its differences
	// continue, too.
	if split := goesOn && b.bytes >= dmformat.SplitSize-64; !split {
		b.last = make([]uint64, b.fields)
	}
	if b.gen == dmformat.V2of15 {
		b.last[0], b.last[1] = head.First, uint64(head.Wall)
		if b.fields == 3 {
			b.last[2] = uint64(head.CPU)
		}
		b.emit()
	}
	b.tid, b.open = head.TID, !empty
	n, err := b.records(p[size:], head)
	b.bytes = n
	return size + n, err
}

// records processes the records of a block and returns their length.
func (b *blocks) records(p []byte, head dmformat.BlockHead) (at int, err error) {
	for n := 0; ; n++ {
		if b.gen == dmformat.V2of15 && uint16(at) == uint16(head.Bytes) && uint16(n) == uint16(head.Count) ||
			b.gen == dmformat.V2of16 && at == int(head.Bytes) {
			return at, nil
		}
		for f := range b.last {
			d, size := leb128(p[at:], f == 0)
			if size == 0 {
				return at, io.ErrUnexpectedEOF
			}
			b.last[f] += d
			at += size
		}
		b.emit()
	}
}

func (b *blocks) emit() {
	for _, v := range b.last {
		b.out = binary.LittleEndian.AppendUint64(b.out, v)
	}
}

// leb128 returns the number at the start of p and its length, or 0 if it is truncated.
func leb128(p []byte, signed bool) (v uint64, size int) {
	for i, c := range p {
		if i == 10 {
			break
		}
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			if signed && c&0x40 != 0 && i < 9 {
				v |= ^uint64(0) << (7 * (i + 1))
			}
			return v, i + 1
		}
	}
	return 0, 0
}
