package trace

import (
	"fmt"
	"io"
)

// FormatError is what is wrong with the content of a file, and where. It wraps
// its cause; for a file that is cut short that is [io.ErrUnexpectedEOF].
type FormatError struct {
	Name   string // of the file
	Offset int64  // where the error begins, in decompressed bytes from the start; -1 when it is not about one place
	Line   int    // of a text file, from 1; 0 when it is not about one line
	Msg    string // what is wrong and, where that is not plain, what to do; empty when the cause says it
	Err    error  // nil when the content is wrong, not its reading
	Part   Part   // the part of the file with the error, where readers treat that part differently
}

// Part is a part of a method trace in which readers stumble in their own ways.
type Part string

const (
	InSummary Part = "summary" // the text of a summary
	InBlock   Part = "block"   // the records of a block of V2
)

// Error returns "name: offset 1234: message: cause" or "name:12: message: cause",
// without the parts that are not there.
func (e *FormatError) Error() string {
	s := e.Name
	switch {
	case e.Line > 0:
		s = fmt.Sprintf("%s:%d", s, e.Line)
	case e.Offset >= 0:
		s = fmt.Sprintf("%s: offset %d", s, e.Offset)
	}
	switch {
	case e.Msg != "":
		s += ": " + e.Msg
	case e.Err == io.ErrUnexpectedEOF:
		s += ": the file is cut off"
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }
