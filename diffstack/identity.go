package diffstack

import "artifice/internal/words"

// Identity says when a frame is taken for the one that the sample before saw in
// its place. All below it have to be the same, too.
type Identity uint8

const (
	// ByMethod takes frames of the same method for the same call, as ART does:
	// a call that returned and was made again between two samples is missed.
	// Stack dumps do not tell overloads apart.
	ByMethod Identity = iota

	// BySite asks for the same call site, too, as BlockCanaryX does: class, method
	// and the caller's line. Calls from two lines are told apart, those of a loop
	// are not. In a truth that has no sites ([artifice/trace.Event]), as no recorded
	// trace has, it is ByMethod.
	BySite

	// ByCall tells calls apart as only the truth can: the best that any finer
	// identity could do.
	ByCall
)

var identityNames = []string{"method", "method+line", "call"}

// String returns the word that [ParseIdentity] takes.
func (i Identity) String() string { return words.Of(identityNames, i) }

// Valid reports whether i is one of the three.
func (i Identity) Valid() bool { return int(i) < len(identityNames) }

// ParseIdentity reads "method", "method+line" or "call", as far as finest, the
// finest identity that the caller can tell.
func ParseIdentity(s string, finest Identity) (Identity, error) {
	return words.Parse[Identity]("frame identity", identityNames[:finest+1], s)
}
