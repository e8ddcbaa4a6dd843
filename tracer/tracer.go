// Package tracer is the list of the tracing methods that artifice emulates.
//
// A tracing method is a filter: truth in, recording out. A [Tracer] describes one: its
// name, its options, its costs, how people record with it, and how to run it ([Run]). The
// commands that offer all of them (record, bench, list, fixtures, completion) need no code
// for a single one.
//
// The filters are in package sampler (all stacks at intervals), sampler/thread (single
// threads) and instrument (every call). Costs are those of a device (tracer/device).
//
// To add a tracing method, declare a [Tracer] beside those of its kind (art.go,
// calls.go, threads.go, perfevent.go, desktop.go) and add it to the registry, tracers.
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
	Name        string // as the command line spells it
	Description string

	// Uses are the options that it takes, as the command line spells them.
	Uses []string

	// Again: it reads a recorded trace, in the order of its file; otherwise a truth in
	// order of time.
	Again bool

	// Dumps: its samples are written as stack dumps.
	Dumps bool

	// Intervals are bench's default intervals; none: it has no interval.
	Intervals []time.Duration

	// Control: an emulation-only baseline, which no advice recommends.
	Control bool

	// Desktop: it profiles programs on desktops and servers, not Android apps. bench includes it
	// only by name, and no advice recommends it.
	Desktop bool

	// Unmeasured: bench has no row for it, as it does not trace an app, or records the same
	// as another tracer.
	Unmeasured bool

	Costs Costs // of an app

	How How // how people record so; nil: not known

	// Discontinued is why it can no longer record; "": it can.
	Discontinued string

	// New sets it up for a truth of that info.
	New func(truth *trace.Info, o *Options) Run
}

// Record returns what the tracer records of a truth. Nothing is read of the truth before
// the recording is.
func (t *Tracer) Record(truth *trace.Recording, o *Options) (*trace.Recording, error) {
	return t.New(&truth.Info, o).Record(truth)
}

// tracers is the registry, in the order of the manual: a new way of tracing is a
// file with a [Tracer] in it and a line here.
var tracers = []Tracer{unobserved, instrumented, sampled, longRunning, dumped, simpleperf, perfetto, profilingManager, profilo, btrace3, blockCanary, sections, exitRecords, markers, beat, nanoscope, perf, goThreads, goProcess, jfr, jfrCPU, v8, async, safepoints, again}

// All returns every way of tracing, in the order of the manual.
func All() []Tracer { return slices.Clone(tracers) }

// ByName returns the tracer of a name, or an error that lists the names.
func ByName(name string) (Tracer, error) {
	var names []string
	for _, t := range tracers {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return Tracer{}, fmt.Errorf("unknown way of tracing %q; use one of %s", name, strings.Join(names, ", "))
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

	Device device.Device // "device": what tracing costs

	// Start is how the trace is started: "runtime", "clock", "streaming", "buffer".
	// Only its fields Runtime, Clock, Streaming, V2 and BufferSize count.
	Start art.Config

	// Profile tells that a profile is to be made of the samples: they come as
	// snapshots, and before a runtime's buffers drop some.
	Profile bool

	// Compared tells that the recording is compared with the truth, and makes no file:
	// events have the truth's numbers of threads and methods, and no buffer overflows.
	Compared bool

	Interval time.Duration      // "interval": between two samples
	Phase    time.Duration      // "phase": app time of the first sample
	Schedule sampler.Schedule   // "schedule"
	Leaves   sampler.Leaves     // "safepoint-bias"
	Identity diffstack.Identity // "identity"
	SliceEnd diffstack.SliceEnd // "slice-end"

	// OneClock makes a sample stop the time of the whole app ([sampler.Config].OneClock), and waits
	// end as late as they began ([instrument.Config].OneClock). It is for the comparison with ART
	// under a virtual clock, which is one for all threads (package research/internal/art11).
	OneClock bool

	CountObjects  bool  // "count-allocs": the file has statistics of objects
	NotDebuggable bool  // "release-build"
	Again         bool  // "again"
	Ring          int64 // "ring": entries that the buffer keeps, the last ones; 0: the tracer's own
	AllThreads    bool  // "all-threads": not the main thread alone
	UnwindAtOnce  bool  // "no-post-unwind": simpleperf unwinds each sample when it gets it

	Format    string        // of the long-running-methods profile, which tells its generation; "": the tracer's own
	Threshold time.Duration // "threshold": the shortest call that is kept
	CounterHz uint64        // "counter-hz": of the timestamp counter
}
