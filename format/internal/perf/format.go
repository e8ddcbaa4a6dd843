// Package perf reads the text of perf script: each sample has a head line with command, thread,
// time and event, then its frames, then an empty line. In files without stacks the leaf is in the
// head line. A thread is identified by tid and command. Names have the form of
// stackcollapse-perf.pl --all, except that parentheses that are part of a name are kept. If a file
// has several events, one of them is read ([stackdump.Events]). A sample represents CPU time. If
// the event is cpu-clock or task-clock, its count is the time in ns. Counts of other events are
// scaled so that the median count of the first 4096 samples is a period. The period is 1/N s if the
// file states perf's option "-F N", else the median time between two samples of a thread. If
// samples of CPU time are accompanied by context switches, these are waits. On the wall clock a
// sample lasts for its CPU time; if a thread has no sample for longer, it did not run and has no
// frame. Samples without a time are one interval apart. All frames are kept unless
// [stackdump.Config.Include] selects only some of them.
//
// If no head has a thread (perf script -F ip,sym), samples of one command are read as samples of
// one thread. Frames without heads are read if empty lines separate the stacks.
//
// Tests read real text of perf 3.13.
package perf

import (
	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
)

// Format is the text format of perf script.
var Format = kind.OfDumps(kind.Format{
	Name: "perf", About: "output of perf script",
}, stackdump.Format{Codec: codec{}, Events: true})
