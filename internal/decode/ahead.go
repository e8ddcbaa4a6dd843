package decode

import "io"

// Ahead reads another reader in a goroutine of its own, a few blocks ahead of who reads
// from it: so what is packed is unpacked on one core while another one takes the text
// apart.
type Ahead struct {
	full  chan aheadBlock // in order; it has room for all blocks
	free  chan []byte     // to be filled, likewise
	block aheadBlock      // being read from
	rest  []byte          // of it
}

// aheadBlock is what was read, and the error behind it.
type aheadBlock struct {
	bytes []byte
	err   error
}

// Blocks of memory. They are large beside what it costs to hand one over.
const (
	aheadBlocks = 4
	aheadBytes  = 128 << 10
)

// NewAhead begins to read r, which belongs to the Ahead until that is closed.
func NewAhead(r io.Reader) *Ahead {
	a := &Ahead{full: make(chan aheadBlock, aheadBlocks), free: make(chan []byte, aheadBlocks)}
	for range aheadBlocks {
		a.free <- make([]byte, aheadBytes)
	}
	go a.fill(r)
	return a
}

// fill reads r to its end, its first error or until the Ahead is closed.
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

// Read implements [io.Reader]. An error comes where the other reader had it.
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

// Close ends the reading, after the call of the other reader that is under way. It is
// called once, and nothing is read from the Ahead behind it.
func (a *Ahead) Close() {
	close(a.free)
	for range a.full {
	}
}
