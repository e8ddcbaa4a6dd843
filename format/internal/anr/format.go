// Package anr reads and writes the thread dumps that Android's runtimes print on SIGQUIT: ANR
// files, the output of kill -3, and exit-info traces. A dump contains one process, from "----- pid
// N at DATE" to "----- end N". Its time is the date, in local time, with a resolution of a second
// before Android 12 and of a nanosecond since. A thread has a line with its quoted name, lines that
// begin with "| " (sysTid is its identity, and the first number of schedstat its CPU time), and its
// frames, innermost first. A frame "at …" is managed code, "native: #00 pc …" or "#00 pc …" machine
// code, and "kernel: …" the kernel. "... repeated N times" means N+1 more frames, because ART
// prints three of a run and counts the fifth as the first. Blocks of waiting channels hold no
// stacks and are skipped. The names of threads of a file's second and later processes contain the
// process.
//
// The dumps shown by Play Console and Crashlytics are parts of a dump: threads without a head and
// an end.
//
// Tests read real dumps of ART of Android 13, 7 and older. The reader of Dalvik's dumps follows
// Dalvik's source code.
package anr

import (
	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
)

// Tombstone is the format of debuggerd's tombstones, in a file or in the system log: a native stack
// for each thread of a process that was stopped by a signal.
var Tombstone = kind.OfDumps(kind.Format{
	Name: "tombstone", About: "tombstones of Android's debuggerd: native stacks of a crashed process, in a file or a log",
}, stackdump.Format{Codec: tombstones{}, Few: true})

// Format is the format of ANR files and similar dumps.
var Format = kind.OfDumps(kind.Format{
	Name: "anr", About: "stack dumps of ART and Dalvik, as in ANR files, the output of kill -3 and ApplicationExitInfo",
}, stackdump.Format{
	Codec: codec{}, Few: true,
})
