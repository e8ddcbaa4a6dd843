package trace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Limits bound the memory and disk space that readers use for one input. No real trace comes near a
// default. A reader refuses a damaged or malicious file at the position where it exceeds a limit. 0
// means the default.
//
// Peak memory, including garbage that is not collected yet, is about 300 bytes for a method, 12 for
// an open frame in each reader, 180 for a calling context, and 1000 to 4000 for a thread. With the
// defaults a method trace takes at most 64 MiB plus 64 bytes for each decompressed byte.
type Limits struct {
	Depth    int // open frames of one thread
	Methods  int // methods of a trace
	Unlisted int // methods that events use and the file does not define
	Ratio    int // decompressed bytes for each compressed byte, beyond the first 64 MiB
	Samples  int // samples of sums, such as folded stacks: an output contains one record for each
	// Frames entered and exited by samples, beyond 8 for each byte of the file. A sixteenth of them
	// may be open at one time. A 64th of Frames, beyond one for 2 bytes, may be calling contexts in
	// files with a tree of stacks. For stacks that are written completely, frames beyond 256 for each
	// stack.
	Frames int
}

// defaultLimits are the default limits. The deepest recursion that an Android thread survives has
// some 20,000 frames, and the largest app has a million methods. Traces compress to between a half
// and a twentieth. A line of folded stacks can represent any number of samples. Each sample takes
// 30 to 300 bytes.
var defaultLimits = Limits{Depth: 1 << 16, Methods: 1 << 24, Unlisted: 1 << 17, Ratio: 256, Samples: 1 << 20, Frames: 1 << 22}

// limitNames are the names that [Limits.Set] accepts, in the order of the fields.
var limitNames = []string{"depth", "methods", "unlisted", "ratio", "samples", "frames"}

func (l *Limits) fields() []*int {
	return []*int{&l.Depth, &l.Methods, &l.Unlisted, &l.Ratio, &l.Samples, &l.Frames}
}

// OrDefault returns l with zero fields replaced by the defaults.
func (l Limits) OrDefault() Limits {
	defaults := defaultLimits.fields()
	for i, field := range l.fields() {
		if *field == 0 {
			*field = *defaults[i]
		}
	}
	return l
}

// Set sets one limit from text such as "depth=1000000": a name and a positive number.
func (l *Limits) Set(text string) error {
	name, value, _ := strings.Cut(text, "=")
	i := slices.Index(limitNames, name)
	n, err := strconv.ParseInt(value, 10, 32)
	if i < 0 || err != nil || n < 1 {
		return fmt.Errorf("%.60q is not a limit; write NAME=N, where NAME is %s and N is from 1 to %d", text, strings.Join(limitNames, ", "), 1<<31-1)
	}
	*l.fields()[i] = int(n)
	return nil
}

// String returns the nonzero limits in the syntax of [Limits.Set], separated by blanks.
func (l Limits) String() string {
	var words []string
	for i, field := range l.fields() {
		if *field != 0 {
			words = append(words, fmt.Sprintf("%s=%d", limitNames[i], *field))
		}
	}
	return strings.Join(words, " ")
}

// LimitError reports an input that exceeds one of the [Limits]. Readers wrap it in a [FormatError]
// with the position.
type LimitError struct {
	Limit string // name of the limit
	Most  int
	What  string // plural noun for the limited quantity
}

// Error states the exceeded quantity and the name of the limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("more than %d %s: the file is damaged, or the limit too low (raise it with --limit %s=N)", e.Most, e.What, e.Limit)
}

// Symbols returns an error if a trace exceeds l. methods is its number of methods, and unlisted the
// number of those without a definition. The defaults of l must be filled in.
func (l Limits) Symbols(methods, unlisted int) error {
	switch {
	case methods > l.Methods:
		return &LimitError{"methods", l.Methods, "methods"}
	case unlisted > l.Unlisted:
		return &LimitError{"unlisted", l.Unlisted, "methods that events use but the file does not define"}
	}
	return nil
}

// OpenAfter returns the number of open frames of a thread after an event with action a, given the
// number before it, by the rule of [EffectOf]. It has no branch, because the next action is
// unpredictable.
func OpenAfter(open int32, a Action) int32 { return max(open+1-2*min(int32(a), 1), 0) }
