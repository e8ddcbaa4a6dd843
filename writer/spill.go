package writer

import (
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
		s.mem = s.mem[:0]
	}
	s.mem = append(s.mem, b...)
	return nil
}

// copyTo writes all bytes to w in their order.
func (s *spill) copyTo(w io.Writer) error {
	if s.file != nil {
		if _, err := s.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if _, err := io.Copy(w, s.file); err != nil {
			return err
		}
	}
	_, err := w.Write(s.mem)
	return err
}

func (s *spill) close() error {
	s.mem = nil
	return s.file.Close()
}
