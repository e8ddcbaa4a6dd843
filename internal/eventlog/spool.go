package eventlog

import (
	"bytes"
	"io"
)

// spoolSize is how many bytes a Spool keeps in memory.
const spoolSize = 8 << 20

// Spool keeps bytes until they are wanted: in memory up to 8 MiB, beyond that in
// a temporary file. Events that a file format has encoded wait here when the
// format has something else in front of them.
type Spool struct {
	dir  string
	most int    // bytes in memory
	mem  []byte // those behind the file's
	file *File
	disk int64 // bytes in file

	copies []byte // buffer of CopySection
}

// NewSpool returns an empty Spool with its file in dir; "" is os.TempDir.
func NewSpool(dir string) *Spool { return &Spool{dir: dir, most: spoolSize} }

// Write implements [io.Writer].
func (s *Spool) Write(b []byte) (n int, err error) {
	if len(s.mem)+len(b) > s.most && len(s.mem) > 0 {
		if s.file == nil {
			if s.file, err = CreateFile(s.dir); err != nil {
				return 0, err
			}
		}
		if _, err = s.file.WriteAt(s.mem, s.disk); err != nil {
			return 0, err
		}
		s.disk += int64(len(s.mem))
		s.mem = s.mem[:0]
	}
	s.mem = append(s.mem, b...)
	return len(b), nil
}

// Size returns how many bytes there are.
func (s *Spool) Size() int64 { return s.disk + int64(len(s.mem)) }

// CopySection writes n bytes from off on to w.
func (s *Spool) CopySection(w io.Writer, off, n int64) error {
	if off < s.disk {
		part := min(n, s.disk-off)
		if s.copies == nil {
			s.copies = make([]byte, 64<<10)
		}
		// The section's Reader alone: what else it has would make io.Copy get
		// memory of its own, for each of a million small sections.
		from := struct{ io.Reader }{io.NewSectionReader(s.file, off, part)}
		if _, err := io.CopyBuffer(struct{ io.Writer }{w}, from, s.copies); err != nil {
			return err
		}
		off, n = off+part, n-part
	}
	if n == 0 {
		return nil
	}
	_, err := w.Write(s.mem[off-s.disk:][:n])
	return err
}

// CopyTo writes all bytes to w.
func (s *Spool) CopyTo(w io.Writer) error { return s.CopySection(w, 0, s.Size()) }

// Reader returns a reader of all bytes. Nothing may be written while it is in
// use.
func (s *Spool) Reader() io.Reader {
	if s.disk == 0 {
		return bytes.NewReader(s.mem)
	}
	return io.MultiReader(io.NewSectionReader(s.file, 0, s.disk), bytes.NewReader(s.mem))
}

// Close removes the file. Closing a nil Spool does nothing.
func (s *Spool) Close() error {
	if s == nil {
		return nil
	}
	s.mem = nil
	return s.file.Close()
}
