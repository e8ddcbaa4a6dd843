package sampler

import (
	"time"

	"artifice/art"
	"artifice/trace"
)

// file is a store that gives samples the order and layout of a runtime's file.
type file struct {
	log     *art.Log
	sampled *trace.Recording
	offset  time.Duration // of all times: what the measuring of the clocks took
	moved   []trace.Event
	listed  int // threads of the symbols that are in the runtime's list
}

// newFile returns the file of a sampled recording, of which it uses symbols and
// info. All its threads are in the runtime's list from the start on, in the
// order of the symbols.
func newFile(sampled *trace.Recording, cfg *Config) (*file, error) {
	info := &sampled.Info
	log, err := art.NewLog(sampled, art.Config{
		Runtime: cfg.Runtime, Clock: info.Clock, Streaming: cfg.Streaming, V2: cfg.V2, BufferSize: cfg.BufferSize,
		Technique: trace.Sampled, ClockOverhead: info.ClockOverhead, Objects: cfg.objects,
	})
	if err != nil {
		return nil, err
	}
	log.Recording().Warnings = sampled.Warnings
	f := &file{log: log, sampled: sampled}
	if cfg.Runtime.ZeroFirst {
		f.offset = art.ClockReads * info.ClockOverhead
	}
	return f, nil
}

// WriteEvents implements [trace.Writer].
func (f *file) WriteEvents(events []trace.Event) error {
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

// endThread ends a thread: after its last event and before what happens later.
func (f *file) endThread(id trace.ThreadID) {
	f.attach()
	f.log.End(id)
}

// attach puts threads that are new in the symbols into the runtime's list.
func (f *file) attach() {
	for ; f.listed < len(f.sampled.Symbols.Threads); f.listed++ {
		f.log.Attach(trace.ThreadID(f.listed))
	}
}

func (f *file) take(p []trace.Event) int { return f.log.Take(p) }

// stop ends the trace when the sampling has ended.
func (f *file) stop() error {
	f.attach()
	return f.log.Stop(f.sampled.Info.Elapsed + f.offset)
}
