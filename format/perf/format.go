// Package perf is the room of the text of perf script: a head line with command, thread, time and
// event, frames beneath it, an empty line. Each sample is one thread's alone; a thread is known by
// tid and command. Names come as stackcollapse-perf.pl --all has them. Only events of the first
// sample's sort are taken. A sample is CPU time: as many ns as it counts where the event is
// cpu-clock or task-clock. What others count is no time and is scaled, so that the middle one of
// the first 4096 samples is a period: 1/N s where the head has perf's "-F N", else the
// median distance of two samples of a thread. What perf does not sample, a thread that
// waits, it does not show: on the wall clock slices go on until the thread's next
// sample unless [stackdump.Config.SliceEnd] says otherwise. Samples without a time are one
// interval apart. All frames are kept unless [stackdump.Config.Include] says otherwise.
//
// Tests read real text of perf 3.13.
package perf

import (
	"artifice/format"
	"artifice/stackdump"
)

// Format is the text of perf script.
var Format = format.OfDumps(format.Format{
	Name: "perf", About: "the text of perf script",
}, stackdump.Format{Detect: detect, Parser: newParser})
