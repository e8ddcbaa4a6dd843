package timeline

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"artifice/internal/decode"
	"artifice/internal/words"
	"artifice/trace"
)

// Format finds the calls in the files of a format.
type Format struct {
	Read     func(*Source) error
	Numbered bool // methods are numbers, with names in [Config.Methods]
	Binary   bool // a file is read as binary data
}

// SniffLen is the number of bytes that determine most formats.
const SniffLen = 4096

// Config configures a reader. The zero value is valid.
type Config struct {
	Limits   trace.Limits            // 0 selects the defaults
	Progress func(done, total int64) // called with bytes of the file; total is -1 if unknown
	Stop     func() error            // called repeatedly; an error ends the reading
	TempDir  string                  // directory for data that exceeds memory; "" is os.TempDir
	Methods  Methods                 // for formats with Numbered; nil keeps the numbers
}

// Read reads a file of a format. name is used in messages. size is the size of the file, or -1 if
// unknown. Errors in the content are [trace.FormatError]s.
func Read(r io.Reader, name string, size int64, format *Format, cfg Config) (*Timeline, error) {
	cfg.Limits = cfg.Limits.OrDefault()
	src := &Source{Name: name, Cfg: cfg}
	src.Calls.init(cfg.Limits, cfg.TempDir)
	src.Calls.source = name
	if format.Numbered {
		src.Calls.known = cfg.Methods
		src.Calls.numbered = true
	}
	progress := decode.Progress{Report: cfg.Progress, Total: size}
	var err error
	unpack := decode.Text
	if format.Binary {
		unpack = decode.Bytes
	}
	src.In, err = unpack(progress.Watch(r), cfg.Limits.Ratio)
	if err == nil {
		err = format.Read(src)
	}
	if err == nil && src.Calls.count == 0 {
		switch {
		case src.Hint != "":
		case src.Async > 0:
			src.Hint = "; its sections are asynchronous (" + words.Count(src.Async, "section") + "), which belong to no thread: record sections that begin and end on one thread"
		default:
			src.Hint = "; the app itself was not traced: add the app to Perfetto's configuration (atrace_apps) or pass the app to atrace (-a PACKAGE), or record the app's methods (adb shell am profile start PACKAGE FILE)"
		}
		err = errors.New("the file has no begin or end of a call" + src.Hint)
	}
	if err != nil {
		src.Calls.close()
		return nil, src.placed(err)
	}
	return src.timeline()
}

// Source is a file being read.
type Source struct {
	Name     string
	Cfg      Config
	In       *bufio.Reader
	Calls    Calls
	Line     int   // in a text: number of the current line, from 1
	Offset   int64 // in a binary file: offset of the current record
	steps    int   // steps since the last call of Stop
	Warnings []trace.Warning
	skipped  int    // number of unrecognized lines
	CutLong  bool   // lines of more than MaxLine bytes are truncated and not an error
	Hint     string // advice if the file has no calls
	Async    int64  // number of asynchronous sections, which belong to no thread and are ignored

	OfCPU   bool          // the calls have CPU times, and were derived from samples of CPU time
	Sampled time.Duration // CPU time of a thread between two such samples; 0 if it is not stated

	// with times of the file's clock, in the order of their begins
	DisplayFrames []trace.DisplayFrame
}

// placed adds the current position to err.
func (s *Source) placed(err error) error {
	var bad *trace.FormatError
	if errors.As(err, &bad) || errors.Is(err, errStopped) {
		return err
	}
	e := &trace.FormatError{Name: s.Name, Offset: -1, Line: s.Line, Err: err}
	if s.Line == 0 {
		e.Offset = s.Offset
	}
	return e
}

// errStopped marks an error of Config.Stop.
var errStopped = errors.New("stopped")

// Stop occasionally asks Config.Stop whether reading should end.
func (s *Source) Stop() error {
	if s.steps++; s.steps&(1<<12-1) != 0 {
		return nil
	}
	return s.StopNow()
}

// StopNow asks Config.Stop whether reading should end.
func (s *Source) StopNow() error {
	if s.Cfg.Stop == nil {
		return nil
	}
	if err := s.Cfg.Stop(); err != nil {
		return fmt.Errorf("%w%w", errStopped, err)
	}
	return nil
}

// MaxLine is the maximum length of a line.
const MaxLine = 1 << 20

// EachLine calls take for every line. The line is valid until take returns.
func (s *Source) EachLine(take func(line []byte) error) error {
	for {
		line, err := s.nextLine()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = take(line)
		}
		if err != nil {
			return err
		}
	}
}

// nextLine returns the next line without its end; io.EOF after the last one. The line is valid
// until the next call.
func (s *Source) nextLine() ([]byte, error) {
	if err := s.Stop(); err != nil {
		return nil, err
	}
	line, err := s.In.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		whole := slices.Clone(line)
		for err == bufio.ErrBufferFull && len(whole) < MaxLine {
			line, err = s.In.ReadSlice('\n')
			whole = append(whole, line...)
		}
		line = whole
	}
	s.Line++
	for err == bufio.ErrBufferFull && s.CutLong {
		if _, err = s.In.ReadSlice('\n'); err == nil {
			return line, nil
		}
	}
	switch {
	case err == bufio.ErrBufferFull:
		return nil, fmt.Errorf("a line of more than %d bytes", MaxLine)
	case err == io.EOF && len(line) > 0:
		return line, nil
	case err != nil:
		return nil, err
	}
	line = line[:len(line)-1]
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, nil
}

// Skip counts an unrecognized line.
func (s *Source) Skip(what string) {
	if s.skipped++; s.skipped <= 20 {
		w := trace.Warnf(trace.WarnDumpLine, s.Name, "the line is ignored: %s", what)
		w.Line = s.Line
		s.Warnings = append(s.Warnings, w)
	}
}
