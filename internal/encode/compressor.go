package encode

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

// blockBytes is the size of the blocks that are compressed independently. Independent blocks make
// text of traces 2 % larger.
const blockBytes = 1 << 18

// maxBlocks limits the memory, 1 MB per block: the producer of the data keeps only a few cores
// busy.
const maxBlocks = 8

// Compressor compresses data on all cores at deflate's fastest level: traces are read more often than
// they are archived, so speed matters more than size. Its blocks have a fixed size, so the output does
// not depend on the number of cores. A Compressor that is not closed leaks no goroutine.
type Compressor struct {
	w       io.Writer
	sum     hash.Hash32   // of the data written
	size    uint32        // of the data written, modulo 2^32
	trailer func() []byte // the bytes after the last block
	filling *block
	packing []*block // in order
	free    []*block
	most    int // maximum number of blocks compressed at the same time
	err     error
}

// block is a piece of the stream.
type block struct {
	plain  []byte
	packed bytes.Buffer
	flate  *flate.Writer // to packed
	done   chan struct{} // receives when packed is complete
}

// NewGzip begins a gzip stream (RFC 1952).
func NewGzip(w io.Writer) *Compressor {
	// no name, no modification time; XFL=4 (fastest), OS=255 (unknown)
	p := newCompressor(w, crc32.NewIEEE(), 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255)
	p.trailer = func() []byte {
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, p.sum.Sum32()), p.size)
	}
	return p
}

// NewZlib begins a zlib stream (RFC 1950). Its header states a window of 32 KiB and the default
// level, like that of atrace, because Perfetto detects an atrace file by this header.
// Decompressors ignore the level.
func NewZlib(w io.Writer) *Compressor {
	p := newCompressor(w, adler32.New(), 0x78, 0x9c)
	p.trailer = func() []byte { return binary.BigEndian.AppendUint32(nil, p.sum.Sum32()) }
	return p
}

func newCompressor(w io.Writer, sum hash.Hash32, header ...byte) *Compressor {
	p := &Compressor{w: w, sum: sum, most: min(runtime.GOMAXPROCS(0)+1, maxBlocks)}
	p.filling = p.empty()
	p.filling.packed.Write(header)
	return p
}

// Write implements [io.Writer]. It may return the error of an earlier Write.
func (p *Compressor) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		k := min(len(rest), blockBytes-len(p.filling.plain))
		p.filling.plain = append(p.filling.plain, rest[:k]...)
		rest = rest[k:]
		if len(p.filling.plain) == blockBytes {
			p.pack((*flate.Writer).Flush) // to a byte boundary
			p.filling = p.empty()
		}
		if p.err != nil {
			return len(b) - len(rest), p.err
		}
	}
	return len(b), nil
}

// Close completes the stream. It is called once.
func (p *Compressor) Close() error {
	p.pack((*flate.Writer).Close)
	for len(p.packing) > 0 {
		p.next()
	}
	p.put(p.trailer())
	return p.err
}

// pack begins to compress the filled block. The goroutine needs no cancellation: it writes only to
// memory.
func (p *Compressor) pack(end func(*flate.Writer) error) {
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

// empty returns a block to fill. If there are too many blocks, it first waits for one to be
// compressed.
func (p *Compressor) empty() *block {
	if len(p.packing) == p.most {
		p.next()
	}
	if last := len(p.free) - 1; last >= 0 {
		b := p.free[last]
		p.free = p.free[:last]
		return b
	}
	b := &block{plain: make([]byte, 0, blockBytes), done: make(chan struct{}, 1)}
	b.flate, _ = flate.NewWriter(&b.packed, flate.BestSpeed) // the level is valid, so there is no error
	return b
}

// next waits for the oldest block that is being compressed, and writes it.
func (p *Compressor) next() {
	b := p.packing[0]
	p.packing = append(p.packing[:0], p.packing[1:]...)
	<-b.done
	p.put(b.packed.Bytes())
	b.plain = b.plain[:0]
	b.packed.Reset()
	p.free = append(p.free, b)
}

// put writes b, unless an earlier write failed.
func (p *Compressor) put(b []byte) {
	if p.err == nil {
		_, p.err = p.w.Write(b)
	}
}
