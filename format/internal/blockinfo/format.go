// Package blockinfo reads BlockCanaryX's reports of a blocked main thread, one JSON
// object each:
//
//	{"startTime":ms,"endTime":ms,"dispatchFinish":bool,"sampleInterval":50,
//	 "stackTraceSamples":[{"time":ms,"stackTraceElements":[
//	   {"declaringClass":"a.B","methodName":"m","fileName":"B.java","lineNumber":12},…]},…]}
//
// Times are ms since 1970, frames innermost first, a native method has line -2.
// The reader follows the tool's source; it is not validated against a real report.
package blockinfo

import (
	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
)

// Format is the format of BlockCanaryX's reports.
var Format = kind.OfDumps(kind.Format{
	Name: "blockinfo", About: "BlockCanaryX's .blockInfo reports",
}, stackdump.Format{Codec: codec{}})
