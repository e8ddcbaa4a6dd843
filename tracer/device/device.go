package device

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"artifice/instrument"
	"artifice/internal/inputs"
	"artifice/sampler"
	"artifice/trace"
)

// Device is the timing of one device.
type Device struct {
	Name         string
	Description  string
	Sampling     sampler.Cost
	Instrumented instrument.Cost
	Tools        Tools
	Origins      []Origin // sources of the numbers; empty if read from a file without them
}

// All returns the built-in devices. On the first, the ideal device, tools have no cost.
var All = sync.OnceValue(func() (list []Device) {
	all := builtin()
	list = append(list, all[0])
	for _, d := range all[1:] {
		list = append(list, d.withPublishedTools())
	}
	return list
})

// Using returns the device for traces with these clocks: only the clocks in use are read, and
// measured (Trace::ReadClocks, MeasureClockOverhead). Sampling contains the cost of both clocks,
// which is a part of the walk of a thread. Using subtracts the cost of the unused clock from both.
// If the costs of the two clocks are not known separately, nothing changes.
func (d Device) Using(clock trace.Clock) Device {
	if clock == trace.Dual || d.Instrumented.Overhead(trace.Dual) == 0 {
		return d
	}
	s := &d.Sampling
	unused := max(0, s.ClockOverhead-d.Instrumented.Overhead(clock))
	s.ClockOverhead -= unused
	s.PerThread = max(0, s.PerThread-unused)
	return d
}

// Open returns the built-in device with a name, or reads the YAML file with that name, which ends
// in .yaml or .yml. If there is no such device or file, the error is fs.ErrNotExist (errors.Is).
func Open(name string) (Device, error) {
	if !strings.HasSuffix(name, ".yaml") && !strings.HasSuffix(name, ".yml") {
		for _, d := range All() {
			if d.Name == name {
				return d, nil
			}
		}
		return Device{}, unknownError(name)
	}
	file, err := inputs.Open(name)
	if err != nil {
		return Device{}, err
	}
	defer file.Close()
	return ReadYAML(file, name)
}

// unknownError is the name of a device that is not built in. Its message lists the built-in ones.
type unknownError string

func (name unknownError) Error() string {
	var names []string
	for _, d := range All() {
		names = append(names, d.Name)
	}
	return fmt.Sprintf("unknown device %q; use one of %s, or a YAML file", string(name), strings.Join(names, ", "))
}

// Is makes errors.Is match fs.ErrNotExist.
func (unknownError) Is(target error) bool { return target == fs.ErrNotExist }

// Origin is the source of some of a device's numbers.
type Origin struct {
	Numbers string // keys of the YAML form, separated by ", ", or "all"
	Source  string
	Kind    Kind
}

// Kind is the kind of source of a number, in ascending order of certainty.
type Kind uint8

const (
	// Unknown numbers are 0 because no value is known, not because they cost nothing.
	Unknown Kind = iota

	Assumed   // taken from a similar tool or device, or guessed
	Published // by the makers of a tool, for another device
	Measured  // in a trace of this device
	Defined   // true by definition: the device is ideal
)

var kindNames = []string{"unknown", "assumed", "published", "measured", "defined"}

// String returns the kind as the YAML form spells it.
func (k Kind) String() string { return kindNames[k] }

// parseKind is the inverse of String.
func parseKind(text string) (Kind, error) {
	i := slices.Index(kindNames, text)
	if i < 0 {
		return 0, fmt.Errorf("%q is none of %s", text, strings.Join(kindNames, ", "))
	}
	return Kind(i), nil
}

// KindOf returns the certainty of a group of numbers of the device: that of the least certain of
// them. The numbers are named as in the YAML form. A number without an origin is assumed, or
// unknown if it is 0.
func (d *Device) KindOf(numbers ...string) Kind {
	least := Defined
	for _, number := range numbers {
		least = min(least, d.kindOf(number))
	}
	return least
}

func (d *Device) kindOf(number string) Kind {
	for _, o := range d.Origins {
		if o.Numbers == "all" || slices.Contains(strings.Split(o.Numbers, ", "), number) {
			return o.Kind
		}
	}
	for _, f := range d.fields() {
		if f.key == number && *f.value > 0 {
			return Assumed
		}
	}
	return Unknown
}

// Merge returns the device that recorded two traces, from the devices that [Calibration.Device]
// estimates from each: the cost of sampling comes from the sampled trace, the cost of an event from
// the instrumented one, and the origins from both.
func Merge(sampled, instrumented Device) Device {
	merged := sampled
	merged.Description += " and " + strings.TrimPrefix(instrumented.Description, estimatedFrom)
	merged.Instrumented = instrumented.Instrumented
	merged.Origins = slices.Concat(
		originsOf(sampled.Origins, false),
		originsOf(instrumented.Origins, true),
	)
	return merged
}

// eventCosts are the numbers that make up the cost of an event.
var eventCosts = []string{"cpu-read", "wall-read", "hook", "compiled", "code", "interpreted"}

// originsOf returns the origins of the costs of an event, or of all other numbers.
func originsOf(all []Origin, ofEvent bool) []Origin {
	var some []Origin
	for _, o := range all {
		numbers := slices.DeleteFunc(strings.Split(o.Numbers, ", "), func(number string) bool { return slices.Contains(eventCosts, number) != ofEvent })
		if len(numbers) > 0 {
			some = append(some, Origin{strings.Join(numbers, ", "), o.Source, o.Kind})
		}
	}
	return some
}

// Tools is the cost of tracers that are not part of ART: Android's profilers and those that
// companies build into their apps. Stack walks in the process itself are not included; they take
// the time in which the sampling runtime walks one thread (ticks.Cost).
type Tools struct {
	PerfCopy    time.Duration // mean time for the kernel to copy the stack of a thread for simpleperf or Perfetto
	PerfCopyMax time.Duration // maximum of that time; if it exceeds the mean, the time is random
	PerfWrite   time.Duration // simpleperf's time for a sample that it unwinds later
	PerfUnwind  time.Duration // simpleperf's time for a sample that it unwinds immediately

	Unwind Unwind // failing walks of native stacks in the library of simpleperf and Perfetto

	Marker     time.Duration // begin or end of a section of android.os.Trace
	RheaMarker time.Duration // the same if RheaTrace 1 intercepts it on its way to the kernel
	ExitRecord time.Duration // entry or exit of a call with btrace 2
	Beat       time.Duration // entry or exit of a call with Matrix
	Nanoscope  time.Duration // entry or exit of a call with nanoscope
}

// Unwind is the share of stacks that libunwindstack does not walk to the outermost frame, by cause.
// The shares depend more on the app than on the phone: walks fail at native code without unwind
// information.
type Unwind struct {
	Unknown float64 // no frame is found, and the sample is empty; from 0 to 1, and the sum of all three at most 1
	// the copy of the stack ends before the stack does, and the sample does not state this
	Truncated float64
	Error     float64 // an error ends the walk; a Perfetto trace has a frame ERROR there
	Frames    int     // innermost frames that a walk finds before it is truncated or fails
}

// published are the known values for these tools. No value is specific to a device, so all devices
// have the same.
var published = Tools{
	PerfCopy: 23 * us, PerfCopyMax: 103 * us, PerfWrite: 16 * us, PerfUnwind: 156 * us,
	Unwind: Unwind{Frames: 9},
	Marker: 3200, RheaMarker: 640, ExitRecord: 96, Beat: 20, Nanoscope: 20,
}

// publishedOrigins are the sources of published.
var publishedOrigins = []Origin{
	{"perf-copy, perf-unwind", "simpleperf debug-unwind on a Pixel 2 (walleye), 2312 samples of an app, published by a developer of Perfetto in 2020: 23.1 us to copy a stack of 16.8 kB, 155.6 us to unwind it", Published},
	{"perf-copy-most", "the same app during recording: 102.7 us per sample on average; used as the maximum", Published},
	{"unwind-unknown, unwind-truncated, unwind-error, unwind-frames", "perfetto_trace_cpu_sampling_not_scoped.pftrace of Microsoft-Performance-Tools-Linux-Android, Android 12, linux.perf on all processes: no walk failed in 196 samples of Java apps other than Chrome; of 130 samples of Chrome, 79 ended in an error (invalid map 39, invalid ELF 28, no unwind information 11, memory invalid 1), after 9 frames (median); none was truncated or without a frame. simpleperf uses the same library", Published},
	{"marker", "Perfetto's documentation of ATrace: 1 to 10 us per event, mostly for the write to trace_marker; the value is the geometric mean", Published},
	{"rhea-marker", "RheaTrace 1's documentation: writing to its ring is up to 400 % faster than systrace; the value is a fifth of marker", Published},
	{"exit-record", "btrace 2's documentation: instrumenting all methods of an app costs 15 %, compared with nearly 100 % for version 1; the value is 15 % of rhea-marker", Published},
	{"beat", "no published figure: assumed equal to nanoscope's, although nanoscope reads a hardware counter and Matrix a variable", Assumed},
	{"nanoscope", "nanoscope's README: about 20 ns per method on a Nexus 6P; as an upper bound, used for each of its two events", Published},
	{"perf-write", "change 5a5e92c7a4 of simpleperf: the samples of 30 s take 0.3 s to write and 3 s to unwind, so the value is a tenth of perf-unwind", Published},
}

// withPublishedTools returns the device with the published values for tools.
func (d Device) withPublishedTools() Device {
	d.Tools, d.Origins = published, slices.Concat(d.Origins, publishedOrigins)
	return d
}
