package diffstack

import "artifice/trace"

// Stack is the open frames of one thread, outermost first, each with the number
// it got at its entry. The caller takes the numbers from one growing counter,
// so they grow with depth as well. The zero value is an empty stack.
//
// An observer that remembers a stack and the counter's value at that moment can
// later ask with [Stack.Common] what is left of it. Any number of observers
// share one Stack.
type Stack struct {
	depth   int
	methods []trace.MethodID // of the open frames, and room for others
	entries []entry
}

// entry is the number of a frame and, in the low byte, the site it was called
// from: so sites take no room, and numbers compare as before.
type entry uint64

func newEntry(number uint64, site trace.Site) entry { return entry(number<<8 | uint64(site)) }

// Apply lets e change the stack as [trace.EffectOf] says, and returns that. An enter
// from that call site is the number-th: a number above all those given before and
// below 2^56. For an event that closes a frame, closed is that frame's method.
func (s *Stack) Apply(e *trace.Event, site trace.Site, number uint64) (closed trace.MethodID, effect trace.Effect) {
	closed, _ = s.Innermost()
	effect = trace.EffectOf(e, s.depth, closed)
	if s.Full() {
		s.grow()
	}
	s.Change(e, site, number)
	return closed, effect
}

// Full reports whether there is no room for another frame.
func (s *Stack) Full() bool { return s.depth == len(s.methods) }

// Change is Apply to a stack that is not full, without telling what e did, which most callers
// do not need.
func (s *Stack) Change(e *trace.Event, site trace.Site, number uint64) {
	// What an exit writes is behind the stack's end.
	s.methods[s.depth], s.entries[s.depth] = e.Method, newEntry(number, site)
	s.depth = trace.DepthAfter(e, s.depth)
}

// grow makes room for more frames.
func (s *Stack) grow() {
	n := max(16, 2*s.depth)
	s.methods = append(make([]trace.MethodID, 0, n), s.methods...)[:n]
	s.entries = append(make([]entry, 0, n), s.entries...)[:n]
}

// Depth returns how many frames are open.
func (s *Stack) Depth() int { return s.depth }

// Innermost returns the method that runs now; ok is false when no frame is open.
func (s *Stack) Innermost() (m trace.MethodID, ok bool) {
	if s.depth == 0 {
		return 0, false
	}
	return s.methods[s.depth-1], true
}

// Methods returns the methods of the open frames, outermost first. It is valid
// until the next Apply.
func (s *Stack) Methods() []trace.MethodID { return s.methods[:s.depth:s.depth] }

// Common returns how many outermost frames of the first depth frames of s are
// those of old. old is what an observer saw of this stack when the counter
// stood at since: the frames then open, or the outermost of them. The result is
// CommonFrames(old, s.Methods()[:depth]).
func (s *Stack) Common(old []trace.MethodID, since uint64, depth int) int {
	// 1. A frame is unchanged exactly when its number is not above since. The
	// numbers grow with depth, so the unchanged frames lie below the changed
	// ones. They were open then, so old has them, as far as it goes.
	same := min(s.entered(since, depth), len(old))
	// 2. Go on by method identity: a frame that was left and entered again is
	// the same to the reference implementation.
	seen := s.Methods()[:depth]
	for same < len(old) && same < len(seen) && old[same] == seen[same] {
		same++
	}
	return same
}

// Unchanged returns how many of the first depth frames were entered when the
// counter stood at since or before: calls that are still the same ones.
func (s *Stack) Unchanged(since uint64, depth int) int { return s.entered(since, depth) }

// nearTop is how many frames are looked at one by one before the binary
// search: most samples find a changed part of a few frames.
const nearTop = 8

// entered returns how many of the first depth frames have a number up to since.
func (s *Stack) entered(since uint64, depth int) int {
	entries, last := s.entries[:depth], newEntry(since, trace.MaxSite)
	for range nearTop {
		if len(entries) == 0 || entries[len(entries)-1] <= last {
			return len(entries)
		}
		entries = entries[:len(entries)-1]
	}
	low, high := 0, len(entries)
	for low < high {
		mid := int(uint(low+high) >> 1)
		if entries[mid] <= last {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
