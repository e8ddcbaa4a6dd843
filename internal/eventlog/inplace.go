package eventlog

import "io"

// Output is a file being written that can be read and written again anywhere.
type Output interface {
	io.Writer
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error

	// Rewritable reports whether the methods above but Write work: a pipe has them in
	// vain.
	Rewritable() bool
}

// inPlace is where bytes wait in the output itself, behind room for what comes in
// front of them.
type inPlace struct {
	Output
	at int64 // the room in front
}

func (p *inPlace) ReadAt(b []byte, off int64) (int, error)  { return p.Output.ReadAt(b, p.at+off) }
func (p *inPlace) WriteAt(b []byte, off int64) (int, error) { return p.Output.WriteAt(b, p.at+off) }

// Close implements io.Closer. The output is closed by its owner.
func (p *inPlace) Close() error { return nil }

// moveBlock is how many bytes are moved at a time.
const moveBlock = 1 << 20

// moveTo makes the room in front be that large, by moving the n bytes behind it. They
// were written a moment ago, and where the system has them in memory still, it writes
// them to the disk once.
func (p *inPlace) moveTo(at, n int64) error {
	block := make([]byte, min(moveBlock, n))
	for done := int64(0); done < n && at != p.at; {
		part := block[:min(int64(len(block)), n-done)]
		from := p.at + done
		if at > p.at { // the last first, so that none is written over before it is moved
			from = p.at + n - done - int64(len(part))
		}
		if _, err := p.Output.ReadAt(part, from); err != nil {
			return err
		}
		if _, err := p.Output.WriteAt(part, from+at-p.at); err != nil {
			return err
		}
		done += int64(len(part))
	}
	p.at = at
	return nil
}
