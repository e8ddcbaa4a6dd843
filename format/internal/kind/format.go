// Package kind defines the type [Format], which recognizes files of a format, reads them as
// recordings, and writes recordings. It lists no formats; package format does.
//
// [OfCalls] and [OfDumps] make the two common kinds: files of nested calls, which package timeline
// reads, and files of stack dumps or samples, which package stackdump reads. Package encode has the
// common parts of writers.
package kind

import (
	"fmt"
	"io"

	"github.com/google/pprof/profile"

	"artifice/format/internal/stackdump"
	"artifice/internal/decode"
	"artifice/internal/encode"
	"artifice/internal/inputs"
	"artifice/trace"
	"artifice/trace/calltree"
)

// Format describes a file format.
type Format struct {
	Name  string
	About string // one line that describes it

	// Endings are the endings of file names that select this format, without a final ".gz".
	Endings []string

	// Sniff reports whether a file is of this format by its first Head bytes, decompressed and
	// converted to UTF-8 if they are text. Shorter files are passed whole. nil: the format is not
	// detected by content.
	Sniff func(head []byte) bool
	Head  int

	// Vague is set if much other text looks like the format. Vague formats are tried last.
	Vague bool

	Holds Holds

	// Dumps reads files of stack dumps or samples, and writes dumps of a program; nil for other
	// formats. See [OfDumps].
	Dumps *stackdump.Format

	// Read opens src. It may read nothing yet. nil: the format can only be written.
	Read func(src Source, cfg *Config) (*Opened, error)

	// Write returns a writer of rec's events to w. options contains at most one value of each type:
	// [WriteOptions] and types defined by packages of formats. A format ignores the types of
	// others. nil: the format can only be read.
	Write func(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error)

	// WriteProfile writes a complete profile, and returns one sentence for each kind of content
	// that the file omits. nil for formats with other content.
	WriteProfile func(w io.Writer, p *profile.Profile) (notes []string, err error)
}

// Create returns a writer of rec's events to w, as Write does. It returns an error for recordings
// that the format cannot represent.
func (f *Format) Create(w io.Writer, rec *trace.Recording, options ...any) (encode.Writer, error) {
	switch q := rec.Info.Quantity; {
	case q.IsSet() && !f.Holds.Has(Quantities):
		return nil, fmt.Errorf("the profile contains %s, but the format %s contains times; write pprof, otlp, folded or speedscope", q.Describe(), f.Name)
	case q.Signed && f.WriteProfile == nil:
		return nil, fmt.Errorf("the format %s does not support the negative values of the profile (%s); write pprof or otlp", f.Name, q.Describe())
	}
	return f.Write(w, rec, options...)
}

// Holds is a set of kinds of content that files of a format can have.
type Holds uint8

const (
	Binary     Holds = 1 << iota // not suitable for terminals
	Numbers                      // numbers instead of method names; [Config.Names] maps them
	OpenFrames                   // frames that are open at the end, which [WriteOptions].Until closes
	Scheduling                   // scheduling of the cores, limited by a set of categories
	LostEnds                     // calls without an end; [Config.Repair] restores it
	// values of quantities other than the time of threads ([trace.Quantity])
	Quantities
	CPUSamples // samples of CPU time alone ([trace.Info].OfCPU)
	CPUClock   // times of the CPU clock alone
)

// Has reports whether h contains every element of what.
func (h Holds) Has(what Holds) bool { return h&what == what }

// ClockNote returns a sentence if the recording has only CPU time, and files of the format state it
// as wall time. info is that at the end of the recording.
func (f *Format) ClockNote(info *trace.Info) string {
	switch {
	case info.Quantity.IsSet(), info.Clocks().HasWall():
	case info.Clock.HasWall() && f.Holds.Has(CPUSamples):
	case !info.Clock.HasWall() && f.Holds.Has(CPUClock):
	default:
		return "its wall times are derived from the CPU times, because the source has no wall time"
	}
	return ""
}

// Source is the origin of an input.
type Source struct {
	Name string    // name of the file or folder to open; if R is set, only used in messages
	R    io.Reader // a stream, which can be read once; nil if Read opens the file
}

// Open returns a reader of the source, and the size of its file, or -1 if unknown. Closing the
// reader does not close R.
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

// ReadAll returns the decompressed bytes of the source. Errors of the source, such as gzip's error
// for a truncated file, are prefixed by its name; an error of cfg.Stop is returned unchanged.
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

// Config has the options of reading. The zero value reads any file unchanged.
type Config struct {
	// Names is the file that maps numbers or addresses of methods to names: see [Numbers]. Empty: a
	// file of the format's usual name next to the input, if it exists.
	Names string

	Repair Repair

	// Forced is set if the user named the format. A file that two formats can read is then read in
	// this one.
	Forced bool

	// Value is the name of the value to read from a profile with several values; empty: the
	// profile's default.
	Value string

	// Variant reads the file as this variant of its format, whatever its header states; empty: by
	// content.
	Variant string

	Limits trace.Limits // bound the memory used for a damaged file; 0 selects the defaults

	Progress func(done, total int64) // in bytes of the file, compressed or not; total is -1 if unknown
	Stop     func() error            // called repeatedly; an error ends the reading

	// DumpFormats are the formats that are tried for the files of a folder of thread dumps.
	DumpFormats []*stackdump.Format

	Options Options
}

// Opened is an open file with its recording.
type Opened struct {
	Recording *trace.Recording
	File

	Dumps *stackdump.Sequence // the dumps of the recording; nil for other formats

	// Profile is the complete content of the file in pprof's model; the recording has a part of it.
	// It must not be changed. nil for formats with other content.
	Profile *profile.Profile

	// OwnZero is set if time 0 is not the start of tracing, but the first event or the start of the
	// machine.
	OwnZero bool
}

// File is the source of a recording's events. If it is not a [Merger], the events are in time
// order.
type File interface {
	// Rewind restarts the recording's events from the first one. It is called after InTimeOrder.
	Rewind() error
	Close() error
}

// Merger is a [File] that can merge the events of all threads by time.
type Merger interface {
	InTimeOrder() error
}

// Options are settings of single formats, at most one value of each type. The package of a format
// defines a type and gets its value by [Option]. A format ignores values of other types.
type Options []any

// Option returns the value of type T among the options, or the zero value if there is none.
func Option[T any](options Options) T {
	for _, o := range options {
		if o, ok := o.(T); ok {
			return o
		}
	}
	var zero T
	return zero
}

// WriteOptions are options common to the writers of several formats. The zero value is valid.
type WriteOptions struct {
	// TempDir is the directory of temporary files for data that exceeds memory; "" means
	// os.TempDir.
	TempDir string

	// Limits bound the number of samples that a writer derives from sums; 0 selects a default.
	Limits trace.Limits

	// Until is the end of frames that are open when the trace ends, in profiles and timelines; by
	// default their thread's last event.
	Until calltree.EndPolicy
}
