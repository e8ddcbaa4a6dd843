package diffstack

import (
	"math/rand/v2"
	"slices"
	"testing"

	"artifice/trace"
)

// keyed returns a number for each frame of s, equal for equal method and site: the input of the
// reference implementation for this identity.
func keyed(s *Stack) (keys []trace.MethodID) {
	for i, m := range s.Methods() {
		keys = append(keys, m<<8|trace.MethodID(s.AppendSites(nil, i, i+1)[0]))
	}
	return keys
}

// TestSameSitesByHand checks the frames with equal sites if main calls f from two lines, and once
// more from the first.
func TestSameSitesByHand(t *testing.T) {
	const main, f = 1, 2
	var s Stack
	s.Apply(&trace.Event{Method: main}, 0, 1)
	s.Apply(&trace.Event{Method: f}, 1, 2)
	methods, sites := slices.Clone(s.Methods()), s.AppendSites(nil, 0, 2)
	for i, want := range []int{2, 1} { // number of frames with equal sites
		site := trace.Site(i + 1)
		s.Apply(&trace.Event{Action: trace.Exit, Method: f}, 0, 0)
		s.Apply(&trace.Event{Method: f}, site, uint64(10+i))
		same := s.Common(methods, 2, 2)
		if same != 2 {
			t.Errorf("site %d: %d frames are the same by method, want 2", site, same)
		}
		if got := s.SameSites(sites, 2, same); got != want {
			t.Errorf("site %d: %d frames are the same by site, want %d", site, got, want)
		}
	}
}

// TestSameSitesMatchesReference checks observers of a stack that changes at random against the
// reference implementation, on frames numbered by method and site.
func TestSameSitesMatchesReference(t *testing.T) {
	type observer struct {
		methods []trace.MethodID
		sites   []trace.Site
		keys    []trace.MethodID
		since   uint64
	}
	fewer := 0
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 3))
		siteCount, deep := 1+rng.IntN(4), 1+rng.IntN(40)
		observers := make([]observer, 4)
		var s Stack
		for number := range uint64(2000) {
			if s.Depth() == 0 || s.Depth() < deep && rng.IntN(2) == 0 {
				s.Apply(&trace.Event{Method: trace.MethodID(rng.IntN(2))}, trace.MaxSite-trace.Site(rng.IntN(siteCount)), number+1)
			} else {
				s.Apply(&trace.Event{Action: trace.Exit, Method: s.Methods()[s.Depth()-1]}, 0, 0)
			}
			if rng.IntN(4) != 0 {
				continue
			}
			o := &observers[rng.IntN(len(observers))]
			byMethod := s.Common(o.methods, o.since, s.Depth())
			got := s.SameSites(o.sites, o.since, byMethod)
			if want := CommonFrames(o.keys, keyed(&s)); got != want {
				t.Fatalf("seed %d, change %d: %d frames are the same, want %d", seed, number, got, want)
			}
			if got < byMethod {
				fewer++
			}
			o.methods, o.keys = slices.Clone(s.Methods()), keyed(&s)
			o.sites = s.AppendSites(o.sites[:got], got, s.Depth())
			o.since = number + 1
		}
	}
	if fewer == 0 {
		t.Error("no two frames of one method differed by site")
	}
}
