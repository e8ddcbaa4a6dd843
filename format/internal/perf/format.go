// Package perf reads the text of perf script: a head line with command, thread, time and event,
// frames beneath it, an empty line. Without stacks the leaf follows the head. Each sample is of one
// thread, which is known by tid and command. Names come as stackcollapse-perf.pl --all has them,
// but parentheses that are part of a name stay. If a file has several events, one is read
// ([stackdump.Events]). A sample is CPU time: as many ns as it counts where the event is cpu-clock
// or task-clock. Counts of other events are not times; they are scaled so that the median of the
// first 4096 samples is a period: 1/N s where the head has perf's "-F N", else the median distance
// of two samples of a thread. Context switches beside samples of CPU time are waits. On the wall
// clock a sample lasts for its CPU time; a thread without samples for longer did not run and has no
// frame. Samples without a time are one interval apart. All frames are kept unless
// [stackdump.Config.Include] selects some.
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
