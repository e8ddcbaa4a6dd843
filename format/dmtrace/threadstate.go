package dmtrace

import (
	"artifice/trace"
)

// thread is the thread that a record's tid names now.
type thread struct {
	frames
	Clocks
	place int32 // 1 + its index; 0 for none
	low   int32 // in a run that is decoded ahead: what its frames count from, the fewest there were
}

// frames are a thread's open frames, in the lower half, and how many more it may open,
// in the upper one. Where an event would make either less than 0, changes sets the top
// bit of that half; so does any event of a thread that there is not, which has 0 and 0.
type frames uint64

func framesOf(open, left int32) frames { return frames(left)<<32 | frames(open) }

func (f frames) open() int32 { return int32(f) }
func (f frames) left() int32 { return int32(f >> 32) }

// closed is what an exit adds to frames: one fewer is open, and one more may be opened.
var closed frames = 1<<32 - 1

// changes are what an event adds to its thread's frames, by its action. The reserved one
// sets a top bit.
var changes = [4]frames{trace.Enter: -closed, trace.Exit: closed, trace.Unwind: closed, 3: 1 << 63}

// tops are the top bits of the halves of frames, and of what clocks show.
const tops = 1<<63 | 1<<31

// widen counts an event of that action in a run that is decoded ahead, where frames may
// be fewer than those that were open at first, or more than there ever were.
func (t *thread) widen(a trace.Action) {
	open, left := t.frames.open(), t.frames.left()
	switch {
	case a == trace.Enter:
		t.frames = framesOf(open+1, max(left-1, 0))
	case open == 0:
		t.low--
		t.frames = framesOf(0, left+1)
	default:
		t.frames = framesOf(open-1, left+1)
	}
}
