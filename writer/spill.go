package writer

import (
	"bufio"
	"bytes"
	"io"

	"artifice/internal/tempfile"
)

// spillSize is how many bytes a spill keeps in memory.
const spillSize = 8 << 20

// spill keeps bytes until they are wanted: in memory up to spillSize, beyond
// that in a temporary file.
type spill struct {
	dir  string
	mem  []byte
	file *tempfile.File
	disk int64 // bytes in file
}

func newSpill(dir string) *spill { return &spill{dir: dir} }

// write appends b.
func (s *spill) write(b []byte) (err error) {
	if len(s.mem)+len(b) > spillSize && len(s.mem) > 0 {
		if s.file == nil {
			if s.file, err = tempfile.Create(s.dir); err != nil {
				return err
			}
		}
		if _, err = s.file.Write(s.mem); err != nil {
			return err
		}
		s.disk += int64(len(s.mem))
		s.mem = s.mem[:0]
	}
	s.mem = append(s.mem, b...)
	return nil
}

// copyTo writes all bytes to w in their order.
func (s *spill) copyTo(w io.Writer) error {
	r, err := s.reader()
	if err == nil {
		_, err = r.WriteTo(w)
	}
	return err
}

// size returns how many bytes there are.
func (s *spill) size() int64 { return s.disk + int64(len(s.mem)) }

// copySection writes n bytes from off on to w.
func (s *spill) copySection(w io.Writer, off, n int64) error {
	if off < s.disk {
		part := min(n, s.disk-off)
		if _, err := io.Copy(w, io.NewSectionReader(s.file, off, part)); err != nil {
			return err
		}
		off, n = off+part, n-part
	}
	_, err := w.Write(s.mem[off-s.disk:][:n])
	return err
}

// reader returns a reader of all bytes in their order. Nothing may be written
// while it is in use.
func (s *spill) reader() (*bufio.Reader, error) {
	if s.file == nil {
		return bufio.NewReaderSize(bytes.NewReader(s.mem), flushSize), nil
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(io.MultiReader(s.file, bytes.NewReader(s.mem)), flushSize), nil
}

func (s *spill) close() error {
	s.mem = nil
	return s.file.Close()
}
