package otlp

import (
	"math"

	"github.com/google/pprof/profile"

	"artifice/format/pprof"
	"artifice/trace"
)

// viewOf returns the profile as pprof's reader expects it: values that are numbers of samples are
// multiplied by the period. It does not change p.
func viewOf(p *profile.Profile, name string) (*profile.Profile, []trace.Warning) {
	var warnings []trace.Warning
	scale := make([]int64, len(p.SampleType))
	for i, t := range p.SampleType {
		if scale[i] = 1; countsOf(p, i) {
			scale[i] = p.Period
			warnings = append(warnings, trace.Warnf(trace.WarnDumpLeftOut, name,
				"all values of %s are below the period of %d %s: they are read as numbers of samples", t.Type, p.Period, t.Unit))
		}
	}
	if len(warnings) == 0 {
		return p, nil
	}
	view := pprof.WithSamples(p, make([]*profile.Sample, len(p.Sample)))
	for i, s := range p.Sample {
		of := *s
		of.Value = make([]int64, len(s.Value))
		for k, v := range s.Value {
			of.Value[k] = v * scale[k]
		}
		view.Sample[i] = &of
	}
	return view, warnings
}

// countsOf reports whether the values of a sample type with a unit of time are actually numbers of
// samples. This is assumed if the period has that type and all values are below the period, because
// a sum of periods is not.
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
