package diffstack

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"artifice/trace"
)

// TestCompareByHand checks cases of ART's algorithm, computed by hand from the steps of
// Trace::CompareAndUpdateStackTrace.
func TestCompareByHand(t *testing.T) {
	tests := []struct{ old, seen, want string }{
		{"", "", ""},
		{"", "abc", "+a+b+c"},          // no earlier stack: every frame, outermost first
		{"abc", "", "-c-b-a"},          // an empty stack is still compared
		{"abc", "abc", ""},             // no change
		{"abc", "ab", "-c"},            // one return
		{"ab", "abc", "+c"},            // one call
		{"abc", "abd", "-c+d"},         // another callee
		{"abc", "xbc", "-c-b-a+x+b+c"}, // another root: all frames above it are new
		{"aa", "aaa", "+a"},            // recursion: frames are identified by depth and method
		{"aba", "aab", "-a-b+a+b"},
	}
	for _, test := range tests {
		if got := reference(methods(test.old), methods(test.seen)); got != test.want {
			t.Errorf("%q to %q: %s, want %s", test.old, test.seen, got, test.want)
		}
	}
}

// methods returns a stack with a method for each letter of s.
func methods(s string) (stack []trace.MethodID) {
	for _, r := range s {
		stack = append(stack, trace.MethodID(r))
	}
	return stack
}

func reference(old, seen []trace.MethodID) (s string) {
	for a, m := range Compare(old, seen) {
		s += event(a, m)
	}
	return s
}

func event(a trace.Action, m trace.MethodID) string {
	return fmt.Sprintf("%c%c", "+-"[a], rune(m))
}

// fast returns the events that package sampler derives from [Stack.Common].
func fast(s *Stack, old []trace.MethodID, since uint64, depth int) (text string) {
	same := s.Common(old, since, depth)
	for _, m := range slices.Backward(old[same:]) {
		text += event(trace.Exit, m)
	}
	for _, m := range s.Methods()[same:depth] {
		text += event(trace.Enter, m)
	}
	return text
}

// small returns all stacks of up to depth frames over the first n letters.
func small(depth, n int) []string {
	all, last := []string{""}, []string{""}
	for range depth {
		var next []string
		for _, s := range last {
			for m := range n {
				next = append(next, s+string(rune('a'+m)))
			}
		}
		all, last = append(all, next...), next
	}
	return all
}

// TestFastMatchesReferenceOnAllSmallStacks changes every stack of up to 3 frames over 3 methods to
// every other one. Each change first returns to any depth up to that of the common prefix, so
// frames may be exited and entered again between two samples.
func TestFastMatchesReferenceOnAllSmallStacks(t *testing.T) {
	pairs := 0
	for _, old := range small(3, 3) {
		for _, seen := range small(3, 3) {
			for keep := 0; keep <= CommonFrames(methods(old), methods(seen)); keep++ {
				pairs++
				var s Stack
				number := uint64(0)
				enter := func(frames []trace.MethodID) {
					for _, m := range frames {
						number++
						s.Apply(&trace.Event{Method: m}, 0, number)
					}
				}
				enter(methods(old))
				since := number
				for s.Depth() > keep {
					s.Apply(&trace.Event{Action: trace.Exit, Method: s.Methods()[s.Depth()-1]}, 0, 0)
				}
				enter(methods(seen)[keep:])
				want := reference(methods(old), methods(seen))
				if got := fast(&s, methods(old), since, s.Depth()); got != want {
					t.Fatalf("%q to %q keeping %d: fast %s, reference %s", old, seen, keep, got, want)
				}
			}
		}
	}
	if pairs <= 40*40 { // 40 = 1 + 3 + 9 + 27 stacks; pairs with a common prefix have several histories
		t.Errorf("%d pairs and histories, want more than %d", pairs, 40*40)
	}
}

// TestFastMatchesReferenceOnRandomStacks checks several observers of a stack that changes at
// random. Each samples at its own times. Some skip an innermost frame 'a' (a leaf without a suspend
// check), so their stored stack is shorter than the actual one.
func TestFastMatchesReferenceOnRandomStacks(t *testing.T) {
	type observer struct {
		remembered []trace.MethodID
		since      uint64
		hidesLeaf  bool
	}
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		methodCount, deep := 1+rng.IntN(4), 1+rng.IntN(40)
		observers := make([]observer, 5)
		for i := range observers {
			observers[i].hidesLeaf = i%2 == 1
		}
		var s Stack
		number := uint64(0)
		for range 2000 {
			number++
			if s.Depth() == 0 || s.Depth() < deep && rng.IntN(2) == 0 {
				s.Apply(&trace.Event{Method: trace.MethodID('a' + rng.IntN(methodCount))}, trace.Site(rng.IntN(256)), number)
			} else {
				s.Apply(&trace.Event{Action: trace.Exit, Method: s.Methods()[s.Depth()-1]}, 0, 0)
			}
			o := &observers[rng.IntN(len(observers))]
			if rng.IntN(4) != 0 {
				continue
			}
			depth := s.Depth()
			for o.hidesLeaf && depth > 0 && s.Methods()[depth-1] == 'a' {
				depth--
			}
			seen := s.Methods()[:depth]
			want := reference(o.remembered, seen)
			if got := fast(&s, o.remembered, o.since, depth); got != want {
				t.Fatalf("seed %d: fast %s, reference %s", seed, got, want)
			}
			o.remembered, o.since = append(o.remembered[:0], seen...), number
		}
	}
}

func BenchmarkCompare(b *testing.B) {
	old, seen := fortyFrames()
	n := 0
	for b.Loop() {
		for range Compare(old, seen) {
			n++
		}
	}
}

func BenchmarkStackCommon(b *testing.B) {
	old, seen := fortyFrames()
	var s Stack
	for i, m := range seen {
		s.Apply(&trace.Event{Method: m}, 0, uint64(i))
	}
	for b.Loop() {
		s.Common(old, 37, len(seen))
	}
}

func fortyFrames() (old, seen []trace.MethodID) {
	for i := range trace.MethodID(40) {
		old = append(old, i)
	}
	seen = slices.Clone(old)
	seen[38], seen[39] = 100, 101
	return old, seen
}
