package stackdump

import (
	"bytes"
	"io"
	"time"
)

// Format is one of the forms in which dumps come: how a file of it is known, what reads it and
// what writes it. Each has a folder of package format.
type Format struct {
	Name   string                                                  // as the list of formats has it
	Detect func(head []byte) bool                                  // whether a file that begins so is of this format
	Parser func(in Input, file io.Reader, cfg ReaderConfig) Parser // reads a file; of a binary one Input has no lines

	Binary bool // no text: lines are not looked for, nor another character set
	Vague  bool // much other text looks like it: it is tried when no other format fits
	Sums   bool // stacks are sums: they were taken at no times, and in no order
	Few    bool // dumps of a process are few: they show what its threads do and wait for, and no times

	// NamesBeside returns the file that names the methods of another one, which has their
	// addresses: the one of the usual name in its folder, "" where there is none. nil: files of
	// the format have names.
	NamesBeside func(file string) string

	// Encoder returns what writes dumps of a program that come interval apart from phase on. nil:
	// they are not written.
	Encoder func(interval, phase time.Duration) (Encoder, error)
	OneFile bool // all dumps of a run are written into one file
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

// Detect tells which of the formats a file is of from its beginning, which is UTF-8 where it is
// text; nil when it is none of them. Vague ones are tried last.
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
