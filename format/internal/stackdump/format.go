// Package stackdump converts series of stack dumps or samples to the recording that ART's sampler
// would have written had it sampled these stacks. It also writes the samples of a ground truth as
// dumps ([Writer]); these serve as fixtures for parsers.
//
// It is not a sampler: package sampler determines sampling times, while here they are the times of
// the dumps. Package diffstack compares the stacks. The result is a [trace.Recording] for any
// writer, and the samples themselves for writers that count them ([trace.SnapshotWriter]): a stack
// found in five consecutive dumps yields the events of one dump, but its count is five. Package
// timeline is the counterpart for files of begins and ends of calls, and package format/dmtrace
// reads method traces.
//
// # Formats
//
// Each format ([Format]) has a package of its own with its parser and its description. The format
// of a file is detected from its content ([Detect]); gzip is decompressed, UTF-16 is read as well
// as UTF-8. Marks that emails, issues, pages and diffs add to the lines of a quoted file are
// removed ([decode.Excerpt]). A file can hold any number of dumps, a folder any number of files.
// Lines that belong to no dump are skipped. Warnings with file and line report unrecognized lines
// within a thread, truncated dumps, and threads that occur twice in a dump. Memory is needed for
// one dump and for the table of distinct frames. If the samples of a format are unordered, or their
// names are at the end of the file, they are gathered first ([Samples]), which needs 32 bytes per
// sample in addition to the distinct stacks.
//
// The common parts of parsers are in this package: lines ([Input], [Lines]), documents of JSON
// ([JSON], [WholeJSON]), frames ([Frames]), locks, dates, and the CPU time that a sample represents
// ([OfCPU]).
//
// # Times and threads
//
// The time of a dump is its time since the first dump. Dumps without a time are [Config.Interval]
// apart, and so are dumps of one process within one second if their dates have whole seconds only.
// Processes dumped at the same time have the same time in the trace. A thread that is missing in a
// dump of its process leaves all its frames at that dump. Frames open at the end remain open, as in
// a trace that ART stops, unless [Config.Ends] is set.
package stackdump

import (
	"bytes"
	"io"
	"time"

	"artifice/internal/decode"
)

// Format describes a format of dumps. Each format has its own package below package format.
type Format struct {
	Name string // name in the list of formats
	Codec

	Binary bool // not text: Input has no lines, and no character set is converted
	Vague  bool // much other text looks similar, so the format is tried last
	Sums   bool // stacks are sums without times and without order
	// a file has few dumps of a process, which show the state of its threads and no durations
	Few bool
	// samples are of one or more events; [ReaderConfig.Event] selects one
	Events bool

	OneFile bool // all dumps of a run are written to one file
}

// Codec detects and parses files of a format. A codec of a format that can be written implements
// [Printer]. A codec of a format with addresses in place of names implements [NameFinder]. A codec
// of dumps that logs contain with a prefix before each line implements [Logged].
type Codec interface {
	// Detect reports whether a file that begins with head is of this format.
	Detect(head []byte) bool
	// Parser returns a parser of a file.
	Parser(in Input, file io.Reader, cfg ReaderConfig) Parser
}

// Printer is a [Codec] that can write dumps.
type Printer interface {
	// Encoder returns an encoder for the dumps of a program, taken at phase and then every
	// interval.
	Encoder(interval, phase time.Duration) (Encoder, error)
}

// NameFinder is a [Codec] of files that contain addresses of methods.
type NameFinder interface {
	// FindNames returns the file with the names of a file's methods: the file with the usual name
	// in the same folder, or "" if there is none.
	FindNames(file string) string
}

// Logged is a [Codec] of dumps that logs contain.
type Logged interface {
	// Starts returns the beginnings of the first line of a dump.
	Starts() []string
}

// Written reports whether dumps can be written in the format.
func (f *Format) Written() bool {
	_, ok := f.Codec.(Printer)
	return ok
}

// Numbered reports whether files of the format contain addresses of methods in place of names.
func (f *Format) Numbered() bool {
	_, ok := f.Codec.(NameFinder)
	return ok
}

// String returns the format's name.
func (f *Format) String() string {
	if f == nil {
		return "no format"
	}
	return f.Name
}

// SniffLen is the number of decompressed bytes that [Detect] examines. In a log, a dump may begin
// that far from the beginning.
const SniffLen = 1 << 20

// Head returns up to [SniffLen] bytes at the beginning of the file that [Codec.Parser] receives,
// without consuming them; nil if it cannot.
func Head(file io.Reader) []byte {
	peeker, ok := file.(interface{ Peek(int) ([]byte, error) })
	if !ok {
		return nil
	}
	head, _ := peeker.Peek(SniffLen)
	return head
}

// Detect determines the format of a file from its beginning, which is UTF-8 if it is text. It
// returns nil if no format matches. Vague formats are tried last.
func Detect(head []byte, formats []*Format) *Format {
	for _, vague := range []bool{false, true} {
		for _, f := range formats {
			if f.Vague == vague && f.Fits(head) {
				return f
			}
		}
	}
	return nil
}

// Fits reports whether a file with this beginning is in the format, is a log with dumps of the
// format ([Logged]), or quotes such a file ([decode.Excerpt]).
func (f *Format) Fits(head []byte) bool {
	_, ok := f.excerpt(head)
	return ok
}

// Quoted reports whether a file with this beginning quotes a file of the format.
func (f *Format) Quoted(head []byte) bool {
	if f.Binary || !isText(head) {
		return false
	}
	_, ok := f.quoted(head)
	return ok
}

// quoted returns how a text quotes a file of the format. ok is false if it quotes none.
func (f *Format) quoted(text []byte) (e decode.Excerpt, ok bool) {
	e = decode.FindExcerpt(text)
	return e, e.IsSet() && f.plain(e.Text(text))
}

// excerpt returns how a file with this beginning quotes a file of the format. ok is false if it is
// not of the format.
func (f *Format) excerpt(head []byte) (e decode.Excerpt, ok bool) {
	if f.Binary {
		return e, f.Detect(head)
	}
	if !isText(head) {
		return e, false
	}
	if e, ok := f.quoted(head); ok {
		return e, true
	}
	if f.plain(head) {
		return e, true
	}
	e = decode.FindIndent(head)
	return e, e.IsSet() && f.plain(e.Text(head))
}

// plain reports whether text begins a file of the format or a log with dumps of the format.
func (f *Format) plain(text []byte) bool { return f.Detect(text) || inLog(text, f.Codec) }

// isText reports whether head can begin a dump: binary files and method traces
// do not.
func isText(head []byte) bool {
	return bytes.IndexByte(head[:min(len(head), 512)], 0) < 0 && !bytes.HasPrefix(head, []byte("*version\n"))
}

// HasLine reports whether some line of text begins with start.
func HasLine(text []byte, prefix string) bool {
	return bytes.HasPrefix(text, []byte(prefix)) || bytes.Contains(text, []byte("\n"+prefix))
}

// HasJSONKey reports whether head is the beginning of a JSON object and contains the key.
func HasJSONKey(head []byte, key string) bool {
	text := bytes.TrimLeft(head, " \t\r\n")
	return len(text) > 0 && text[0] == '{' && bytes.Contains(text, []byte(`"`+key+`"`))
}
