package diffstack

import "artifice/internal/words"

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
