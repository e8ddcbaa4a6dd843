// Package tracer is the list of the tracing methods that artifice emulates.
//
// A tracing method is a filter from a truth to a recording. A [Tracer] describes one: its name, its
// options, its costs, how to record with it, and how to run it ([Run]). The commands that offer all
// of them (record, bench, list, fixtures, completion) need no code for a particular one.
//
// The filters are in package sampler (all stacks at intervals), sampler/thread (single threads) and
// instrument (every call). Costs are those of a device (tracer/device).
//
// To add a tracing method, declare a [Tracer] next to those of its kind (art.go, calls.go,
// threads.go, perfevent.go, desktop.go) and add it to the registry, tracers.
//
// # Example
//
//	t, err := tracer.ByName("simpleperf")
//	phone, err := device.Open("A")
//	recorded, err := t.Record(truth, &tracer.Options{Interval: time.Millisecond, Device: phone})
//
// # Units and errors
//
// Intervals are time.Durations. ByName returns an error that lists the names. Record returns an
// error for options that the method cannot have, and the recording's reader one if it has no
// sample.
package tracer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"artifice/art"
	"artifice/diffstack"
	"artifice/sampler"

	"artifice/trace"
	"artifice/tracer/device"
)

// Tracer is one tracing method.
type Tracer struct {
	Name        string // as spelled on the command line
	Description string

	// Uses are the options that it takes, as spelled on the command line.
	Uses []string

	// Ring is the range of the option ring, in entries; zeros: any.
	Ring struct{ Min, Max int64 }

	// Again is set if it reads a recorded trace, in file order. Other tracers read a truth in time
	// order.
	Again bool

	// Dumps is set if its samples are written as stack dumps.
	Dumps bool

	// Intervals are bench's default intervals; none: it has no interval.
	Intervals []time.Duration

	// Control is set for an emulation-only baseline, which is never recommended.
	Control bool

	// Desktop is set if it profiles programs on desktops and servers, not Android apps. bench
	// includes it only by name, and never recommends it.
	Desktop bool

	// Unmeasured is set if bench has no row for it, because it does not trace an app or records the
	// same as another tracer.
	Unmeasured bool

	Costs Costs // for the app

	How How // how to record with it; nil: unknown

	// Discontinued is the reason why it can no longer record; "": it can.
	Discontinued string

	// New configures it for a truth with that info.
	New func(truth *trace.Info, o *Options) Run
}

// Record returns the tracer's recording of a truth. The truth is not read before the recording is.
func (t *Tracer) Record(truth *trace.Recording, o *Options) (*trace.Recording, error) {
	return t.New(&truth.Info, o).Record(truth)
}

// tracers is the registry, in the order of the manual. A new tracing method needs a file with a
// [Tracer] and a line here.
var tracers = []Tracer{unobserved, instrumented, sampled, longRunning, dumped, simpleperf, perfetto, profilingManager, profilo, btrace3, blockCanary, sections, exitRecords, markers, beat, nanoscope, perf, goThreads, goProcess, jfr, jfrCPU, v8, async, safepoints, again}

// All returns every tracing method, in the order of the manual.
func All() []Tracer { return slices.Clone(tracers) }

// ByName returns the tracer with a name, or an error that lists the names.
func ByName(name string) (Tracer, error) {
	var names []string
	for _, t := range tracers {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return Tracer{}, fmt.Errorf("unknown tracer %q; use one of %s", name, strings.Join(names, ", "))
}

// Using returns the names of the tracers that use an option.
func Using(option string) (names []string) {
	for _, t := range tracers {
		if slices.Contains(t.Uses, option) {
			names = append(names, t.Name)
		}
	}
	return names
}

// Options are the settings of all tracers. The zero value is an ideal device, the default
// runtime, a file with both clocks, and each tracer's own defaults.
type Options struct {
	Seed    uint64 // "seed": of random numbers
	TempDir string // of temporary files; empty: os.TempDir

	Device device.Device // "device": the tracing costs

	// Start contains the start options of the trace: "runtime", "clock", "streaming", "buffer",
	// "exact". Only its fields Runtime, Clock, Streaming, V2, BufferSize, ExactNames and HostBuild
	// are used.
	Start art.Config

	// Profile is set if a profile is made from the samples: they are delivered as snapshots, before
	// a runtime's buffers drop any.
	Profile bool

	// Compared is set if the recording is compared with the truth and makes no file: events have
	// the truth's numbers of threads and methods, and no buffer overflows.
	Compared bool

	Interval time.Duration      // "interval": between two samples
	Phase    time.Duration      // "phase": app time of the first sample
	Schedule sampler.Schedule   // "schedule"
	Leaves   sampler.Leaves     // "safepoint-bias"
	Identity diffstack.Identity // "identity"
	SliceEnd diffstack.SliceEnd // "slice-end"

	// OneClock makes a sample stop the clock of the whole app ([sampler.Config].OneClock), and
	// waits end as late as they began ([instrument.Config].OneClock). It serves the comparison with
	// ART under a virtual clock, which all threads share (package research/internal/art11).
	OneClock bool

	CountObjects  bool  // "count-allocs": the file has object statistics
	NotDebuggable bool  // "release-build"
	Again         bool  // "again"
	Ring          int64 // "ring": capacity of the buffer in entries, the last ones; 0: the tracer's own
	AllThreads    bool  // "all-threads": not only the main thread
	UnwindAtOnce  bool  // "no-post-unwind": simpleperf unwinds each sample when it receives it

	Format    string        // of the long-running-methods profile, which identifies its generation; "": the tracer's own
	Threshold time.Duration // "threshold": minimum length of a recorded call
	CounterHz uint64        // "counter-hz": of the timestamp counter
}
