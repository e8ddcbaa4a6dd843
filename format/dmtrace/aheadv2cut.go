package dmtrace

import (
	"encoding/binary"

	"artifice/internal/dmformat"
)

// cut appends the next packets to a chunk.
func (v *v2) cut(src *Input, c *Chunk[*blockWorker]) {
	c.Work.ends = c.Work.ends[:0]
	for len(c.Raw) < c.Room {
		b, err := src.Window(dmformat.ThreadHead, "a packet")
		if err != nil {
			return
		}
		if b[0] == dmformat.PacketMethod || b[0] == dmformat.PacketEntries {
			if b, err = src.Window(dmformat.BlockHeadSize(dmformat.V2of15, 2), "a packet"); err != nil {
				return
			}
		}
		head, n := v.packetSize(b)
		records := span{src.Off + int64(head), src.Off + int64(head+n)}
		if b[0] == dmformat.PacketEntries && v.gen == dmformat.V2of15 {
			if records.end, err = blockEnd15(v.f, dmformat.ParseBlockHead(b, v.gen, v.header.Clocks), records.start, v.header.Clocks); err != nil {
				return
			}
			n = int(records.end - records.start)
		}
		if head == 0 || n > maxAheadBlock || records.end > v.f.Base+v.f.Size || len(c.Raw) > 0 && len(c.Raw)+n > maxAheadBlock {
			return
		}
		if b[0] == dmformat.PacketEntries {
			c.Work.ends = append(c.Work.ends, records)
		}
		if !v.pass(src, c, head+n) {
			return
		}
	}
}

// pass appends n bytes to a chunk. When they cannot be read it appends none, and the
// reading ends there.
func (v *v2) pass(src *Input, c *Chunk[*blockWorker], n int) bool {
	whole := len(c.Raw)
	for n > 0 {
		raw, err := src.Window(1, "a packet")
		if err != nil {
			c.Raw, v.in.Broken = c.Raw[:whole], err
			return false
		}
		raw = raw[:min(n, len(raw))]
		c.Raw = append(c.Raw, raw...)
		src.Skip(len(raw))
		n -= len(raw)
	}
	return true
}

// packetSize returns the bytes of the fixed part of the packet that b begins with, and of
// what follows it, which the block of V2of15 does not tell. There has to be the fixed part;
// head is 0 for a summary and for what is no packet.
func (v *v2) packetSize(b []byte) (head, n int) {
	switch b[0] {
	case dmformat.PacketThread:
		return dmformat.ThreadHead, int(binary.LittleEndian.Uint16(b[dmformat.ThreadHead-2:]))
	case dmformat.PacketMethod:
		return dmformat.MethodHead, int(binary.LittleEndian.Uint16(b[dmformat.MethodHead-2:]))
	case dmformat.PacketEntries:
		return dmformat.BlockHeadSize(v.gen, v.header.Clocks), lengthOf(dmformat.ParseBlockHead(b, v.gen, v.header.Clocks).Bytes)
	}
	return 0, 0
}
