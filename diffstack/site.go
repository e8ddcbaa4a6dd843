package diffstack

import "artifice/trace"

// SameSites is for observers to whom two frames are the same only if they were
// called from the same site, too, as BlockCanaryX has it: method and caller's
// line. It returns how many of the outermost frames that [Stack.Common] found,
// same, are left then. sites is what such an observer remembers of the frames it
// saw when the counter stood at since, at least of the first same.
func (s *Stack) SameSites(sites []trace.Site, since uint64, same int) int {
	for i := s.entered(since, same); i < same; i++ {
		if trace.Site(s.entries[i]) != sites[i] {
			return i
		}
	}
	return same
}

// AppendSites appends to dst the call sites of the frames from number from up to
// but without number to, counted from the outermost, which is 0.
func (s *Stack) AppendSites(dst []trace.Site, from, to int) []trace.Site {
	for _, e := range s.entries[from:to] {
		dst = append(dst, trace.Site(e))
	}
	return dst
}
