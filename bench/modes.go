package bench

import (
	"slices"
	"strings"
	"time"

	"artifice/art"
	"artifice/bench/score"
	"artifice/diffstack"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer"
	"artifice/tracer/device"
)

// Mode is a tracer of a sweep: a tracer of package tracer with fixed options. Every tracer is a
// mode, unless it is unmeasured or modes.go defines modes of it.
type Mode struct {
	tracer.Tracer

	// fix sets the options of the mode; nil: there are none.
	fix func(o *tracer.Options)

	// reading is the interpretation of the samples.
	reading score.Reading

	// wall is set for tracers that are compared with tracers without CPU time.
	wall bool
}

// run sets up cell number index of a row. Cells differ in the phase of the first sample, if there
// are samples.
func (m *Mode) run(cfg *Config, d device.Device, interval time.Duration, index, of int) tracer.Run {
	o := tracer.Options{Device: d, Interval: interval, Seed: seedOf(cfg.Seed, index), Compared: true, OneClock: cfg.OneClock}
	if m.fix != nil {
		m.fix(&o)
	}
	run := m.New(&cfg.truth, &o)
	if s, ok := run.(tracer.Sampling); ok && s.Gap() > 0 {
		o.Phase = phase(s.Gap(), index, of)
		run = m.New(&cfg.truth, &o)
	}
	return run
}

// phase returns the app time of the first sample: the middle of the index-th
// part of one gap.
func phase(gap time.Duration, index, of int) time.Duration {
	return max(1, time.Duration((float64(index)+0.5)*float64(gap)/float64(of)))
}

// Modes returns every mode, in the order of artifice list.
func Modes() []Mode {
	list := []Mode{
		ARTSampling, PoissonSampling, InstrumentedDual, InstrumentedWall, longRunning,
		endLastSampling, endCappedSampling, endMidSampling, byLineSampling, byCallSampling, legacySampling, btrace3Android14,
	}
	known := map[string]bool{"sample": true, "instrument": true, "longrun": true}
	for _, t := range tracer.All() {
		if !t.Unmeasured && !known[t.Name] {
			list = append(list, Mode{Tracer: t})
		}
	}
	return list
}

// titles are the titles of the modes that most sweeps contain, or with descriptions that would be
// cut at the wrong place.
var titles = map[string]string{
	"sample":          "sample: ART's sampling",
	"poisson":         "poisson: ideal random sampling without overhead",
	"instrument-dual": "instrument-dual: every call (wall and CPU clock)",
	"instrument-wall": "instrument-wall: every call (wall clock)",
	"end-mid":         "end-mid: ART's samples; calls end midway between two samples",
	"btrace3":         "btrace3: btrace 3: threads walk their own stacks in hooks, at most every 1 ms",
	"simpleperf":      "simpleperf: samples each thread at intervals of its CPU time",
	"jfr":             "jfr: JDK Flight Recorder: samples a few threads at each interval, in turn",
	"safepoints":      "safepoints: profilers that use thread dumps (hprof, VisualVM)",
}

// Title returns the name of the mode and its tracing method.
func (m Mode) Title() string {
	if title := titles[m.Name]; title != "" {
		return title
	}
	title := m.Name + ": " + strings.TrimPrefix(m.Description, m.Name+": ")
	for len(title) > longestTitle {
		i := max(strings.LastIndex(title, "; "), strings.LastIndex(title, ", "), strings.LastIndex(title, " ("))
		if i < 0 {
			break
		}
		if title = title[:i]; strings.Count(title, "(") > strings.Count(title, ")") {
			title = title[:strings.LastIndex(title, " (")]
		}
	}
	return title
}

// longestTitle is the length in bytes above which a title is cut at a comma, semicolon or
// parenthesis.
const longestTitle = 90

// ModeByName returns the mode with that name.
func ModeByName(name string) (Mode, bool) {
	for _, m := range Modes() {
		if m.Name == name {
			return m, true
		}
	}
	return Mode{}, false
}

// ARTSampling is Debug.startMethodTracingSampling: a sleep loop that stops the
// app and compares stacks. Phases are spread evenly over one gap, interval plus
// overshoot.
var ARTSampling = like("sample", "sample", "ART's sampling: sleep, stop all threads, compare stacks", nil)

// legacySampling is [ARTSampling] as used by libraries in production before Android had
// ProfilingManager: Debug.startMethodTracingSampling at 101 Hz, to avoid aliasing with the display,
// with a buffer of 3 MB (sentry-java up to 8, dd-sdk-android up to 2). The buffer has room for some
// 200,000 events; no buffer overflows in a sweep.
var legacySampling = legacy(like("sample", "legacy-production", "ART's sampling at 101 Hz, as libraries ran it in production before ProfilingManager", nil))

func legacy(m Mode) Mode {
	m.Intervals = []time.Duration{(time.Second / 101).Truncate(time.Microsecond)}
	return m
}

// PoissonSampling is an emulation-only baseline: samples at random times without cost, on any
// device. Its error is due to the number of samples only.
var PoissonSampling = control("poisson", "samples at random times without cost, as an ideal baseline", tracer.Costs{}, func(o *tracer.Options) {
	o.Device, o.Schedule = device.Device{}, sampler.Poisson
})

// The same samples as [ARTSampling]'s, with a different rule for the ends of calls that a sample no
// longer contains.
var (
	endLastSampling   = sliceEnd("end-last", "ART's samples; calls end at the last sample that contains them (btrace 3 on Android)", diffstack.EndLast)
	endCappedSampling = sliceEnd("end-capped", "as ART, but a call ends at most 1 ms after the last sample that contains it (btrace 3 on iOS)", diffstack.EndCapped)
	endMidSampling    = sliceEnd("end-mid", "ART's samples; calls end midway between the last sample that contains them and the next", diffstack.EndMid)
)

// The same samples, with a different rule for which frames of two samples are the same call.
var (
	// byLineSampling is BlockCanaryX's rule. Lines are the call sites of a truth ([trace.Event]); a
	// recorded trace has none, so this mode then gives the same result as ARTSampling.
	byLineSampling = identity("by-line", "ART's samples; calls from different lines of a caller count as different calls (as in BlockCanaryX; only for workloads)", diffstack.BySite)

	// byCallSampling never merges two calls. It is the upper bound of the improvement by a finer
	// identity of frames.
	byCallSampling = identity("by-call", "ART's samples, with calls never merged: an upper limit for by-line", diffstack.ByCall)
)

// The instrumented modes are Debug.startMethodTracing on the default runtime, in
// streaming mode, so that no buffer overflows.
var (
	InstrumentedDual = like("instrument", "instrument-dual", "ART's instrumented mode with wall and CPU clock", nil)
	InstrumentedWall = wallClock(like("instrument", "instrument-wall", "ART's instrumented mode with the wall clock only, recorded by compiled code",
		func(o *tracer.Options) { o.Start.Clock = trace.Wall }))
)

// longRunning is ART's long-running-methods tracing of Android 16. Compiled code writes the events,
// and calls of 341 ms and more are kept. Every call, kept or not, has the cost of reading the
// clock.
var longRunning = like("longrun", "longrun", "ART's tracing of long-running methods (Android 16), recorded by compiled code", nil)

// btrace3Android14 is btrace 3 with its allocation hook, which works up to Android 14. The tracer's
// default runtime is later, so its hook does not work there.
var btrace3Android14 = like("btrace3", "btrace3-14", "btrace 3 on Android 14 and earlier, with its hook on allocations", func(o *tracer.Options) {
	runtime, err := art.ByName("art14")
	if err != nil {
		panic(err)
	}
	o.Start.Runtime = runtime
})

// like returns a mode of the tracer with that name.
func like(of, name, description string, fix func(*tracer.Options)) Mode {
	t, err := tracer.ByName(of)
	if err != nil {
		panic(err)
	}
	t.Name, t.Description = name, description
	return Mode{Tracer: t, fix: fix}
}

// wallClock returns a mode with the wall clock only, which costs less and is started differently.
func wallClock(m Mode) Mode {
	m.Costs, m.How = tracer.OfCompiled, tracer.HowWall
	return m
}

// control returns a mode that has the samples of ARTSampling except for the change made by fix. It
// is an emulation-only baseline.
func control(name, description string, costs tracer.Costs, fix func(*tracer.Options)) Mode {
	m := like("sample", name, description, fix)
	m.Control, m.Costs, m.How = true, costs, nil
	return m
}

func sliceEnd(name, description string, end diffstack.SliceEnd) Mode {
	return control(name, description, tracer.OfSampling, func(o *tracer.Options) { o.SliceEnd = end })
}

func identity(name, description string, same diffstack.Identity) Mode {
	return control(name, description, tracer.OfSampling, func(o *tracer.Options) { o.Identity = same })
}

// Group is a set of modes with one name.
type Group struct {
	Name, Description string
	Modes             []Mode

	// Intervals are the intervals used by the tools that the group represents; nil: all intervals
	// of a sweep.
	Intervals []time.Duration
}

// Groups returns the groups of modes.
func Groups() []Group {
	return []Group{
		{"studio", "group: the four recordings of Android Studio's profiler, at Studio's sampling interval",
			modesOf("instrument-dual", "sample", "simpleperf", "sections"), []time.Duration{time.Millisecond}},
		{"production", "group: samplers of apps in production: ART's sampler at 101 Hz (up to Android 14) and ProfilingManager",
			modesOf("legacy-production", "profilingmanager"), nil},
		{"all", "group: all tracers of Android apps", slices.DeleteFunc(Modes(), func(m Mode) bool { return m.Desktop }), nil},
		{"desktop", "group: the profilers of Linux, Go, Java and JavaScript, each at its own interval", slices.DeleteFunc(Modes(), func(m Mode) bool { return !m.Desktop }), nil},
	}
}

func modesOf(names ...string) (list []Mode) {
	for _, name := range names {
		m, _ := ModeByName(name)
		list = append(list, m)
	}
	return list
}
