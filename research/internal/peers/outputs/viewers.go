package outputs

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"artifice/research/internal/peers/catapult"
	"artifice/research/internal/peers/firefoxprofiler"
	"artifice/research/internal/peers/seen"
	"artifice/research/internal/peers/speedscope"
)

// catapultCalls compares the slices of Catapult.
func catapultCalls(c *catapult.Importer) func(Input, string) (map[string]string, error) {
	return func(in Input, file string) (map[string]string, error) {
		trace, err := c.Import(file)
		if err != nil {
			return nil, err
		}
		if len(trace.Warnings) > 0 {
			return nil, fmt.Errorf("it warns of %q", trace.Warnings)
		}
		got := seen.Calls{}
		for _, t := range trace.Threads {
			for _, s := range t.Calls {
				got.Add(seen.Call{Thread: t.TID, Depth: s.Depth, Method: s.Name}, s.N, scaled(s.Total, time.Millisecond))
			}
		}
		return seen.CompareCalls(apart(in), got, rounding), nil
	}
}

// speedscopeCalls compares the calls of speedscope with the calls returned by want. Times may
// differ by up to each.
func speedscopeCalls(s *speedscope.Importer, want func(Input) seen.Calls, each time.Duration) func(Input, string) (map[string]string, error) {
	return func(in Input, file string) (map[string]string, error) {
		profiles, err := s.Import(file)
		if err != nil {
			return nil, err
		}
		got := seen.Calls{}
		for _, p := range profiles {
			tid, err := tidOf(p.Name)
			if err != nil {
				return nil, err
			}
			for _, c := range p.Calls {
				got.Add(seen.Call{Thread: tid, Depth: c.Depth, Method: c.Name}, c.N, scaled(c.Total, units[p.Unit]))
			}
		}
		return seen.CompareCalls(want(in), got, each), nil
	}
}

// units are those of speedscope and pprof.
var units = map[string]time.Duration{"nanoseconds": 1, "microseconds": time.Microsecond, "milliseconds": time.Millisecond, "seconds": time.Second}

func scaled(x float64, unit time.Duration) time.Duration {
	return time.Duration(math.Round(x * float64(unit)))
}

// tidOf returns the number at the end of a profile's name.
func tidOf(name string) (int, error) {
	if m := tidAtEnd.FindStringSubmatch(name); m != nil {
		return strconv.Atoi(m[1])
	}
	return 0, fmt.Errorf("a profile is called %q, without a tid", name)
}

var tidAtEnd = regexp.MustCompile(`(?:\(|tid )(\d+)\)$`)

// firefoxThreads returns the weights of a file's threads in the Firefox Profiler.
func firefoxThreads(c *firefoxprofiler.Client, file string) ([]firefoxprofiler.Weights, error) {
	if _, err := c.Load(file); err != nil {
		return nil, err
	}
	return c.Stacks()
}

// firefoxStacks compares the weights of stacks in the Firefox Profiler.
func firefoxStacks(c *firefoxprofiler.Client) func(Input, string) (map[string]string, error) {
	return func(in Input, file string) (map[string]string, error) {
		threads, err := firefoxThreads(c, file)
		if err != nil {
			return nil, err
		}
		got := seen.Stacks{}
		for _, t := range threads {
			tid, err := strconv.Atoi(t.TID)
			if err != nil {
				return nil, err
			}
			for _, s := range t.Stacks {
				got.Add(seen.Stack{Thread: tid, Frames: seen.Frames(s.Frames)}, s.Count, scaled(s.Weight, time.Millisecond))
			}
		}
		_, want := drawn(in)
		for _, stacks := range []seen.Stacks{got, want} { // time without an open frame is not drawn
			maps.DeleteFunc(stacks, func(s seen.Stack, _ seen.Sum) bool { return s.Frames == "" })
		}
		return seen.CompareStacks(want, got, true, rounding), nil
	}
}

// firefoxMarkers compares the markers that it makes for the calls of Chrome's JSON.
func firefoxMarkers(c *firefoxprofiler.Client) func(Input, string) (map[string]string, error) {
	return func(in Input, file string) (map[string]string, error) {
		threads, err := firefoxThreads(c, file)
		if err != nil {
			return nil, err
		}
		got, want := seen.Calls{}, seen.Calls{}
		for _, t := range threads {
			tid, err := strconv.Atoi(t.TID[strings.LastIndexByte(t.TID, ':')+1:]) // "pid:tid"
			if err != nil {
				return nil, err
			}
			for _, m := range t.Marked {
				got.Add(seen.Call{Thread: tid, Method: m.Name}, m.N, scaled(m.Total, time.Millisecond))
			}
		}
		for c, s := range apart(in) { // markers have no depth
			c.Depth = 0
			want.Add(c, s.N, s.Time)
		}
		differ := seen.CompareCalls(want, got, rounding)
		delete(differ, "depths")
		return differ, nil
	}
}
