// Package matrix reads what Tencent's Matrix records of slow messages on the main thread:
// the stacks of its reports, and the ring buffer from which it makes them. Methods are numbers;
// 1048574 is Handler.dispatchMessage.
package matrix

import (
	"artifice/format/internal/kind"
	"artifice/format/internal/timeline"
)

// Report is the stack of a report, a line
// "depth,method,count,ms" for each method of a slow message on the main thread, in
// the order of their begins, the outermost at depth 0. Reports say how long a
// method took and not when: callees are put one after the other from the begin of
// their caller on. A line that stands for several calls becomes one call of their total
// time.
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
// TIME_UPDATE_CYCLE_MS, and it is a ring of a million words (BUFFER_SIZE): one that was
// filled goes on at its beginning, so that times step back once. A word of 0 was never
// written. Matrix itself keeps the buffer in memory; that a file has its words one after
// the other, in either order of bytes, is inferred: a dump of the array would look like that.
//
// Calls are found as Matrix finds them in a message (structuredDataToStack of
// TraceDataUtils.java): what comes before the first begin of Handler.dispatchMessage is
// left out; an end closes the innermost call of its method, and calls inside that have
// no end are lost; an end of a method that is not open is left out. What is open at the
// end lasts until then.
var Buffer = kind.OfCalls(kind.Format{
	Name: "matrix-buffer", About: "Matrix's ring buffer of begins and ends, 8 bytes each",
	Sniff: func(head []byte) bool { return orderOf(head) != nil },
}, timeline.Format{Read: readBuffer, Numbered: true, Binary: true})
