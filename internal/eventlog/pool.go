package eventlog

// blockSize is small, so that tens of thousands of threads can have a block each.
const blockSize = 512

// Pool is a free list of blocks, shared by any number of queues. The zero value is empty.
type Pool struct {
	free [][]byte
	size int // bytes of a block; 0: blockSize
	used int // bytes
}

func (p *Pool) get() []byte {
	if p.size == 0 {
		p.size = blockSize
	}
	p.used += p.size
	if n := len(p.free); n > 0 {
		b := p.free[n-1]
		p.free = p.free[:n-1]
		return b
	}
	return make([]byte, 0, p.size)
}

// put returns blocks to the free list, except those that are longer than new ones.
func (p *Pool) put(blocks ...[]byte) {
	for _, b := range blocks {
		p.used -= cap(b)
		if cap(b) <= p.size {
			p.free = append(p.free, b[:0])
		}
	}
}

// shorten reduces the size of new blocks.
func (p *Pool) shorten(size int) {
	if p.size != size {
		p.size, p.free = size, nil
	}
}
