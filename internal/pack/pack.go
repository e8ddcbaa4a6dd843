// Package pack writes gzip files, compressed on all cores at deflate's fastest level. Traces are read
// more often than they are archived, so speed matters more than size. Package decode decompresses.
package pack

import (
	"bytes"
	"encoding/binary"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"io"
	"runtime"

	"github.com/klauspost/compress/flate"
)

// blockBytes is how much is compressed at a time. Each block is compressed as if nothing
// stood before it, which makes text of traces 2 % larger than in one piece.
const blockBytes = 1 << 18

// mostBlocks bounds the memory, of which a block takes 1 MB: what makes the bytes keeps
// no more than a few cores busy.
const mostBlocks = 8

// Writer compresses what is written to it, in blocks of a fixed size: so the same bytes
// come out however many cores there are. A Writer that is not closed leaves nothing
// behind.
type Writer struct {
	w       io.Writer
	sum     hash.Hash32   // of what was written
	size    uint32        // of what was written, modulo 2^32
	trailer func() []byte // what follows the last block
	filling *block
	packing []*block // in order
	free    []*block
	most    int // blocks that are packed at the same time
	err     error
}

// block is a piece of the stream.
type block struct {
	plain  []byte
	packed bytes.Buffer
	flate  *flate.Writer // to packed
	done   chan struct{} // receives when packed is complete
}

// NewGzip begins a stream as gzip makes it (RFC 1952).
func NewGzip(w io.Writer) *Writer {
	// No name and no time, packed as fast as possible on a system that is not told.
	p := newWriter(w, crc32.NewIEEE(), 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255)
	p.trailer = func() []byte {
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, p.sum.Sum32()), p.size)
	}
	return p
}

// NewZlib begins a stream as zlib makes it (RFC 1950). Its header has the window of
// 32 KiB and the default level, as that of atrace has, by which Perfetto tells an atrace
// file: the level is of no use to who unpacks.
func NewZlib(w io.Writer) *Writer {
	p := newWriter(w, adler32.New(), 0x78, 0x9c)
	p.trailer = func() []byte { return binary.BigEndian.AppendUint32(nil, p.sum.Sum32()) }
	return p
}

func newWriter(w io.Writer, sum hash.Hash32, header ...byte) *Writer {
	p := &Writer{w: w, sum: sum, most: min(runtime.GOMAXPROCS(0)+1, mostBlocks)}
	p.filling = p.empty()
	p.filling.packed.Write(header)
	return p
}

// Write implements [io.Writer]. An error can be that of an earlier Write.
func (p *Writer) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		k := min(len(rest), blockBytes-len(p.filling.plain))
		p.filling.plain = append(p.filling.plain, rest[:k]...)
		rest = rest[k:]
		if len(p.filling.plain) == blockBytes {
			p.pack((*flate.Writer).Flush) // to a whole byte
			p.filling = p.empty()
		}
		if p.err != nil {
			return len(b) - len(rest), p.err
		}
	}
	return len(b), nil
}

// Close completes the stream. It is called once.
func (p *Writer) Close() error {
	p.pack((*flate.Writer).Close)
	for len(p.packing) > 0 {
		p.next()
	}
	p.put(p.trailer())
	return p.err
}

// pack begins to compress the block that was filled. Nothing has to stop it: it writes
// to memory alone.
func (p *Writer) pack(end func(*flate.Writer) error) {
	b := p.filling
	p.sum.Write(b.plain)
	p.size += uint32(len(b.plain))
	p.packing = append(p.packing, b)
	go func() {
		b.flate.Reset(&b.packed)
		b.flate.Write(b.plain) // writing to memory does not fail
		end(b.flate)
		b.done <- struct{}{}
	}()
}

// empty returns a block to fill, after it has waited for one that is packed when there
// are too many.
func (p *Writer) empty() *block {
	if len(p.packing) == p.most {
		p.next()
	}
	if last := len(p.free) - 1; last >= 0 {
		b := p.free[last]
		p.free = p.free[:last]
		return b
	}
	b := &block{plain: make([]byte, 0, blockBytes), done: make(chan struct{}, 1)}
	b.flate, _ = flate.NewWriter(&b.packed, flate.BestSpeed) // which is a level, so there is no error
	return b
}

// next waits for the first of the blocks that are being packed, and writes it.
func (p *Writer) next() {
	b := p.packing[0]
	p.packing = append(p.packing[:0], p.packing[1:]...)
	<-b.done
	p.put(b.packed.Bytes())
	b.plain = b.plain[:0]
	b.packed.Reset()
	p.free = append(p.free, b)
}

// put writes b, unless there was an error before.
func (p *Writer) put(b []byte) {
	if p.err == nil {
		_, p.err = p.w.Write(b)
	}
}
