// Package jsonlines reads and writes artifice's own format of stack dumps, for programs that dump
// their own stacks in a loop. Each line is an object, one thread at one moment:
//
//	{"time_us":1250,"thread":"main","tid":1,"frames":["a.B.f(B.java:12)","a.B.main(B.java:3)"]}
//
//	time_us   time in us on any clock that does not go back, with a fraction if need be; required
//	thread    the thread's name
//	tid       its number, which is then its identity; without it the name is. One of the two is required
//	frames    innermost first, as Java's StackTraceElement.toString has them, or any text without "(" as a name;
//	          may be empty; required
//	cpu_us    CPU time the thread has used, in us; optional
//	stopped_us
//	          how long the dump paused the program, in us, on the dump's first line; optional
//	pid       process; optional
//	partial   true if the dump contains this thread only; optional
//
// Consecutive lines with the same time are one dump of the process. A thread that is missing in a
// dump is assumed to have left its frames, so read the clock once for all threads. A program that
// cannot do so writes "partial":true. Other members are ignored. A line that is not such an object
// is skipped with a warning.
package jsonlines

import (
	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
)

// Format is the format of stack dumps as JSON lines.
var Format = kind.OfDumps(kind.Format{
	Name: "jsonl", About: "stack dumps as JSON lines, which any program can write",
}, stackdump.Format{
	Codec:   codec{},
	OneFile: true,
})
