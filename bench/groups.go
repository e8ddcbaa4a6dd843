package bench

import (
	"slices"
	"time"
)

// Group is several modes under one name.
type Group struct {
	Name, Description string
	Modes             []Mode

	// Intervals are those that the tools use which it is about; nil: all of a sweep.
	Intervals []time.Duration
}

// Groups returns the groups of modes.
func Groups() []Group {
	return []Group{
		{"studio", "the four of Android Studio's profiler: methods traced and sampled (1 ms), callstack sample (1000 Hz), system trace",
			modesOf("instrument-dual", "sample", "simpleperf", "sections"), []time.Duration{time.Millisecond}},
		{"production", "what libraries record in apps that people use: ART's sampling at 101 Hz up to Android 14, ProfilingManager since",
			modesOf("legacy-production", "profilingmanager"), nil},
		{"all", "every way of tracing an app", slices.DeleteFunc(Modes(), func(m Mode) bool { return m.Desktop }), nil},
		{"desktop", "the profilers of Linux, Go, Java and JavaScript, each at its own interval", slices.DeleteFunc(Modes(), func(m Mode) bool { return !m.Desktop }), nil},
	}
}

func modesOf(names ...string) (list []Mode) {
	for _, name := range names {
		m, _ := ModeByName(name)
		list = append(list, m)
	}
	return list
}
