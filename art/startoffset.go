package art

import (
	"time"

	"artifice/trace"
)

// StartOffset returns how long after its time zero a trace of ART 5 to 14 can have
// its first event at the earliest: these read their start time first, then the
// clocks, 32000 times, to measure what that costs (Trace::Trace calls
// GetClockOverheadNanoSeconds), and the header has the mean. It is 0 where the
// header has none, and for a runtime that takes its start time later. Files of ART
// 15 and later look the same; of these it is only possible.
func StartOffset(info *trace.Info) time.Duration {
	if info.VM != "art" || info.Technique == trace.Truth {
		return 0
	}
	return ClockReads * info.ClockOverhead
}
