package sampler

import (
	"cmp"
	"slices"

	"artifice/trace"
)

// ordered keeps what a sampler writes until all threads have got to its tick: a thread
// that is less late than others meets a tick at a later time of the truth. Memory grows
// with how far threads are apart.
type ordered struct {
	looks []orderedLook
}

// orderedLook is what one tick wrote of one thread.
type orderedLook struct {
	tick   int64
	place  int64 // of the thread in the walk
	events []trace.Event
	snap   *trace.Snapshot
	ends   bool // the thread has ended
	thread trace.ThreadID
}

// add keeps what is written at the current tick of s.
func (o *ordered) add(s *Sampler, look orderedLook) {
	look.tick = s.ticks
	look.place = int64(look.thread)
	if s.cfg.Runtime.NewestFirst && look.thread > 0 {
		look.place = trace.MaxThreads - look.place
	}
	if look.ends {
		look.place = -1
	}
	o.looks = append(o.looks, look)
}

// flush writes what ticks before the k-th have written.
func (o *ordered) flush(s *Sampler, k int64) error {
	slices.SortStableFunc(o.looks, func(a, b orderedLook) int {
		if a.tick != b.tick {
			return cmp.Compare(a.tick, b.tick)
		}
		return cmp.Compare(a.place, b.place)
	})
	n := 0
	for ; n < len(o.looks) && o.looks[n].tick < k; n++ {
		look := &o.looks[n]
		switch {
		case look.ends:
			s.file.EndThread(look.thread)
		case look.snap != nil && s.err == nil:
			s.err = s.snaps.WriteSnapshot(look.snap)
		case look.events != nil:
			if fit := s.record(len(look.events)); fit > 0 {
				s.err = s.out.WriteEvents(look.events[:fit])
			}
		}
		*look = orderedLook{}
	}
	o.looks = slices.Delete(o.looks, 0, n)
	return s.err
}
