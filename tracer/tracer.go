// Package tracer is the list of all ways of tracing that artifice emulates.
//
// A way of tracing is a filter: truth in, recording out. Package sampler has those
// that look at all stacks now and then, package threadsampler those that sample each
// thread by itself, package instrument those that are told of every call. Here each has a name, says which options it uses, and is run by one
// call, so that a program that offers them all (record, fixtures) needs no code for any single
// one. Sweeps of package bench, which run hundreds over one reading of a truth, call these
// packages themselves.
//
// To add a way of tracing, write a file with a [Tracer] in it and add a line to
// the registry, tracers.
package tracer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"artifice/art"
	"artifice/device"
	"artifice/diffstack"
	"artifice/instrument"
	"artifice/sampler"
	"artifice/threadsampler"
	"artifice/trace"
)

// Tracer is one way of tracing.
type Tracer struct {
	Name        string // as the command line spells it
	Description string

	// Uses are the options that it takes, as the command line spells them.
	Uses []string

	// Again tells that it reads a recorded trace, in the order of its file; else it
	// reads a truth in order of time.
	Again bool

	// Dumps tells that its samples are written as stack dumps.
	Dumps bool

	// Threads is set for tracers that sample threads one by one: their configuration on a
	// device, at their default interval.
	Threads func(d device.Device) threadsampler.Config

	// Intervals are those at which bench has such a tracer unless others are asked for.
	Intervals []time.Duration

	// Calls is set for tracers that code in the app calls at each call: their configuration on
	// a device.
	Calls func(d device.Device) instrument.CallsConfig

	Costs Costs // what it takes from the app

	How How // how people record so; nil: not known

	// Gone says why nobody can record with it today; "": people can.
	Gone string

	// Record returns what the tracer records of truth. Nothing is read of the truth
	// before the recording is.
	Record func(truth *trace.Recording, o *Options) (*trace.Recording, error)
}

// tracers is the registry, in the order of the manual: a new way of tracing is a
// file with a [Tracer] in it and a line here.
var tracers = []Tracer{unobserved, instrumented, sampled, longRunning, dumped, simpleperf, perfetto, profilo, btrace3, blockCanary, sections, exitRecords, markers, beat, nanoscope, again}

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

	Interval time.Duration      // "interval": between two samples
	Phase    time.Duration      // "phase": app time of the first sample
	Schedule sampler.Schedule   // "schedule"
	Leaves   sampler.Leaves     // "safepoint-bias"
	Identity diffstack.Identity // "identity"
	SliceEnd diffstack.SliceEnd // "slice-end"

	NotDebuggable bool  // "release-build"
	Again         bool  // "again"
	Ring          int64 // "ring": entries that the buffer keeps, the last ones; 0: the tracer's own
	UnwindAtOnce  bool  // "no-post-unwind": simpleperf unwinds each sample when it gets it

	Format    string        // of the long-running-methods profile, which tells its generation; "": the tracer's own
	Threshold time.Duration // "threshold": the shortest call that is kept
	CounterHz uint64        // "counter-hz": of the timestamp counter
}
