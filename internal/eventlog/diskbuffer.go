package eventlog

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
)

// bufferSize is the number of bytes that a DiskBuffer keeps in memory.
const bufferSize = 8 << 20

// inPlaceSize is the number of bytes kept in memory before the rest is written to the output.
const inPlaceSize = 1 << 20

// writeSize is the minimum number of bytes for a write to the file.
const writeSize = 1 << 16

// DiskBuffer stores bytes until they are needed: up to 8 MiB in memory, the rest in a temporary
// file; or up to 1 MiB in memory, the rest in the output (see [DiskBuffer.InPlace]). Writers use
// it for encoded events that follow a part of the file that is written later.
type DiskBuffer struct {
	dir  string
	most int    // bytes in memory
	mem  []byte // the last bytes, after those in the file
	file bufferFile
	disk int64 // bytes in file

	out  Output // nil: use a temporary file
	room func() int64

	copies []byte // buffer of CopySection
}

// NewDiskBuffer returns an empty DiskBuffer with its file in dir; "" is os.TempDir.
func NewDiskBuffer(dir string) *DiskBuffer { return &DiskBuffer{dir: dir, most: bufferSize} }

// bufferFile stores the bytes that exceed the memory.
type bufferFile interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
}

// InPlace stores the bytes that exceed the memory in w, if w is a rewritable [Output]; w must be
// empty. When the first of them is written, room returns the expected number of bytes before them.
// If that number is right, the bytes are already in their final place; otherwise CopyBehind moves
// them. After InPlace, no other method may write these bytes to w.
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
		d.mem = slices.Grow(d.mem, d.most-len(d.mem)) // growing in steps would copy as much again
	}
	d.mem = append(d.mem, b...)
	return len(b), nil
}

// spill moves the bytes in memory to the file. After that, memory only collects enough bytes for a
// write.
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

// Size returns the number of bytes.
func (d *DiskBuffer) Size() int64 { return d.disk + int64(len(d.mem)) }

// CopySection writes n bytes to w, starting at off.
func (d *DiskBuffer) CopySection(w io.Writer, off, n int64) error {
	if off < d.disk {
		part := min(n, d.disk-off)
		if d.copies == nil {
			d.copies = make([]byte, 64<<10)
		}
		// Hide the section's other methods: with them, io.Copy would allocate memory for each of a
		// million small sections.
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

// CopyBehind writes head and then all bytes to w.
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

// Reader returns a reader of all bytes. Nothing may be written while it is in use.
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

	// Rewritable reports whether the other methods work. A pipe has them, but they fail.
	Rewritable() bool
}

// inPlace stores bytes in the output itself, after the room for the bytes that precede them.
type inPlace struct {
	Output
	at int64 // size of that room
}

func (p *inPlace) ReadAt(b []byte, off int64) (int, error)  { return p.Output.ReadAt(b, p.at+off) }
func (p *inPlace) WriteAt(b []byte, off int64) (int, error) { return p.Output.WriteAt(b, p.at+off) }

// Close implements io.Closer. The output is closed by its owner.
func (p *inPlace) Close() error { return nil }

// moveBlock is the number of bytes moved at a time.
const moveBlock = 1 << 20

// moveTo changes the size of the room to at, by moving the n bytes after it. They were written a
// moment ago: if they are still in the system's page cache, they are written to the disk once.
func (p *inPlace) moveTo(at, n int64) error {
	block := make([]byte, min(moveBlock, n))
	for done := int64(0); done < n && at != p.at; {
		part := block[:min(int64(len(block)), n-done)]
		from := p.at + done
		if at > p.at { // from the end, so that no byte is overwritten before it is moved
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

// File is a temporary file that is removed when it is closed.
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
	// If the system allows it, the name is removed at once, so that no file remains however the
	// process ends.
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
