package diffstack

import "artifice/trace"

// SameSites returns the number of frames with equal call sites among the outermost frames found by
// [Stack.Common], of which there are same. It is for observers that identify frames by method and
// call site, as BlockCanaryX does (method and caller's line). sites are the sites of at least these
// frames, stored by the observer when the counter had the value since.
func (s *Stack) SameSites(sites []trace.Site, since uint64, same int) int {
	for i := s.entered(since, same); i < same; i++ {
		if trace.Site(s.entries[i]) != sites[i] {
			return i
		}
	}
	return same
}

// AppendSites appends to dst the call sites of the frames [from, to), counted from the outermost
// frame, which is 0.
func (s *Stack) AppendSites(dst []trace.Site, from, to int) []trace.Site {
	for _, e := range s.entries[from:to] {
		dst = append(dst, trace.Site(e))
	}
	return dst
}
