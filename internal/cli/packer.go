package cli

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// packer compresses what is written to it in a goroutine of its own, as fast as gzip
// can: like Go's own profiles, files of this kind are read more often than kept.
type packer struct {
	in     *bufio.Writer
	pipe   *io.PipeWriter
	packed chan error // what became of it, once
	closed bool
}

// packedBlock is how many bytes are handed over at a time. While they are compressed
// the next ones are made; to wake another core takes as long as to compress thousands.
const packedBlock = 1 << 17

func newPacker(w io.Writer) *packer {
	r, pipe := io.Pipe()
	p := &packer{in: bufio.NewWriterSize(pipe, packedBlock), pipe: pipe, packed: make(chan error, 1)}
	go func() {
		gz, _ := gzip.NewWriterLevel(w, gzip.BestSpeed) // which is a level, so there is no error
		_, err := io.CopyBuffer(gz, struct{ io.Reader }{r}, make([]byte, packedBlock))
		if err == nil {
			err = gz.Close()
		}
		r.CloseWithError(err) // the next Write returns it
		p.packed <- err
	}()
	return p
}

// Write implements [io.Writer]. An error can be that of an earlier Write.
func (p *packer) Write(b []byte) (int, error) { return p.in.Write(b) }

// Close completes the stream. It is called once.
func (p *packer) Close() error { return p.end(p.in.Flush()) }

// abort ends the goroutine. After Close it does nothing.
func (p *packer) abort() { p.end(errAborted) }

var errAborted = errors.New("aborted")

// end tells the goroutine that no more comes, because of err if that is not nil, and
// waits for it.
func (p *packer) end(err error) error {
	if p.closed {
		return nil
	}
	p.closed = true
	p.pipe.CloseWithError(err)
	return <-p.packed
}
