package eventlog

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
)

// bufferSize is how many bytes a DiskBuffer keeps in memory.
const bufferSize = 8 << 20

// inPlaceSize is how many it keeps before others wait in the output.
const inPlaceSize = 1 << 20

// writeSize is how many bytes are worth a write to the file.
const writeSize = 1 << 16

// DiskBuffer keeps bytes until they are wanted: in memory up to 8 MiB, beyond that in
// a temporary file; or up to 1 MiB, beyond that in the output (see [DiskBuffer.InPlace]). Events that a file
// format has encoded wait here when the format has something else in front of them.
type DiskBuffer struct {
	dir  string
	most int    // bytes in memory
	mem  []byte // those behind the file's
	file bufferFile
	disk int64 // bytes in file

	out  Output // nil: a temporary file is made
	room func() int64

	copies []byte // buffer of CopySection
}

// NewDiskBuffer returns an empty DiskBuffer with its file in dir; "" is os.TempDir.
func NewDiskBuffer(dir string) *DiskBuffer { return &DiskBuffer{dir: dir, most: bufferSize} }

// bufferFile is where bytes are that memory has no room for.
type bufferFile interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
}

// InPlace lets bytes that memory has no room for wait in w, if that is an [Output]
// that is rewritable, and empty so far. There they stand where they belong if room,
// which is asked when the first of them is written, returns how many bytes come in
// front; else CopyBehind moves them. Only CopyBehind writes such bytes to w.
func (d *DiskBuffer) InPlace(w io.Writer, room func() int64) {
	if out, ok := w.(Output); ok && out.Rewritable() {
		d.out, d.room, d.most = out, room, inPlaceSize
	}
}

// open makes the file.
func (d *DiskBuffer) open() (bufferFile, error) {
	if d.out != nil {
		return &inPlace{d.out, d.room()}, nil
	}
	return CreateFile(d.dir)
}

// Write implements [io.Writer].
func (d *DiskBuffer) Write(b []byte) (n int, err error) {
	if len(d.mem)+len(b) > d.most {
		if err := d.spill(); err != nil {
			return 0, err
		}
	}
	if d.file != nil && len(b) >= d.most {
		return len(b), d.append(b)
	}
	if len(d.mem)+len(b) > cap(d.mem) && len(d.mem) > d.most/8 {
		d.mem = slices.Grow(d.mem, d.most-len(d.mem)) // growing step by step copies as much again
	}
	d.mem = append(d.mem, b...)
	return len(b), nil
}

// spill moves what is in memory to the file. From then on memory only gathers what is
// worth a call of the system.
func (d *DiskBuffer) spill() (err error) {
	if len(d.mem) == 0 {
		return nil
	}
	if d.file == nil {
		if d.file, err = d.open(); err != nil {
			return err
		}
	}
	err = d.append(d.mem)
	if d.most > writeSize {
		d.mem, d.most = nil, writeSize
	}
	d.mem = d.mem[:0]
	return err
}

// append writes bytes to the end of the file.
func (d *DiskBuffer) append(b []byte) error {
	_, err := d.file.WriteAt(b, d.disk)
	d.disk += int64(len(b))
	return err
}

// Size returns how many bytes there are.
func (d *DiskBuffer) Size() int64 { return d.disk + int64(len(d.mem)) }

// CopySection writes n bytes from off on to w.
func (d *DiskBuffer) CopySection(w io.Writer, off, n int64) error {
	if off < d.disk {
		part := min(n, d.disk-off)
		if d.copies == nil {
			d.copies = make([]byte, 64<<10)
		}
		// The section's Reader alone: what else it has would make io.Copy get
		// memory of its own, for each of a million small sections.
		from := struct{ io.Reader }{io.NewSectionReader(d.file, off, part)}
		if _, err := io.CopyBuffer(struct{ io.Writer }{w}, from, d.copies); err != nil {
			return err
		}
		off, n = off+part, n-part
	}
	if n == 0 {
		return nil
	}
	_, err := w.Write(d.mem[off-d.disk:][:n])
	return err
}

// CopyTo writes all bytes to w.
func (d *DiskBuffer) CopyTo(w io.Writer) error { return d.CopySection(w, 0, d.Size()) }

// CopyBehind writes head and, behind it, all bytes to w.
func (d *DiskBuffer) CopyBehind(head []byte, w io.Writer) error {
	file, ok := d.file.(*inPlace)
	if !ok {
		if _, err := w.Write(head); err != nil {
			return err
		}
		return d.CopyTo(w)
	}
	if err := file.moveTo(int64(len(head)), d.disk); err != nil {
		return err
	}
	if _, err := file.WriteAt(d.mem, d.disk); err != nil {
		return err
	}
	if _, err := file.Output.WriteAt(head, 0); err != nil {
		return err
	}
	return file.Truncate(int64(len(head)) + d.Size())
}

// Reader returns a reader of all bytes. Nothing may be written while it is in
// use.
func (d *DiskBuffer) Reader() io.Reader {
	if d.disk == 0 {
		return bytes.NewReader(d.mem)
	}
	return io.MultiReader(io.NewSectionReader(d.file, 0, d.disk), bytes.NewReader(d.mem))
}

// Close removes the file. Closing a nil DiskBuffer does nothing.
func (d *DiskBuffer) Close() error {
	if d == nil {
		return nil
	}
	d.mem = nil
	if d.file == nil {
		return nil
	}
	return d.file.Close()
}

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

// File is a temporary file, which is gone when it is closed.
type File struct {
	*os.File
	removed bool
}

// CreateFile makes an empty temporary file in dir; "" is os.TempDir.
func CreateFile(dir string) (*File, error) {
	f, err := os.CreateTemp(dir, "artifice-*.tmp")
	if err != nil {
		return nil, err
	}
	// Where the system allows it the name goes at once, so that nothing is left
	// behind however the process ends.
	return &File{f, os.Remove(f.Name()) == nil}, nil
}

// Close closes and removes the file. Closing a nil file does nothing.
func (f *File) Close() error {
	if f == nil {
		return nil
	}
	err := f.File.Close()
	if !f.removed {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}
