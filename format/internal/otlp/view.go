package otlp

import (
	"maps"
	"math"
	"reflect"

	"github.com/google/pprof/profile"

	"artifice/trace"
)

// aliases are the labels of pprof for attributes of OpenTelemetry.
var aliases = map[string]string{attrThreadName: "thread", attrThreadID: "tid", "process.pid": "pid"}

// viewOf returns the profile as pprof's reader understands it: with its names of labels, and with values
// that are numbers of samples multiplied by the period. It does not change p.
func viewOf(p *profile.Profile, name string) (*profile.Profile, []trace.Warning) {
	view := &profile.Profile{SampleType: p.SampleType, PeriodType: p.PeriodType, Period: p.Period, DefaultSampleType: p.DefaultSampleType,
		DropFrames: p.DropFrames, KeepFrames: p.KeepFrames, Mapping: p.Mapping, Location: p.Location, Function: p.Function,
		TimeNanos: p.TimeNanos, DurationNanos: p.DurationNanos, Comments: p.Comments}
	var warnings []trace.Warning
	scale := make([]int64, len(p.SampleType))
	for i, t := range p.SampleType {
		if scale[i] = 1; countsOf(p, i) {
			scale[i] = p.Period
			warnings = append(warnings, trace.Warnf(trace.WarnDumpLeftOut, name,
				"all values of %s are below the period of %d %s: they are read as numbers of samples", t.Type, p.Period, t.Unit))
		}
	}
	known := map[uintptr]map[string][]string{}
	numbers := map[uintptr]map[string][]int64{}
	view.Sample = make([]*profile.Sample, len(p.Sample))
	for i, s := range p.Sample {
		of := *s
		of.Value = make([]int64, len(s.Value))
		for k, v := range s.Value {
			of.Value[k] = v * scale[k]
		}
		of.Label, of.NumLabel = renamed(known, s.Label, aliases), renamed(numbers, s.NumLabel, aliases)
		view.Sample[i] = &of
	}
	return view, warnings
}

// countsOf reports whether the values of a sample type in a unit of time are numbers of samples: the period
// is of that type, and all values are below it, which no sum of periods is.
func countsOf(p *profile.Profile, i int) bool {
	t := p.SampleType[i]
	if p.PeriodType == nil || *p.PeriodType != *t || p.Period <= 1 || t.Unit == "count" {
		return false
	}
	some := false
	for _, s := range p.Sample {
		v := s.Value[i]
		if v < 0 || v >= p.Period || v > math.MaxInt64/p.Period {
			return false
		}
		some = some || v > 0
	}
	return some
}

// renamed returns labels with other names where the new name is free. Samples share their labels: known has
// those renamed already.
func renamed[T any](known map[uintptr]map[string][]T, labels map[string][]T, names map[string]string) map[string][]T {
	if len(labels) == 0 {
		return labels
	}
	id := reflect.ValueOf(labels).Pointer()
	of, ok := known[id]
	if !ok {
		of = maps.Clone(labels)
		for from, to := range names {
			if v, has := labels[from]; has && labels[to] == nil {
				of[to] = v
				delete(of, from)
			}
		}
		known[id] = of
	}
	return of
}
