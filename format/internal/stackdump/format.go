package stackdump

import (
	"bytes"
	"io"
	"time"
)

// Format describes a format of dumps. Each has a package of its own below package format.
type Format struct {
	Name string // in the list of formats
	Codec

	Binary bool // not text: Input has no lines, and no character set is converted
	Vague  bool // much other text looks like it: it is tried when no other format fits
	Sums   bool // stacks are sums without times and without order
	Few    bool // dumps of a process are few: they show the state of its threads, and no times

	OneFile bool // all dumps of a run are written into one file
}

// Codec detects and parses files of a format. Codecs of formats that are written implement
// [Printer], and those of formats with addresses in place of names implement [NameFinder].
type Codec interface {
	// Detect reports whether a file that begins with head is of this format.
	Detect(head []byte) bool
	// Parser returns a parser of a file.
	Parser(in Input, file io.Reader, cfg ReaderConfig) Parser
}

// Printer is a [Codec] in which dumps can be written.
type Printer interface {
	// Encoder returns an encoder of the dumps of a program that are interval apart, beginning at
	// phase.
	Encoder(interval, phase time.Duration) (Encoder, error)
}

// NameFinder is a [Codec] of files that have the addresses of methods.
type NameFinder interface {
	// FindNames returns the file with the names of a file's methods: the one of the usual name in
	// its folder, "" if there is none.
	FindNames(file string) string
}

// Written reports whether dumps can be written in the format.
func (f *Format) Written() bool {
	_, ok := f.Codec.(Printer)
	return ok
}

// Numbered reports whether files of the format have addresses of methods in place of names.
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

// SniffLen is how many bytes of a file, unpacked, [Detect] wants to see. A
// dump may begin that far into a log.
const SniffLen = 1 << 20

// Detect determines the format of a file by its beginning, which is UTF-8 if it is text; nil if it
// is none of them. Vague formats are tried last.
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

// Fits reports whether a file that begins so is of the format.
func (f *Format) Fits(head []byte) bool { return (f.Binary || isText(head)) && f.Detect(head) }

// isText reports whether head can begin a dump: binary files and method traces
// do not.
func isText(head []byte) bool {
	return bytes.IndexByte(head[:min(len(head), 512)], 0) < 0 && !bytes.HasPrefix(head, []byte("*version\n"))
}

// HasLine reports whether a line of text begins so.
func HasLine(text []byte, prefix string) bool {
	return bytes.HasPrefix(text, []byte(prefix)) || bytes.Contains(text, []byte("\n"+prefix))
}

// HasJSONKey reports whether head begins a JSON object and has the key somewhere.
func HasJSONKey(head []byte, key string) bool {
	text := bytes.TrimLeft(head, " \t\r\n")
	return len(text) > 0 && text[0] == '{' && bytes.Contains(text, []byte(`"`+key+`"`))
}
