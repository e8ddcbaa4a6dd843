package diffstack

import (
	"artifice/internal/words"
	"artifice/trace"
)

// Identity is the rule by which a frame is the same as the frame at the same depth in the previous
// sample. All outer frames must be the same, too.
type Identity uint8

const (
	// ByMethod identifies frames by their method, as ART does: a call that returned and was made
	// again between two samples is missed. Stack dumps do not distinguish overloads.
	ByMethod Identity = iota

	// BySite also requires the same call site, as BlockCanaryX does: class, method and the caller's
	// line. It distinguishes calls from two lines, but not those in a loop. For a truth without
	// sites ([artifice/trace.Event]), and so for any recorded trace, it is equivalent to ByMethod.
	BySite

	// ByCall distinguishes all calls, which requires a truth: the upper bound for any finer
	// identity.
	ByCall
)

var identityNames = []string{"method", "method+line", "call"}

// String returns the name that [ParseIdentity] accepts.
func (i Identity) String() string { return words.Of(identityNames, i) }

// Valid reports whether i is one of the three.
func (i Identity) Valid() bool { return int(i) < len(identityNames) }

// ParseIdentity parses "method", "method+line" or "call", up to finest, the finest identity that
// the caller supports.
func ParseIdentity(s string, finest Identity) (Identity, error) {
	return words.Parse[Identity]("frame identity", identityNames[:finest+1], s)
}

// Stack is the open frames of one thread, outermost first, each with the number assigned at its
// entry. The caller takes the numbers from one increasing counter, so they increase with depth. The
// zero value is an empty stack.
//
// An observer stores a stack and the counter's value at that moment. Later it calls [Stack.Common]
// to find the frames that are left. Any number of observers can share one Stack.
type Stack struct {
	depth   int
	methods []trace.MethodID // methods of the open frames, and free capacity
	entries []entry
}

// entry is the number of a frame and, in the low byte, its call site. Sites take no extra memory,
// and entries compare like their numbers.
type entry uint64

func newEntry(number uint64, site trace.Site) entry { return entry(number<<8 | uint64(site)) }

// Apply applies e to the stack and returns the effect, see [trace.EffectOf]. site is the call site
// of an enter, and number its number, above all previous ones and below 2^56. If the event closes a
// frame, closed is that frame's method.
func (s *Stack) Apply(e *trace.Event, site trace.Site, number uint64) (closed trace.MethodID, effect trace.Effect) {
	closed, _ = s.Innermost()
	effect = trace.EffectOf(e, s.depth, closed)
	if s.Full() {
		s.grow()
	}
	s.Change(e, site, number)
	return closed, effect
}

// Full reports whether the stack has no capacity for another frame.
func (s *Stack) Full() bool { return s.depth == len(s.methods) }

// Change applies e to a stack that is not full. It is a faster Apply for callers that do not need
// the effect.
func (s *Stack) Change(e *trace.Event, site trace.Site, number uint64) {
	// An exit writes above the top of the stack, without effect.
	s.methods[s.depth], s.entries[s.depth] = e.Method, newEntry(number, site)
	s.depth = trace.DepthAfter(e, s.depth)
}

// grow makes room for more frames.
func (s *Stack) grow() {
	n := max(16, 2*s.depth)
	s.methods = append(make([]trace.MethodID, 0, n), s.methods...)[:n]
	s.entries = append(make([]entry, 0, n), s.entries...)[:n]
}

// Depth returns the number of open frames.
func (s *Stack) Depth() int { return s.depth }

// Innermost returns the method of the innermost frame; ok is false if no frame is open.
func (s *Stack) Innermost() (m trace.MethodID, ok bool) {
	if s.depth == 0 {
		return 0, false
	}
	return s.methods[s.depth-1], true
}

// Methods returns the methods of the open frames, outermost first. It is valid
// until the next Apply.
func (s *Stack) Methods() []trace.MethodID { return s.methods[:s.depth:s.depth] }

// Common returns how many of the outermost depth frames of s are equal to those of old. old is the
// stack stored by an observer when the counter had the value since: the frames open at that moment,
// or the outermost of them. The result equals CommonFrames(old, s.Methods()[:depth]).
func (s *Stack) Common(old []trace.MethodID, since uint64, depth int) int {
	// 1. A frame is unchanged exactly if its number is at most since. Numbers increase with depth,
	// so the unchanged frames are below the changed ones. They were open at since, so old contains
	// them, up to its length.
	same := min(s.entered(since, depth), len(old))
	// 2. Continue by method identity: the reference implementation considers a frame that was left
	// and entered again the same frame.
	seen := s.Methods()[:depth]
	for same < len(old) && same < len(seen) && old[same] == seen[same] {
		same++
	}
	return same
}

// Unchanged returns how many of the first depth frames were entered when the counter was at most
// since: these are the same calls.
func (s *Stack) Unchanged(since uint64, depth int) int { return s.entered(since, depth) }

// nearTop is the number of frames tested individually before the binary search: in most samples
// only a few frames have changed.
const nearTop = 8

// entered returns the number of the first depth frames with a number up to since.
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
