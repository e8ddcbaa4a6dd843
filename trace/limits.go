package trace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Limits bound what one input may make its readers keep in memory or on disk.
// No real trace comes near a default. A file that is damaged, or was made to do
// harm, is refused at the place where it exceeds one. 0 stands for the default.
//
// What is kept grows by laws, in bytes at the peak, with what the collector has not
// freed yet: 300 for a method, 12 for an open frame and each of its readers, 180 for
// a calling context, 1000 to 4000 for a thread. With the defaults a method trace takes
// at most 64 MiB and 64 bytes for each byte of it, unpacked.
type Limits struct {
	Depth    int // frames open on one thread
	Methods  int // methods of a trace
	Unlisted int // of these, methods that events use and nothing names
	Ratio    int // bytes that one byte of a packed file may unpack to, beyond the first 64 MiB
	Samples  int // samples of sums, such as folded stacks, for each of which an output has a record
	Frames   int // frames that samples enter and leave, beyond 8 for each byte of a file; a sixteenth may be open at one time
}

// defaultLimits are the limits unless others are set. A stack of the deepest recursion that a
// thread of Android survives has some 20,000 frames, the largest app a million methods; a trace
// packs to between a half and a twentieth. A line of folded stacks can stand for any number of
// samples, each of which takes 30 to 300 bytes.
var defaultLimits = Limits{Depth: 1 << 16, Methods: 1 << 24, Unlisted: 1 << 17, Ratio: 256, Samples: 1 << 20, Frames: 1 << 22}

// limitNames are the words that [Limits.Set] takes, in the order of the fields.
var limitNames = []string{"depth", "methods", "unlisted", "ratio", "samples", "frames"}

func (l *Limits) fields() []*int {
	return []*int{&l.Depth, &l.Methods, &l.Unlisted, &l.Ratio, &l.Samples, &l.Frames}
}

// OrDefault returns l with the defaults filled in.
func (l Limits) OrDefault() Limits {
	defaults := defaultLimits.fields()
	for i, field := range l.fields() {
		if *field == 0 {
			*field = *defaults[i]
		}
	}
	return l
}

// Set sets one limit from text such as "depth=1000000": its name and a number above 0.
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

// String returns the limits as [Limits.Set] takes them, separated by blanks,
// those that are 0 left out.
func (l Limits) String() string {
	var words []string
	for i, field := range l.fields() {
		if *field != 0 {
			words = append(words, fmt.Sprintf("%s=%d", limitNames[i], *field))
		}
	}
	return strings.Join(words, " ")
}

// LimitError reports an input that goes beyond one of the [Limits]. Readers wrap it in a
// [FormatError] with the place.
type LimitError struct {
	Limit string // its name
	Most  int
	What  string // of which there are more
}

// Error says what there is more of, and the limit's name.
func (e *LimitError) Error() string {
	return fmt.Sprintf("more than %d %s: the file is damaged, or the limit too low (raise it with --limit %s=N)", e.Most, e.What, e.Limit)
}

// Symbols returns an error when a trace has more methods than l, which has its
// defaults filled in, allows. unlisted of them are not named.
func (l Limits) Symbols(methods, unlisted int) error {
	switch {
	case methods > l.Methods:
		return &LimitError{"methods", l.Methods, "methods"}
	case unlisted > l.Unlisted:
		return &LimitError{"unlisted", l.Unlisted, "methods that events use and nothing names"}
	}
	return nil
}

// OpenAfter returns how many frames a thread has open after an event of that action,
// of open before it, by the rule of [EffectOf]. It has no branch: which action comes next
// is unpredictable.
func OpenAfter(open int32, a Action) int32 { return max(open+1-2*min(int32(a), 1), 0) }
