package dmtrace

import "artifice/internal/dmformat"

// MaxRecord bounds an encoded record of any generation: three numbers.
const MaxRecord = 3 * dmformat.MaxLEB128

// RecordCut is the fault of a record whose last bytes are missing.
const RecordCut = "the block's bytes end within it"

// Numbers are those of a record in format V2, of variable length.
type Numbers struct {
	Rest     []byte // of the record
	Shortest bool   // none has more bytes than it needs
	Bad      string // what is wrong with one
}

// Sleb takes out a signed number.
func (r *Numbers) Sleb() uint64 {
	// Most differences fit one byte.
	if len(r.Rest) > 0 && r.Rest[0] < 0x80 {
		c := r.Rest[0]
		r.Rest = r.Rest[1:]
		return uint64(int64(c) << 57 >> 57)
	}
	x, n, short := dmformat.SLEB(r.Rest)
	r.pass(n, short)
	return uint64(x)
}

// Uleb takes out an unsigned number.
func (r *Numbers) Uleb() uint64 {
	if len(r.Rest) > 0 && r.Rest[0] < 0x80 {
		c := r.Rest[0]
		r.Rest = r.Rest[1:]
		return uint64(c)
	}
	x, n, short := dmformat.ULEB(r.Rest)
	r.pass(n, short)
	return x
}

func (r *Numbers) pass(n int, short bool) {
	switch {
	case n == 0:
		r.Bad = RecordCut
	case n < 0:
		r.Bad = "a number does not end after 10 bytes"
	default:
		r.Rest = r.Rest[n:]
	}
	r.Shortest = r.Shortest && short
}
