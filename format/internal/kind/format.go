// Package kind defines the type [Format]: how a file of a format is recognized, how it is read as a
// recording, and how a recording is written as one. It lists no formats; package format does.
//
// [OfCalls] and [OfDumps] make the two common kinds: files of nested calls, which package timeline
// reads, and files of stack dumps or samples, which package stackdump reads. Package encode has the
// common parts of writers.
package kind

import (
	"io"

	"github.com/google/pprof/profile"

	"artifice/format/internal/stackdump"
	"artifice/internal/decode"
	"artifice/internal/encode"
	"artifice/internal/inputs"
	"artifice/trace"
)

// Format is all there is to a file format.
type Format struct {
	Name  string
	About string // a line that says what it is

	// Endings are the endings of file names that mean this format, without a ".gz" behind them.
	Endings []string

	// Sniff reports whether a file is of this format, from its beginning, which
	// is unpacked and UTF-8 where it is text. It sees Head bytes, fewer when the
	// file has no more. nil: no file is taken for one by its content.
	Sniff func(head []byte) bool
	Head  int

	// Vague says that much other text looks like it, so that it is tried last.
	Vague bool

	Holds Holds

	// Dumps says how a file of stack dumps or samples is read, and what writes dumps of a program;
	// nil for other formats. See [OfDumps].
	Dumps *stackdump.Format

	// Read opens src. It need not read anything yet. nil: the format is only written.
	Read func(src Source, cfg *Config) (*Opened, error)

	// Write returns a writer of rec's events to w. Options are [WriteOptions] and those that the
	// format's package defines, at most one value of a type; a format ignores those of others.
	// nil: the format is only read.
	Write func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error)

	// WriteProfile writes a profile with all that it has, and returns what the file omits, one sentence
	// each. nil: the format's files have other content.
	WriteProfile func(w io.Writer, p *profile.Profile) (notes []string, err error)
}

// Holds says what a file of a format can have in it.
type Holds uint8

const (
	Binary     Holds = 1 << iota // bytes that are not for terminals
	Numbers                      // numbers in place of the names of methods, which [Config.Names] names
	OpenFrames                   // frames that are open at the end, which [WriteOptions].Until closes
	Scheduling                   // what the cores did, as a choice of categories can limit
	LostEnds                     // ends of calls that are missing, which [Config.Repair] puts in
)

// Has reports whether h has all of what.
func (h Holds) Has(what Holds) bool { return h&what == what }

// Source is where an input comes from.
type Source struct {
	Name string    // of the file or folder to be opened; for messages only where R is set
	R    io.Reader // a stream, which can be read once; nil for a file that Read opens
}

// Open returns what the source reads, and the size of its file, -1 when it is not
// known. Closing it leaves an R of the caller's open.
func (s Source) Open() (r io.ReadCloser, size int64, err error) {
	if s.R != nil {
		return io.NopCloser(s.R), -1, nil
	}
	file, err := inputs.Open(s.Name)
	if err != nil {
		return nil, -1, err
	}
	if info, err := file.Stat(); err == nil {
		return file, info.Size(), nil
	}
	return file, -1, nil
}

// ReadAll returns the source's bytes, unpacked. Errors of the source, such as gzip's for a truncated file,
// get its name; an error of cfg.Stop is returned as it is.
func (s Source) ReadAll(cfg *Config) ([]byte, error) {
	r, _, err := s.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	plain, err := decode.Bytes(r, cfg.Limits.OrDefault().Ratio)
	if err != nil {
		return nil, &trace.FormatError{Name: s.Name, Offset: -1, Err: err}
	}
	return io.ReadAll(stopping{plain, s.Name, cfg.Stop})
}

// stopping is a reader that ends with the error of stop.
type stopping struct {
	r    io.Reader
	name string
	stop func() error
}

// Read implements io.Reader.
func (s stopping) Read(b []byte) (int, error) {
	if s.stop != nil {
		if err := s.stop(); err != nil {
			return 0, err
		}
	}
	n, err := s.r.Read(b)
	if err != nil && err != io.EOF {
		err = &trace.FormatError{Name: s.name, Offset: -1, Err: err}
	}
	return n, err
}

// Config says how to read a file. The zero value reads any as it is.
type Config struct {
	// Names is the file with the names of methods that a file has as numbers or addresses:
	// see [Numbers]. Empty: a file of the format's usual name beside it, if there is one.
	Names string

	Repair Repair

	// Variant reads the file as this variant of its format, whatever its header states; empty: by content.
	Variant string

	Limits trace.Limits // of what a damaged file can make a reader allocate; 0 are the defaults

	Progress func(done, total int64) // of the bytes of the file, packed ones as they are; total is -1 when it is not known
	Stop     func() error            // asked now and then; its error ends the reading

	// DumpFormats are the formats of thread dumps that a folder's files are recognized as.
	DumpFormats []*stackdump.Format

	Options Options
}

// Opened is an open file with its recording.
type Opened struct {
	Recording *trace.Recording
	File

	Dumps *stackdump.Sequence // the dumps of the recording; nil for other formats

	// Profile is the file's content in pprof's model, of which the recording has a part. It must not be
	// changed. nil for formats that have other content.
	Profile *profile.Profile

	// OwnZero is set where time 0 is the first event's or the machine's start, not
	// that of tracing.
	OwnZero bool
}

// File is the source of a recording's events. If it is not a [Merger], the events are in time order.
type File interface {
	// Rewind restarts the recording's events from the first one. It is called after InTimeOrder.
	Rewind() error
	Close() error
}

// Merger is a [File] that can merge the events of all threads by time.
type Merger interface {
	InTimeOrder() error
}
