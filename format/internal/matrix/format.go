// Package matrix reads what Tencent's Matrix records of slow messages on the main thread:
// the stacks of its reports, and the ring buffer from which it makes them. Methods are numbers;
// 1048574 is Handler.dispatchMessage.
package matrix

import (
	"artifice/format/internal/kind"
	"artifice/format/internal/timeline"
)

// Report is the stack of a report: a line "depth,method,count,ms" for each method of a slow
// message on the main thread, in the order of their starts, the outermost at depth 0. Reports
// state durations without start times: the reader places callees one after the other from the
// start of their caller. A line for several calls becomes one call of their total time.
var Report = kind.OfCalls(kind.Format{
	Name: "matrix", About: "the stack of a report of Matrix: depth, method, count, ms", Sniff: isReport,
}, timeline.Format{Read: readReport, Numbered: true})

// Buffer is the buffer in which Matrix gathers the calls of the main
// thread (AppMethodBeat), a word of 8 bytes for each begin and end, little or big
// endian:
//
//	bit 63       1 for a begin
//	bits 62-43   method
//	bits 42-0    ms, by a clock that Matrix reads every 5 ms
//
// The bits are those of mergeData in AppMethodBeat.java, the clock that of its
// TIME_UPDATE_CYCLE_MS. The buffer is a ring of a million words (BUFFER_SIZE): a full one wraps
// around, so times step back once. A word of 0 was never written. Matrix itself keeps the buffer
// in memory. The file's layout, the words in order and in either byte order, is inferred: a dump
// of the array would look like that.
//
// Calls are found as Matrix finds them in a message (structuredDataToStack of
// TraceDataUtils.java). Words before the first begin of Handler.dispatchMessage are ignored. An
// end closes the innermost call of its method; calls inside without an end are lost. An end of a
// method that is not open is ignored. Open calls last until the last word.
var Buffer = kind.OfCalls(kind.Format{
	Name: "matrix-buffer", About: "Matrix's ring buffer of begins and ends, 8 bytes each",
	Sniff: func(head []byte) bool { return orderOf(head) != nil },
}, timeline.Format{Read: readBuffer, Numbered: true, Binary: true})
