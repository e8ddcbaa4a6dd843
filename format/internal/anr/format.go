// Package anr reads and writes the thread dumps that Android's runtimes print on SIGQUIT: ANR
// files, the output of kill -3, and exit-info traces. A dump is one process, from "----- pid N at
// DATE" to "----- end N"; its time is the date, local, to the second before Android 12 and to the
// nanosecond since. A thread has a line with its quoted name, lines that begin with "| " (sysTid is
// its identity, and the first number of schedstat its CPU time), and its frames, innermost first:
// "at …" is managed, "native: #00 pc …" or "#00 pc …" machine code, "kernel: …" the kernel. "...
// repeated N times" means N+1 more frames, because ART prints three of a run and counts the fifth
// as the first. Blocks of waiting channels hold no stacks and are skipped. The names of threads of
// a file's second and later processes contain the process.
//
// The dumps that Play Console and Crashlytics show are parts of one: threads without head and end.
//
// Tests read real dumps of ART of Android 13, 7 and older; Dalvik's are read according to its
// source code.
package anr

import (
	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
)

// Tombstone is the tombstones of debuggerd: a native stack for each thread of a process that a
// signal stopped, in a file or in the system log.
var Tombstone = kind.OfDumps(kind.Format{
	Name: "tombstone", About: "tombstones of Android's debuggerd: native stacks of a crashed process, in a file or a log",
}, stackdump.Format{Codec: tombstones{}, Few: true})

// Format is ANR files and their like.
var Format = kind.OfDumps(kind.Format{
	Name: "anr", About: "stack dumps of Android's runtimes: ANR files, kill -3, exit-info traces",
}, stackdump.Format{
	Codec: codec{}, Few: true,
})
