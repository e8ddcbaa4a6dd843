package art

import (
	"time"

	"artifice/trace"
)

// SampledFile is a store that gives samples the order and layout of a runtime's file.
type SampledFile struct {
	log     *Log
	sampled *trace.Recording
	offset  time.Duration // of all times: what the measuring of the clocks took
	moved   []trace.Event
	listed  int // threads of the symbols that are in the runtime's list
}

// NewSampledFile returns the file of a sampled recording, of which it uses symbols and
// info. All its threads are in the runtime's list from the start on, in the
// order of the symbols.
func NewSampledFile(sampled *trace.Recording, cfg Config) (*SampledFile, error) {
	info := &sampled.Info
	cfg.Clock, cfg.Technique, cfg.ClockOverhead = info.Clock, trace.Sampled, info.ClockOverhead
	log, err := NewLog(sampled, cfg)
	if err != nil {
		return nil, err
	}
	log.Recording().Warnings = sampled.Warnings
	f := &SampledFile{log: log, sampled: sampled}
	if cfg.Runtime.ZeroFirst {
		f.offset = ClockReads * info.ClockOverhead
	}
	return f, nil
}

// WriteEvents implements [trace.Writer].
func (f *SampledFile) WriteEvents(events []trace.Event) error {
	f.attach()
	if f.offset > 0 && f.sampled.Info.Clock.HasWall() {
		f.moved = append(f.moved[:0], events...)
		for i := range f.moved {
			f.moved[i].Wall += f.offset
		}
		events = f.moved
	}
	return f.log.WriteEvents(events)
}

// EndThread ends a thread: after its last event and before what happens later.
func (f *SampledFile) EndThread(id trace.ThreadID) {
	f.attach()
	f.log.End(id)
}

// attach puts threads that are new in the symbols into the runtime's list.
func (f *SampledFile) attach() {
	for ; f.listed < len(f.sampled.Symbols.Threads); f.listed++ {
		f.log.Attach(trace.ThreadID(f.listed))
	}
}

// Take moves events that are ready to p, and returns how many.
func (f *SampledFile) Take(p []trace.Event) int { return f.log.Take(p) }

// Recording returns what the file has: symbols, info and warnings.
func (f *SampledFile) Recording() *trace.Recording { return f.log.Recording() }

// Stop ends the trace when the sampling has ended.
func (f *SampledFile) Stop() error {
	f.attach()
	return f.log.Stop(f.sampled.Info.Elapsed + f.offset)
}

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
