package trace

import (
	"fmt"
	"io"
)

// FormatError is an error in the content of a file, with its place. It wraps
// its cause, which is [io.ErrUnexpectedEOF] for a truncated file.
type FormatError struct {
	Name   string // of the file
	Offset int64  // where the error begins, in decompressed bytes from the start; -1 when it is not about one place
	Line   int    // of a text file, from 1; 0 when it is not about one line
	Msg    string // what is wrong and, where that is not plain, what to do; empty when the cause says it
	Err    error  // nil when the content is wrong, not its reading
	Part   string // "summary" in the text of a method trace's summary, "block" in the records of a block of format V2; else ""
}

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

// Warning is a problem of a source or a recording that did not end its
// processing. Warnings are part of the [Recording]; programs distinguish them by their
// code.
type Warning struct {
	Code   WarningCode
	Name   string // of the file; "" for one that is about no file
	Offset int64  // bytes from the file's start, decompressed; -1 when it is not about one place
	Line   int    // of a text file, from 1; 0 when it is not about one line
	Text   string // a sentence without the place
}

// String returns "name:12: text", "name: offset 1234: text", or less where there
// is no name or place.
func (w Warning) String() string {
	s := w.Text
	if w.Offset >= 0 {
		s = fmt.Sprintf("offset %d: %s", w.Offset, s)
	}
	switch {
	case w.Name == "":
		return s
	case w.Line > 0:
		return fmt.Sprintf("%s:%d: %s", w.Name, w.Line, s)
	}
	return w.Name + ": " + s
}

// Warnf returns a warning that is about no one place.
func Warnf(code WarningCode, name, format string, args ...any) Warning {
	return Warning{Code: code, Name: name, Offset: -1, Text: fmt.Sprintf(format, args...)}
}

// WarningCode is a kind of warning. The codes below are shared by packages; others are those of one
// package.
type WarningCode string

// Of files in the formats of Android's method tracers.
const (
	WarnMore         WarningCode = "more"             // so many more warnings were left out
	WarnClockAssumed WarningCode = "clock-assumed"    // nothing says which clock the times are of
	WarnNoSummary    WarningCode = "no-summary"       // a streaming file's writer did not finish
	WarnEventCount   WarningCode = "event-count"      // num-method-calls is not the number of records
	WarnAction       WarningCode = "action"           // records have the reserved action
	WarnSections     WarningCode = "sections"         // the key section has its sections in another order
	WarnOption       WarningCode = "option"           // an option's value is no number
	WarnTableLine    WarningCode = "table-line"       // a line of the tables is malformed
	WarnSharedThread WarningCode = "shared-thread-id" // two threads have the same id in records
	WarnMethodTwice  WarningCode = "method-twice"     // two methods have the same id
	WarnMethodID     WarningCode = "method-id"        // no record can name this method
	WarnNesting      WarningCode = "nesting"          // exits are of another method than the innermost
)

// Of stack dumps.
const (
	WarnDumpHead    WarningCode = "dump-head"    // a head or sample lacks what it should tell
	WarnDumpLine    WarningCode = "dump-line"    // a line is not understood and left out
	WarnDumpText    WarningCode = "dump-text"    // bytes of a name are replaced
	WarnDumpCut     WarningCode = "dump-cut"     // a dump or stack is cut, or may be
	WarnDumpTime    WarningCode = "dump-time"    // a time is unusable; the dump or sample is placed elsewhere
	WarnDumpThreads WarningCode = "dump-threads" // threads are missing, there twice, or not told apart
	WarnDumpLeftOut WarningCode = "dump-leftout" // a file or samples are left out
	WarnDumpNative  WarningCode = "dump-native"  // a process has native frames only
)

// Of recordings that a tracer makes.
const (
	WarnOverflow WarningCode = "overflow" // the buffer was full
)
