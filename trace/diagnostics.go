package trace

import (
	"fmt"
	"io"
)

// FormatError is an error in the content of a file, with its position. It wraps its cause, which is
// [io.ErrUnexpectedEOF] for a truncated file.
type FormatError struct {
	Name   string // name of the file
	Offset int64  // byte offset of the error in the decompressed file; -1 if the error has no single position
	Line   int    // line of a text file, from 1; 0 if the error has no single line
	Msg    string // what is wrong and, unless obvious, how to fix it; empty if Err is sufficient
	Err    error  // cause; nil if the content is invalid and no read failed
	Part   string // "summary" for the summary text of a method trace, "block" for the records of a V2 block; else ""
}

// Error returns "name: offset 1234: message: cause" or "name:12: message: cause", and omits the
// parts that are absent.
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

// Warning is a problem of a source or a recording that did not end its processing. Warnings are
// part of the [Recording]. Programs distinguish them by their code.
type Warning struct {
	Code   WarningCode
	Name   string // name of the file; "" if the warning is not about a file
	Offset int64  // byte offset in the decompressed file; -1 if the warning has no single position
	Line   int    // line of a text file, from 1; 0 if the warning has no single line
	Text   string // one sentence, without the position
}

// String returns "name:12: text" or "name: offset 1234: text", and omits an absent name or
// position.
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

// Warnf returns a warning without a position.
func Warnf(code WarningCode, name, format string, args ...any) Warning {
	return Warning{Code: code, Name: name, Offset: -1, Text: fmt.Sprintf(format, args...)}
}

// WarningCode is a kind of warning. The codes below are used by several packages; other packages
// define their own.
type WarningCode string

// Codes of files in the formats of Android's method tracers.
const (
	WarnMore         WarningCode = "more"             // the number of warnings that were suppressed
	WarnClockAssumed WarningCode = "clock-assumed"    // the file does not state the clock of its times
	WarnNoSummary    WarningCode = "no-summary"       // the writer of a streaming file did not finish
	WarnEventCount   WarningCode = "event-count"      // num-method-calls differs from the number of records
	WarnAction       WarningCode = "action"           // records have the reserved action
	WarnSections     WarningCode = "sections"         // the key section has its sections in an unusual order
	WarnOption       WarningCode = "option"           // the value of an option is not a number
	WarnTableLine    WarningCode = "table-line"       // a line of the tables is malformed
	WarnSharedThread WarningCode = "shared-thread-id" // two threads have the same id in records
	WarnMethodTwice  WarningCode = "method-twice"     // two methods have the same id
	WarnMethodID     WarningCode = "method-id"        // no record can refer to this method
	WarnNesting      WarningCode = "nesting"          // an exit names a method other than the innermost
)

// Codes of stack dumps.
const (
	WarnDumpHead    WarningCode = "dump-head"    // a header or sample lacks a required field
	WarnDumpLine    WarningCode = "dump-line"    // a line is not recognized and is skipped
	WarnDumpText    WarningCode = "dump-text"    // bytes of a name are replaced
	WarnDumpCut     WarningCode = "dump-cut"     // a dump or stack is truncated, or may be
	WarnDumpTime    WarningCode = "dump-time"    // a time is unusable; the dump or sample is placed elsewhere
	WarnDumpThreads WarningCode = "dump-threads" // threads are missing, duplicated or indistinguishable
	WarnDumpLeftOut WarningCode = "dump-leftout" // a file or samples are skipped
	WarnDumpNative  WarningCode = "dump-native"  // a process has native frames only
)

// Codes of recordings made by a tracer.
const (
	WarnOverflow WarningCode = "overflow" // the trace buffer was full
)
