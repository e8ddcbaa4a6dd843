package dmtrace

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"artifice/internal/dmformat"
	"artifice/trace"
)

// bufferSize is the number of bytes read at one time. It holds the longest record (65535 bytes) and
// the longest announcement (a name of 65535 bytes after 7).
const bufferSize = 1<<16 + 1<<8

// maxLine bounds a line of the tables: four names of 65535 bytes fit.
const maxLine = 1 << 20

// input is a file being read, with the current offset.
type input struct {
	r    *bufio.Reader // the rest of the file, after mem
	mem  []byte        // whole items to be read first, see ahead
	name string        // of the file
	off  int64         // of the next byte

	broken error // the error of reading r, returned after mem
}

// newInput returns an input that reads r; the first byte is at offset off of the file with that
// name.
func newInput(r io.Reader, name string, off int64) *input {
	return &input{r: bufio.NewReaderSize(r, bufferSize), name: name, off: off}
}

// errorf returns a FormatError at the current offset.
func (in *input) errorf(format string, args ...any) error {
	return &trace.FormatError{Name: in.name, Offset: in.off, Msg: fmt.Sprintf(format, args...)}
}

// cut returns the error of a file that is truncated within what, or err if that is another error.
func (in *input) cut(what string, err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return &trace.FormatError{Name: in.name, Offset: in.off, Msg: what, Err: err}
}

// head returns up to n bytes without consuming them; fewer at the end of the file.
func (in *input) head(n int) []byte {
	if len(in.mem) > 0 {
		return in.mem[:min(n, len(in.mem))]
	}
	b, _ := in.r.Peek(n)
	return b
}

// window returns all bytes in memory, at least n, without consuming them. At the end of the file
// the error is io.EOF. If fewer than n bytes remain, it is a FormatError that names the truncated
// part.
func (in *input) window(n int, what string) ([]byte, error) {
	if len(in.mem) > 0 {
		return in.mem, nil
	}
	if in.broken != nil {
		return nil, in.cut("reading "+what, in.broken)
	}
	if in.r.Buffered() < n {
		got, err := in.r.Peek(n)
		switch {
		case err == io.EOF && len(got) == 0:
			return nil, io.EOF
		case err == io.EOF:
			return nil, in.cut(fmt.Sprintf("the file ends within %s, after %d of %d bytes", what, len(got), n), err)
		case err != nil:
			return nil, in.cut("reading "+what, err)
		}
	}
	return in.r.Peek(in.r.Buffered())
}

// skip skips n bytes of the window.
func (in *input) skip(n int) {
	in.off += int64(n)
	if len(in.mem) > 0 {
		in.mem = in.mem[n:]
		return
	}
	in.r.Discard(n)
}

// line consumes the next line and returns it without its line end.
func (in *input) line() (string, error) {
	var long []byte
	for {
		b, err := in.r.ReadSlice('\n')
		if err == nil && long == nil {
			in.off += int64(len(b))
			return string(b[:len(b)-1]), nil
		}
		long = append(long, b...)
		switch {
		case err == nil:
			in.off += int64(len(long))
			return string(bytes.TrimSuffix(long, []byte{'\n'})), nil
		case err != bufio.ErrBufferFull:
			return "", in.cut("the file ends in the key section, before its *end", err)
		case len(long) > maxLine:
			return "", in.errorf("%s", dmformat.LongLine(maxLine))
		}
	}
}

// sized reads the head of a packet, which has headSize bytes, and the text after it, and returns
// both. The last two bytes of the head are the length of the text. After an error the input remains
// at the packet's start.
func (in *input) sized(headSize int, what string) (head []byte, text string, err error) {
	b, err := in.window(headSize, what)
	if err != nil {
		return nil, "", err
	}
	n := headSize + int(binary.LittleEndian.Uint16(b[headSize-2:]))
	if b, err = in.window(n, what); err != nil {
		return nil, "", err
	}
	head, text = append(head, b[1:headSize-2]...), string(b[headSize:n])
	in.skip(n)
	return head, text, nil
}

// threadPacket reads a packet that defines a thread. It adds the packet to the announcements of the
// Source, with the number of events before it.
func (f *File) threadPacket(in *input, before int64) (tid uint32, name string, err error) {
	head, name, err := in.sized(dmformat.ThreadHead, "a thread packet")
	if err != nil {
		return 0, "", err
	}
	tid = binary.LittleEndian.Uint32(head)
	f.Source.Announced = append(f.Source.Announced, trace.Announcement{Before: before, TID: tid, Text: name})
	return tid, name, nil
}

// methodPacket is threadPacket for a method, and returns its line without the line end.
func (f *File) methodPacket(in *input, before int64) (id uint64, line string, err error) {
	head, text, err := in.sized(dmformat.MethodHead, "a method packet")
	if err != nil {
		return 0, "", err
	}
	id = binary.LittleEndian.Uint64(head)
	f.Source.Announced = append(f.Source.Announced, trace.Announcement{Before: before, Method: true, ID: id, Text: text})
	return id, trimLineEnd(text), nil
}
