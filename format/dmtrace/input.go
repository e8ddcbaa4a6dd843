package dmtrace

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"artifice/trace"
)

// BufferSize is the block that a file is read in. It holds the longest record
// (65535 bytes) and the longest announcement (a name of 65535 bytes after 7).
const BufferSize = 1<<16 + 1<<8

// MaxLine bounds a line of the tables: four names of 65535 bytes fit.
const MaxLine = 1 << 20

// Input is the bytes of a file with the place where we are.
type Input struct {
	Bytes *bufio.Reader // of the file, behind mem
	Mem   []byte        // whole items that come first, see ahead
	Name  string        // of the file
	Off   int64         // of the next byte

	Broken error // of reading what comes after mem
}

// NewInput returns the bytes of r, the first of which is at offset off of the file of that name.
func NewInput(r io.Reader, name string, off int64) *Input {
	return &Input{Bytes: bufio.NewReaderSize(r, BufferSize), Name: name, Off: off}
}

// Errorf returns a FormatError at the current place.
func (in *Input) Errorf(format string, args ...any) error {
	return &trace.FormatError{Name: in.Name, Offset: in.Off, Msg: fmt.Sprintf(format, args...)}
}

// Cut returns the error of a file that ends within what, or of reading it.
func (in *Input) Cut(what string, err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return &trace.FormatError{Name: in.Name, Offset: in.Off, Msg: what, Err: err}
}

// Head returns up to n bytes without passing them; fewer where the file ends.
func (in *Input) Head(n int) []byte {
	if len(in.Mem) > 0 {
		return in.Mem[:min(n, len(in.Mem))]
	}
	b, _ := in.Bytes.Peek(n)
	return b
}

// Window returns bytes without passing them: all that are in memory, at least
// n. At the end of the file the error is io.EOF; where fewer than n are left, a
// FormatError that names what was cut.
func (in *Input) Window(n int, what string) ([]byte, error) {
	if len(in.Mem) > 0 {
		return in.Mem, nil
	}
	if in.Broken != nil {
		return nil, in.Cut("reading "+what, in.Broken)
	}
	if in.Bytes.Buffered() < n {
		got, err := in.Bytes.Peek(n)
		switch {
		case err == io.EOF && len(got) == 0:
			return nil, io.EOF
		case err == io.EOF:
			return nil, in.Cut(fmt.Sprintf("the file ends within %s, after %d of %d bytes", what, len(got), n), err)
		case err != nil:
			return nil, in.Cut("reading "+what, err)
		}
	}
	return in.Bytes.Peek(in.Bytes.Buffered())
}

// Skip passes n bytes of what window returned.
func (in *Input) Skip(n int) {
	in.Off += int64(n)
	if len(in.Mem) > 0 {
		in.Mem = in.Mem[n:]
		return
	}
	in.Bytes.Discard(n)
}

// line passes and returns the next line without its line end.
func (in *Input) line() (string, error) {
	var long []byte
	for {
		b, err := in.Bytes.ReadSlice('\n')
		if err == nil && long == nil {
			in.Off += int64(len(b))
			return string(b[:len(b)-1]), nil
		}
		long = append(long, b...)
		switch {
		case err == nil:
			in.Off += int64(len(long))
			return string(bytes.TrimSuffix(long, []byte{'\n'})), nil
		case err != bufio.ErrBufferFull:
			return "", in.Cut("in the key section, before its *end", err)
		case len(long) > MaxLine:
			return "", in.Errorf("a line of the key section is longer than %d bytes", MaxLine)
		}
	}
}

// Sized passes a packet's head of headSize bytes, the last two of which are the
// length of the text after it, and returns both. On failure the input stays at
// the packet's start.
func (in *Input) Sized(headSize int, what string) (head []byte, text string, err error) {
	b, err := in.Window(headSize, what)
	if err != nil {
		return nil, "", err
	}
	n := headSize + int(binary.LittleEndian.Uint16(b[headSize-2:]))
	if b, err = in.Window(n, what); err != nil {
		return nil, "", err
	}
	head, text = append(head, b[1:headSize-2]...), string(b[headSize:n])
	in.Skip(n)
	return head, text, nil
}
