package eventlog

import (
	"bytes"
	"io"
	"slices"
)

// spoolSize is how many bytes a Spool keeps in memory.
const spoolSize = 8 << 20

// spoolInPlace is how many it keeps before others wait in the output.
const spoolInPlace = 1 << 20

// spoolBlock is how many bytes are worth a write to the file.
const spoolBlock = 1 << 16

// Spool keeps bytes until they are wanted: in memory up to 8 MiB, beyond that in
// a temporary file; or up to 1 MiB, beyond that in the output (see [Spool.InPlace]). Events that a file
// format has encoded wait here when the format has something else in front of them.
type Spool struct {
	dir  string
	most int    // bytes in memory
	mem  []byte // those behind the file's
	file spoolFile
	disk int64 // bytes in file

	out  Output // nil: a temporary file is made
	room func() int64

	copies []byte // buffer of CopySection
}

// NewSpool returns an empty Spool with its file in dir; "" is os.TempDir.
func NewSpool(dir string) *Spool { return &Spool{dir: dir, most: spoolSize} }

// spoolFile is where bytes are that memory has no room for.
type spoolFile interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
}

// InPlace lets bytes that memory has no room for wait in w, if that is an [Output]
// that is rewritable, and empty so far. There they stand where they belong if room,
// which is asked when the first of them is written, returns how many bytes come in
// front; else CopyBehind moves them. Only CopyBehind writes such bytes to w.
func (s *Spool) InPlace(w io.Writer, room func() int64) {
	if out, ok := w.(Output); ok && out.Rewritable() {
		s.out, s.room, s.most = out, room, spoolInPlace
	}
}

// open makes the file.
func (s *Spool) open() (spoolFile, error) {
	if s.out != nil {
		return &inPlace{s.out, s.room()}, nil
	}
	return CreateFile(s.dir)
}

// Write implements [io.Writer].
func (s *Spool) Write(b []byte) (n int, err error) {
	if len(s.mem)+len(b) > s.most {
		if err := s.spill(); err != nil {
			return 0, err
		}
	}
	if s.file != nil && len(b) >= s.most {
		return len(b), s.append(b)
	}
	if len(s.mem)+len(b) > cap(s.mem) && len(s.mem) > s.most/8 {
		s.mem = slices.Grow(s.mem, s.most-len(s.mem)) // growing step by step copies as much again
	}
	s.mem = append(s.mem, b...)
	return len(b), nil
}

// spill moves what is in memory to the file. From then on memory only gathers what is
// worth a call of the system.
func (s *Spool) spill() (err error) {
	if len(s.mem) == 0 {
		return nil
	}
	if s.file == nil {
		if s.file, err = s.open(); err != nil {
			return err
		}
	}
	err = s.append(s.mem)
	if s.most > spoolBlock {
		s.mem, s.most = nil, spoolBlock
	}
	s.mem = s.mem[:0]
	return err
}

// append writes bytes to the end of the file.
func (s *Spool) append(b []byte) error {
	_, err := s.file.WriteAt(b, s.disk)
	s.disk += int64(len(b))
	return err
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

// CopyBehind writes head and, behind it, all bytes to w.
func (s *Spool) CopyBehind(head []byte, w io.Writer) error {
	file, ok := s.file.(*inPlace)
	if !ok {
		if _, err := w.Write(head); err != nil {
			return err
		}
		return s.CopyTo(w)
	}
	if err := file.moveTo(int64(len(head)), s.disk); err != nil {
		return err
	}
	if _, err := file.WriteAt(s.mem, s.disk); err != nil {
		return err
	}
	if _, err := file.Output.WriteAt(head, 0); err != nil {
		return err
	}
	return file.Truncate(int64(len(head)) + s.Size())
}

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
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
