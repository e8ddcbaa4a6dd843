package sampler

import (
	"cmp"
	"slices"

	"artifice/trace"
)

// reorderBuffer buffers the output of a sampler until all threads have reached its tick: a thread
// with a smaller delay meets a tick at a later time of the truth. Memory grows with the differences
// between the threads' delays.
type reorderBuffer struct {
	samples []heldSample
}

// heldSample is the output of one tick for one thread.
type heldSample struct {
	tick     int64
	place    int64 // of the thread in the walk
	events   []trace.Event
	snapshot *trace.Snapshot
	ends     bool // the thread has ended
	thread   trace.ThreadID
}

// add adds output of the current tick of s.
func (o *reorderBuffer) add(s *Sampler, look heldSample) {
	look.tick = s.ticks
	look.place = int64(look.thread)
	if s.cfg.Runtime.NewestFirst && look.thread > 0 {
		look.place = trace.MaxThreads - look.place
	}
	if look.ends {
		look.place = -1
	}
	o.samples = append(o.samples, look)
}

// flush writes the output of the ticks before the k-th.
func (o *reorderBuffer) flush(s *Sampler, k int64) error {
	slices.SortStableFunc(o.samples, func(a, b heldSample) int {
		if a.tick != b.tick {
			return cmp.Compare(a.tick, b.tick)
		}
		return cmp.Compare(a.place, b.place)
	})
	n := 0
	for ; n < len(o.samples) && o.samples[n].tick < k; n++ {
		look := &o.samples[n]
		switch {
		case look.ends:
			s.file.EndThread(look.thread)
		case look.snapshot != nil && s.err == nil:
			s.err = s.snaps.WriteSnapshot(look.snapshot)
		case look.events != nil:
			if fit := s.record(len(look.events)); fit > 0 {
				s.err = s.out.WriteEvents(look.events[:fit])
			}
		}
		*look = heldSample{}
	}
	o.samples = slices.Delete(o.samples, 0, n)
	return s.err
}
