package sampler

import (
	"fmt"
	"slices"
	"strings"

	"artifice/trace"
)

// Identity says when a frame is taken for the one that the sample before saw in
// its place. All below it have to be the same, too.
type Identity uint8

const (
	// ByMethod takes frames of the same method for the same call, as ART does:
	// a call that returned and was made again between two samples is missed.
	ByMethod Identity = iota

	// BySite asks for the same call site, too, as BlockCanaryX does: class, method
	// and the caller's line. Calls from two lines are told apart, those of a loop
	// are not. In a truth that has no sites ([trace.Event]), as no recorded trace
	// has, it is ByMethod.
	BySite

	// ByCall tells calls apart as only the truth can: the best that any finer
	// identity could do.
	ByCall
)

var identityNames = []string{"method", "method+line", "call"}

// String returns the word that [ParseIdentity] takes.
func (i Identity) String() string {
	if int(i) >= len(identityNames) {
		return fmt.Sprintf("unknown(%d)", uint8(i))
	}
	return identityNames[i]
}

// ParseIdentity reads "method", "method+line" or "call".
func ParseIdentity(s string) (Identity, error) {
	i := slices.Index(identityNames, s)
	if i < 0 {
		return 0, fmt.Errorf("frame identity %q: it is one of %s", s, strings.Join(identityNames, ", "))
	}
	return Identity(i), nil
}

// same returns how many of the outermost frames of t, of which a sample reports
// depth, are those that the sampler remembers.
func (s *Sampler) same(t *thread, id trace.ThreadID, depth int) int {
	same := t.stack.Common(s.memory[id].stack, s.seen, depth)
	switch s.cfg.Identity {
	case BySite:
		same = t.stack.SameSites(*s.sitesOf(id), s.seen, same)
	case ByCall:
		same = min(same, t.stack.Unchanged(s.seen, depth))
	}
	return same
}

// keepSites remembers the call sites of the first depth frames of t, of which same
// are the same as before, if they are needed.
func (s *Sampler) keepSites(t *thread, id trace.ThreadID, same, depth int) {
	if s.cfg.Identity != BySite {
		return
	}
	sites := s.sitesOf(id)
	*sites = t.stack.AppendSites((*sites)[:same], same, depth)
}

// sitesOf returns what the sampler remembers of the call sites of a thread.
func (s *Sampler) sitesOf(id trace.ThreadID) *[]trace.Site {
	if int(id) >= len(s.sites) {
		s.sites = append(s.sites, make([][]trace.Site, len(s.memory)-len(s.sites))...)
	}
	return &s.sites[id]
}

// site returns where the call that e begins was made from, as a walk shows it.
// Frames of ART's own are in no walk: what they call appears in the line at which
// the frame below them called the outermost of them.
func (t *thread) site(e *trace.Event) trace.Site {
	site, depth := e.Site, t.stack.Depth()
	for i := len(t.hidden) - 1; i >= 0 && t.hidden[i].below == depth; i-- {
		site = t.hidden[i].site
	}
	return site
}
