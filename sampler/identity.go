package sampler

import (
	"artifice/diffstack"
	"artifice/trace"
)

// same returns how many of the outermost frames of t, of which a sample reports
// depth, are those that the sampler remembers.
func (s *Sampler) same(t *thread, id trace.ThreadID, depth int) int {
	same := t.stack.Common(s.memory[id].stack, s.seen, depth)
	switch s.cfg.Identity {
	case diffstack.BySite:
		same = t.stack.SameSites(*s.sitesOf(id), s.seen, same)
	case diffstack.ByCall:
		same = min(same, t.stack.Unchanged(s.seen, depth))
	}
	return same
}

// keepSites remembers the call sites of the first depth frames of t, of which same
// are the same as before, if they are needed.
func (s *Sampler) keepSites(t *thread, id trace.ThreadID, same, depth int) {
	if s.cfg.Identity != diffstack.BySite {
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
	frames := t.hidden.Values()
	for i := len(frames) - 1; i >= 0 && frames[i].below >= depth; i-- {
		site = frames[i].site
	}
	return site
}
