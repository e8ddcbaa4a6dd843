package stackdump

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"artifice/internal/decode"
	"artifice/trace"
)

// DefaultInterval is the time between two samples of a format without times
// when nobody says another: async-profiler's default.
const DefaultInterval = 10 * time.Millisecond

// ReaderConfig says how dumps are read. The zero value reads any format by its
// content.
type ReaderConfig struct {
	Format   Format        // "" = by content
	Interval time.Duration // time of one folded sample; 0 = DefaultInterval
	First    FirstFrame    // what a folded stack begins with
	Frames   *Frames       // table to number frames in, shared between files; nil = a new one
}

// Reader reads the dumps of one file, one after the other: it holds one dump
// and the table of frames.
type Reader struct {
	name   string
	format Format
	parser parser
	frames *Frames
	warn   *warnings
	dump   Dump
	count  int64
	err    error
}

// NewReader returns a reader of the dumps in r, which may be gzip or UTF-16
// with a byte order mark. name is the file's in errors and warnings. It fails
// when r cannot be read or holds none of the formats.
func NewReader(r io.Reader, name string, cfg ReaderConfig) (*Reader, error) {
	return newReader(r, name, cfg, &warnings{})
}

func newReader(r io.Reader, name string, cfg ReaderConfig, warn *warnings) (*Reader, error) {
	text, err := decode.Text(r)
	if err != nil {
		return nil, formatError(name, 0, "cannot be unpacked", err)
	}
	if cfg.Frames == nil {
		cfg.Frames = NewFrames()
	}
	if cfg.Interval <= 0 || cfg.Interval > maxInterval {
		cfg.Interval = DefaultInterval
	}
	text = bufio.NewReaderSize(text, SniffLen)
	if cfg.Format == "" {
		if cfg.Format, err = sniff(text, name); err != nil {
			return nil, err
		}
	}
	in := input{name: name, lines: newLineReader(text), frames: cfg.Frames, warn: warn}
	in.lines.tooLong = func(line int) {
		warn.add(trace.WarnDumpLine, name, line, fmt.Sprintf("a line of more than %d MiB is left out", maxLine>>20), "")
	}
	k := kindOf(cfg.Format)
	if k == nil {
		return nil, fmt.Errorf("%s: format %q of stack dumps is none of %v", name, cfg.Format, Formats())
	}
	return &Reader{name: name, format: cfg.Format, parser: k.parser(in, text, cfg), frames: cfg.Frames, warn: warn}, nil
}

// sniff tells the format of text, which stays unread.
func sniff(text *bufio.Reader, name string) (Format, error) {
	head, err := text.Peek(SniffLen)
	if f, ok := Detect(head); ok {
		return f, nil
	}
	msg := fmt.Sprintf("no stack dump is recognised in its first MiB; known are %s", strings.Trim(fmt.Sprint(Formats()), "[]"))
	if len(head) == 0 {
		msg = "the file is empty"
	}
	if err == io.EOF || err == bufio.ErrBufferFull {
		err = nil
	}
	return "", formatError(name, 0, msg, err)
}

// Format returns the format that is read.
func (r *Reader) Format() Format { return r.format }

// Frames returns the table that the stacks' frames are numbered in.
func (r *Reader) Frames() *Frames { return r.frames }

// Warnings returns what was odd so far, each with file and line.
func (r *Reader) Warnings() []trace.Warning { return r.warn.list }

// Next returns the next dump, valid until the call after it. It returns io.EOF
// behind the last one; a file without any ends in a [trace.FormatError].
func (r *Reader) Next() (*Dump, error) {
	if r.err != nil {
		return nil, r.err
	}
	r.dump.reset()
	r.err = r.parser.next(&r.dump)
	if r.err == io.EOF && r.count == 0 {
		r.err = formatError(r.name, 0, fmt.Sprintf("no stack dump in it, although it looks like format %s", r.format), nil)
	}
	if r.err != nil {
		return nil, r.err
	}
	r.count++
	return &r.dump, nil
}

// keep returns a copy of d that stays valid.
func (d *Dump) keep() *Dump {
	c := *d
	c.Threads = slices.Clone(d.Threads)
	for i := range c.Threads {
		c.Threads[i].Stack = slices.Clone(c.Threads[i].Stack)
	}
	return &c
}
