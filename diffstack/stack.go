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
	methods []trace.MethodID
	numbers []uint64
}

// Enter puts a frame of method m on top, entered as the number-th. The number
// must be above all those given before.
func (s *Stack) Enter(m trace.MethodID, number uint64) {
	s.methods = append(s.methods, m)
	s.numbers = append(s.numbers, number)
}

// Leave takes the innermost frame off if it shows method m, and tells what it
// did. Like [trace.Stacks] it leaves the stack alone when m is not innermost.
func (s *Stack) Leave(m trace.MethodID) trace.Effect {
	top := len(s.methods) - 1
	if top < 0 {
		return trace.Orphan
	}
	if s.methods[top] != m {
		return trace.Mismatch
	}
	s.methods = s.methods[:top]
	s.numbers = s.numbers[:top]
	return trace.Popped
}

// Depth returns how many frames are open.
func (s *Stack) Depth() int { return len(s.methods) }

// Methods returns the methods of the open frames, outermost first. It is valid
// until the next Enter or Leave.
func (s *Stack) Methods() []trace.MethodID { return s.methods }

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
	// the same to the literal algorithm.
	seen := s.methods[:depth]
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
	numbers := s.numbers[:depth]
	for range nearTop {
		if len(numbers) == 0 || numbers[len(numbers)-1] <= since {
			return len(numbers)
		}
		numbers = numbers[:len(numbers)-1]
	}
	low, high := 0, len(numbers)
	for low < high {
		mid := int(uint(low+high) >> 1)
		if numbers[mid] <= since {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
