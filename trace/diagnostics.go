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

// Warning is something odd in a source or a recording that did not stop the
// work. Warnings travel with the [Recording]; programs tell them apart by their
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

// WarningCode is a kind of warning.
type WarningCode string

// Of files in the formats of Android's method tracers.
const (
	WarnMore           WarningCode = "more"             // so many more warnings were left out
	WarnClockAssumed   WarningCode = "clock-assumed"    // nothing says which clock the times are of
	WarnClockContested WarningCode = "clock-contested"  // the summary names another clock than the times were read as
	WarnStartTime      WarningCode = "start-time"       // the start time is beyond what can be represented
	WarnCounter        WarningCode = "counter"          // the timestamp counter's frequency is unusual or not known
	WarnNoSummary      WarningCode = "no-summary"       // a streaming file's writer did not finish
	WarnAfterSummary   WarningCode = "after-summary"    // bytes follow the end of the summary
	WarnEventCount     WarningCode = "event-count"      // num-method-calls is not the number of records
	WarnBlockCount     WarningCode = "block-count"      // a block has another number of records than it says
	WarnLayout         WarningCode = "layout"           // bytes would be written back in another way
	WarnAction         WarningCode = "action"           // records have the reserved action
	WarnPadding        WarningCode = "padding"          // bytes past a record's fields are not 0
	WarnRecordSize     WarningCode = "record-size"      // records have another size than the header says
	WarnSections       WarningCode = "sections"         // the key section has its sections in another order
	WarnOption         WarningCode = "option"           // an option's value is no number
	WarnTableLine      WarningCode = "table-line"       // a line of the tables is malformed
	WarnSharedThread   WarningCode = "shared-thread-id" // two threads have the same id in records
	WarnMethodTwice    WarningCode = "method-twice"     // two methods have the same id
	WarnMethodID       WarningCode = "method-id"        // no record can name this method
	WarnSampledTruth   WarningCode = "sampled-truth"    // a trace that is taken for the truth looks sampled
	WarnStepsBack      WarningCode = "steps-back"       // events are earlier than the one before on their thread
	WarnNesting        WarningCode = "nesting"          // exits are of another method than the innermost
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
	WarnDumpEmpty   WarningCode = "dump-empty"   // no thread is of those wanted
)

// Of recordings that a tracer makes.
const (
	WarnNoCPUTime WarningCode = "no-cpu-time" // the source lacks the CPU times that were asked for
	WarnOwnCores  WarningCode = "own-cores"   // the app has cores of its own, and the device's figure of them means nothing
	WarnDeaf      WarningCode = "deaf"        // the runtime ended the recording at its first full buffer
	WarnOverflow  WarningCode = "overflow"    // the buffer was full
	WarnTooDeep   WarningCode = "too-deep"    // samples of deeper stacks than the tracer takes are lost
	WarnCutWalk   WarningCode = "cut-walk"    // walks of stacks failed before their end
)
