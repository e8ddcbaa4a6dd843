// Package perf reads the text of perf script: a head line with command, thread, time and
// event, frames beneath it, an empty line. Each sample is of one thread, which is known by
// tid and command. Names come as stackcollapse-perf.pl --all has them. Only samples of the first
// sample's event are taken. A sample is CPU time: as many ns as it counts where the event is
// cpu-clock or task-clock. Counts of other events are not times; they are scaled so that the median of
// the first 4096 samples is a period: 1/N s where the head has perf's "-F N", else the
// median distance of two samples of a thread. perf does not sample a thread that
// waits, so on the wall clock slices go on until the thread's next
// sample unless [stackdump.Config.SliceEnd] says otherwise. Samples without a time are one
// interval apart. All frames are kept unless [stackdump.Config.Include] says otherwise.
//
// Tests read real text of perf 3.13.
package perf

import (
	"artifice/format/internal/kind"
	"artifice/format/internal/stackdump"
)

// Format is the text of perf script.
var Format = kind.OfDumps(kind.Format{
	Name: "perf", About: "the text of perf script",
}, stackdump.Format{Codec: codec{}})
