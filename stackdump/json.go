package stackdump

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"artifice/internal/decode"
	"artifice/trace"
)

// jsonInput walks a JSON document token by token, so that a large one need not
// be in memory at once.
type jsonInput struct {
	input
	dec   *json.Decoder
	index *lineIndex
}

func newJSONInput(in input, r io.Reader) jsonInput {
	index := &lineIndex{r: r, line: 1}
	return jsonInput{in, json.NewDecoder(index), index}
}

// here makes the line of the decoder's place the one that warnings name.
func (j *jsonInput) here() { j.lines.line = j.index.lineAt(j.dec.InputOffset()) }

// fail gives an error its place. A document that ends too early is
// io.ErrUnexpectedEOF.
func (j *jsonInput) fail(err error) error {
	if err == nil {
		return nil
	}
	if _, done := err.(*trace.FormatError); done {
		return err
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	j.here()
	return formatError(j.name, j.lines.line, "the JSON cannot be read on; it may be cut", err)
}

// delim reads the delimiter want. A null in its place is taken for nothing.
func (j *jsonInput) delim(want json.Delim) (present bool, err error) {
	token, err := j.dec.Token()
	if err != nil || token == nil {
		return false, err
	}
	if token != want {
		return false, fmt.Errorf("found %v instead of %v", token, want)
	}
	return true, nil
}

// object calls member for each key of an object; member reads the value.
func (j *jsonInput) object(member func(key string) error) error {
	if ok, err := j.delim('{'); !ok {
		return err
	}
	for j.dec.More() {
		key, err := j.dec.Token()
		if err != nil {
			return err
		}
		if err := member(key.(string)); err != nil {
			return err
		}
	}
	_, err := j.delim('}')
	return err
}

// array calls element for each element of an array; element reads it.
func (j *jsonInput) array(element func() error) error {
	if ok, err := j.delim('['); !ok {
		return err
	}
	for j.dec.More() {
		if err := element(); err != nil {
			return err
		}
	}
	_, err := j.delim(']')
	return err
}

// skip reads a value that is of no use.
func (j *jsonInput) skip() error {
	var ignored json.RawMessage
	return j.dec.Decode(&ignored)
}

// lineIndex finds the line of an offset in what it has read, when asked for
// growing offsets.
type lineIndex struct {
	r        io.Reader
	read     int64
	newlines []int64 // offsets of line feeds that were not passed yet
	line     int     // of the last offset asked for
}

// Read implements io.Reader.
func (x *lineIndex) Read(p []byte) (int, error) {
	n, err := x.r.Read(p)
	for from := 0; ; {
		i := bytes.IndexByte(p[from:n], '\n')
		if i < 0 {
			break
		}
		x.newlines = append(x.newlines, x.read+int64(from+i))
		from += i + 1
	}
	x.read += int64(n)
	return n, err
}

// lineAt returns the number of the line that offset is in.
func (x *lineIndex) lineAt(offset int64) int {
	passed := 0
	for passed < len(x.newlines) && x.newlines[passed] < offset {
		passed++
	}
	x.newlines = append(x.newlines[:0], x.newlines[passed:]...)
	x.line += passed
	return x.line
}

// scan reads line when it is an object of known members, each at most once and
// of the usual form. Otherwise it reports false, and s holds nothing of use.
func (s *jsonSample) scan(line []byte) bool {
	*s = jsonSample{frames: s.frames[:0]}
	in := decode.NewJSON(line)
	for more := in.Open('{', '}'); more; more = in.More('}') {
		key := in.Str()
		in.Expect(':')
		s.member(&in, key)
	}
	return in.Done() && !in.Bad
}

// member reads the value of a key.
func (s *jsonSample) member(in *decode.JSON, key []byte) {
	bit := 0
	switch string(key) { // does not allocate
	case "time_us":
		bit, s.time, s.hasTime = 1, fromMicroseconds(in.Number()), true
	case "cpu_us":
		bit, s.cpu, s.hasCPU = 2, fromMicroseconds(in.Number()), true
	case "pid":
		bit, s.pid = 4, in.Number()
	case "tid":
		bit, s.tid = 8, in.Number()
	case "thread":
		bit, s.thread = 16, in.Str()
	case "partial":
		bit, s.partial = 32, in.Bool()
	case "stopped_us":
		bit, s.stopped = 128, fromMicroseconds(in.Number())
	case "frames":
		bit, s.frames, s.hasFrames = 64, in.Strs(s.frames), true
	}
	if bit == 0 || s.seen&bit != 0 {
		in.Bad = true
	}
	s.seen |= bit
}
