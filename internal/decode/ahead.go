package decode

import "io"

// Ahead reads another reader in a goroutine, a few blocks ahead of its caller: one core
// decompresses while another parses.
type Ahead struct {
	full  chan aheadBlock // in order; it has capacity for all blocks
	free  chan []byte     // to be filled; likewise
	block aheadBlock      // the current block
	rest  []byte          // unread bytes of block
}

// aheadBlock is a block of data and the error that follows it.
type aheadBlock struct {
	bytes []byte
	err   error
}

// Blocks of memory. They are large compared with the cost of handing one over.
const (
	aheadBlocks = 4
	aheadBytes  = 128 << 10
)

// NewAhead begins to read r, which the Ahead owns until Close.
func NewAhead(r io.Reader) *Ahead {
	a := &Ahead{full: make(chan aheadBlock, aheadBlocks), free: make(chan []byte, aheadBlocks)}
	for range aheadBlocks {
		a.free <- make([]byte, aheadBytes)
	}
	go a.fill(r)
	return a
}

// fill reads r until its end, its first error or Close.
func (a *Ahead) fill(r io.Reader) {
	defer close(a.full)
	for b := range a.free {
		n := 0
		var err error
		for n < len(b) && err == nil {
			var more int
			more, err = r.Read(b[n:])
			n += more
		}
		a.full <- aheadBlock{b[:n], err}
		if err != nil {
			return
		}
	}
}

// Read implements [io.Reader]. Errors come at the same position as in the underlying reader.
func (a *Ahead) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.block.err != nil {
			return 0, a.block.err
		}
		if b := a.block.bytes; b != nil {
			a.free <- b[:cap(b)]
		}
		a.block = <-a.full
		a.rest = a.block.bytes
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// Close stops reading after the current call of the underlying reader. It is called once, after
// the last Read.
func (a *Ahead) Close() {
	close(a.free)
	for range a.full {
	}
}
