package art

import (
	"time"

	"artifice/trace"
)

// SampledFile gives the events of a sampler the order and layout of a runtime's file.
type SampledFile struct {
	log     *Log
	sampled *trace.Recording
	offset  time.Duration // added to all times: the duration of the clock measurement
	moved   []trace.Event
	listed  int // number of threads of the symbols in the runtime's list
}

// NewSampledFile returns the file of a sampled recording. It uses the recording's symbols and info.
// All its threads are in the runtime's list from the start on, in the order of the symbols.
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

// EndThread ends a thread. It is called after the thread's last event and before later events.
func (f *SampledFile) EndThread(id trace.ThreadID) {
	f.attach()
	f.log.End(id)
}

// attach adds threads that are new in the symbols to the runtime's list.
func (f *SampledFile) attach() {
	for ; f.listed < len(f.sampled.Symbols.Threads); f.listed++ {
		f.log.Attach(trace.ThreadID(f.listed))
	}
}

// Take moves events that are ready to p, and returns their number.
func (f *SampledFile) Take(p []trace.Event) int { return f.log.Take(p) }

// Recording returns the symbols, info and warnings of the file.
func (f *SampledFile) Recording() *trace.Recording { return f.log.Recording() }

// Stop ends the trace after the sampling has ended.
func (f *SampledFile) Stop() error {
	f.attach()
	return f.log.Stop(f.sampled.Info.Elapsed + f.offset)
}

// StartOffset returns the minimum time of the first event of a trace of ART 5 to 14. These runtimes
// read their start time first, then read the clocks 32000 times to measure their cost (Trace::Trace
// calls GetClockOverheadNanoSeconds); the header states the mean. StartOffset returns 0 if the
// header states no mean, and for Dalvik. ART 15 and later read their start time after the
// measurement. Their files are indistinguishable from those of older releases, so the result is
// only a possible offset for them.
func StartOffset(info *trace.Info) time.Duration {
	if info.VM != "art" || info.Technique == trace.Truth {
		return 0
	}
	return ClockReads * info.ClockOverhead
}
