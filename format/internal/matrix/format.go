// Package matrix reads the records of Tencent's Matrix about slow messages on the main thread: the
// stacks of its reports, and the ring buffer from which the reports are made. Methods are numbers;
// 1048574 is Handler.dispatchMessage.
package matrix

import (
	"artifice/format/internal/kind"
	"artifice/format/internal/timeline"
)

// Report is the format of a report's stack. It has a line "depth,method,count,ms" for each method
// of a slow message on the main thread, in the order of their starts; the outermost method has
// depth 0. Reports state durations without start times. The reader therefore places the callees of
// a method one after the other from the method's start on. A line for several calls becomes one
// call of their total time.
var Report = kind.OfCalls(kind.Format{
	Name: "matrix", About: "the stack in a report of Matrix: depth, method, count and ms of each call", Sniff: isReport,
}, timeline.Format{Read: readReport, Numbered: true})

// Buffer is the format of the buffer in which Matrix records the calls of the main thread
// (AppMethodBeat). It contains a word of 8 bytes for each begin and end, little or big endian:
//
//	bit 63       1 for a begin
//	bits 62-43   method
//	bits 42-0    ms, by a clock that Matrix reads every 5 ms
//
// The bits are those of mergeData in AppMethodBeat.java, the clock that of its
// TIME_UPDATE_CYCLE_MS. The buffer is a ring of a million words (BUFFER_SIZE): a full one wraps
// around, so times step back once. A word of 0 was never written. Matrix itself keeps the buffer in
// memory. The file's layout is inferred: words in order, in either byte order, as in a dump of the
// array.
//
// Calls are found as Matrix finds them in a message (structuredDataToStack of TraceDataUtils.java).
// Words before the first begin of Handler.dispatchMessage are ignored. An end closes the innermost
// call of its method; callees of that call without an end are lost. An end of a method that is not
// open is ignored. Open calls last until the last word.
var Buffer = kind.OfCalls(kind.Format{
	Name: "matrix-buffer", About: "Matrix's ring buffer of begins and ends of calls",
	Sniff: func(head []byte) bool { return orderOf(head) != nil },
}, timeline.Format{Read: readBuffer, Numbered: true, Binary: true})
