package workload

import "artifice/trace"

// numberSites gives every step of a body that calls a method its call site: 1 to
// the first of the body as it is written, and so on, those inside loops and
// branches too. A step has one site however often it is carried out and whichever
// of a family it calls, as a line of source has. A thread's body is in parts, one
// for each frame of its stack that goes on; they are numbered as one.
func numberSites(parts ...[]step) {
	last := trace.Site(0)
	for _, steps := range parts {
		walkSteps(steps, func(s *step) {
			if s.kind == callStep || s.kind == throwStep {
				last = min(last, trace.MaxSite-1) + 1
				s.site = last
			}
		})
	}
}
