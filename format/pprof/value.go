package pprof

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"artifice/trace"
)

// values are the indexes of the profile's values that are in its recording, or -1.
type values struct {
	count     int // index of the number of samples
	wall, cpu int
	// count is the number of samples of CPU time, and the profile has no times
	ofCPU bool
	// count is the number of samples of unknown time: neither it nor the period has a clock's name
	unclocked bool
	// the quantity at index wall, if it is not the time of threads; cpu is then -1
	quantity trace.Quantity
	scale    []int64 // for each value: its unit in ns, or 1
}

// valuesOf selects the values of a profile that are read. It selects the value with the given name;
// without a name, as go tool pprof, the value that the profile states as its default, else the last
// one. Wall and CPU time are read together if the profile has both and one of them is selected, or
// if the profile of Datadog, which states no default, has both.
//
// A count of samples is a time if the profile states its period, or interval is set.
func valuesOf(p *profile.Profile, name string, interval time.Duration) (values, error) {
	at, err := selected(p, name)
	if err != nil {
		return values{}, err
	}
	v := values{count: -1, wall: -1, cpu: -1, scale: scalesOf(p)}
	of := p.SampleType[at]
	wall, cpu := timeOf(p, wallNames), timeOf(p, cpuNames)
	switch {
	case name == "" && wall >= 0 && cpu >= 0 && (at == wall || at == cpu || p.DefaultSampleType == ""):
		v.wall, v.cpu, v.count = wall, cpu, countOf(p, sampleNames)
	case isTime(of) && is(of, cpuNames):
		v.cpu, v.count = at, countOf(p, slices.Concat(sampleNames, cpuSampleNames))
	case isTime(of) && (is(of, wallNames) || p.PeriodType != nil && p.PeriodType.Type == of.Type):
		v.wall, v.count = at, countOf(p, slices.Concat(sampleNames, wallSampleNames))
	case countsSamples(of) && (periodOf(p) > 0 || interval > 0):
		v.count, v.ofCPU = at, is(of, cpuNames) || is(of, cpuSampleNames) || p.PeriodType != nil && is(p.PeriodType, cpuNames)
		v.unclocked = !v.ofCPU && !is(of, slices.Concat(wallNames, wallSampleNames)) && (p.PeriodType == nil || !is(p.PeriodType, wallNames))
	default:
		v.wall, v.quantity = at, quantityOf(of)
	}
	return v.signed(p, at), nil
}

// signed returns v. If some sample has a negative value, it returns only the selected value, at, as
// a difference.
func (v values) signed(p *profile.Profile, at int) values {
	negative := func(s *profile.Sample) bool {
		return slices.ContainsFunc([]int{v.wall, v.cpu, v.count}, func(i int) bool { return i >= 0 && s.Value[i] < 0 })
	}
	if !slices.ContainsFunc(p.Sample, negative) {
		return v
	}
	v = values{count: -1, wall: at, cpu: -1, quantity: quantityOf(p.SampleType[at]), scale: v.scale}
	if period := periodOf(p); countsSamples(p.SampleType[at]) && period > 0 {
		v.scale[at], v.quantity.Unit = int64(period), trace.Nanoseconds
	}
	v.quantity.Signed = true
	return v
}

// selected returns the index of the value with a name, or of the default value if the name is "".
func selected(p *profile.Profile, name string) (int, error) {
	if len(p.SampleType) == 0 {
		return 0, fmt.Errorf("the profile has no values")
	}
	if name == "" {
		return byDefault(p), nil
	}
	if i := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == name || t.Type+"/"+t.Unit == name }); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("no value %q (--value); the profile has %s", name, strings.Join(valueNames(p), ", "))
}

// byDefault returns the index of the value that is read without a name: see [valuesOf]. In profiles
// of Datadog, values of memory and locks follow the times, so their last value is not the default.
func byDefault(p *profile.Profile) int {
	names := []string{"cpu-time", "wall-time"}
	if p.DefaultSampleType != "" {
		names = []string{p.DefaultSampleType}
	}
	for _, name := range names {
		if i := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == name }); i >= 0 {
			return i
		}
	}
	return len(p.SampleType) - 1
}

// Times returns the names of the values of a profile that are CPU time or wall time.
func Times(p *profile.Profile) (names []string) {
	for _, t := range p.SampleType {
		if isTime(t) && (is(t, cpuNames) || is(t, wallNames)) {
			names = append(names, t.Type)
		}
	}
	return names
}

// valueNames returns the names of the values of a profile.
func valueNames(p *profile.Profile) (names []string) {
	for _, t := range p.SampleType {
		if !slices.Contains(names, t.Type) {
			names = append(names, t.Type)
		}
	}
	return names
}

// Names of values and periods, in lower case and with hyphens: for CPU time, for wall time, and for
// samples of either. The profilers of Go, Datadog, Google Cloud, Pyroscope, Parca, pprof-rs, rbspy,
// fgprof and simpleperf use them.
var (
	cpuNames        = []string{"cpu", "cpu-time", "cputime", "process-cpu", "cpu-clock", "task-clock", "cpu-nanoseconds", "on-cpu"}
	wallNames       = []string{"wall", "wall-time", "walltime", "wall-clock", "wallclock", "wall-nanoseconds", "time", "duration"}
	sampleNames     = []string{"samples", "sample"}
	cpuSampleNames  = []string{"cpu-samples", "cpu-sample"}
	wallSampleNames = []string{"wall-samples", "wall-sample"}
)

// is reports whether a value has one of the names.
func is(t *profile.ValueType, names []string) bool {
	return slices.Contains(names, strings.ReplaceAll(strings.ToLower(t.Type), "_", "-"))
}

// timeOf returns the index of a time with one of the names, or -1.
func timeOf(p *profile.Profile, names []string) int {
	return slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return isTime(t) && is(t, names) })
}

// countOf returns the index of a count with one of the names, or -1.
func countOf(p *profile.Profile, names []string) int {
	return slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return isCount(t) && is(t, names) })
}

// countsSamples reports whether a value is a number of samples of time.
func countsSamples(t *profile.ValueType) bool {
	return isCount(t) && is(t, slices.Concat(sampleNames, cpuSampleNames, wallSampleNames, cpuNames, wallNames))
}

// isTime reports whether a value has a unit of time.
func isTime(t *profile.ValueType) bool { return timeUnits[unit(t)] > 0 }

// isCount reports whether a value has the unit of counts, or none.
func isCount(t *profile.ValueType) bool {
	return slices.Contains([]string{"count", "counts", "samples", "sample", "1", ""}, unit(t))
}

// unit returns the unit of a value in lower case.
func unit(t *profile.ValueType) string { return strings.ToLower(t.Unit) }

// timeUnits are the units of time, in lower case, in ns.
var timeUnits = map[string]int64{
	"ns": 1, "nanosecond": 1, "nanoseconds": 1,
	"us": 1e3, "µs": 1e3, "μs": 1e3, "microsecond": 1e3, "microseconds": 1e3,
	"ms": 1e6, "millisecond": 1e6, "milliseconds": 1e6,
	"s": 1e9, "sec": 1e9, "secs": 1e9, "second": 1e9, "seconds": 1e9,
	"min": 60e9, "minute": 60e9, "minutes": 60e9,
	"h": 3600e9, "hr": 3600e9, "hrs": 3600e9, "hour": 3600e9, "hours": 3600e9,
}

// quantityOf returns the quantity of a value.
func quantityOf(t *profile.ValueType) trace.Quantity {
	q := trace.Quantity{Name: cmp.Or(t.Type, "value"), Unit: t.Unit}
	switch u := unit(t); {
	case isTime(t):
		q.Unit = trace.Nanoseconds
	case u == "byte" || u == "bytes" || u == "b":
		q.Unit = trace.Bytes
	case isCount(t):
		q.Unit = "count"
	}
	return q
}

// scalesOf returns the unit of each value in ns, or 1 if the value is not a time.
func scalesOf(p *profile.Profile) []int64 {
	scale := make([]int64, len(p.SampleType))
	for i, t := range p.SampleType {
		scale[i] = max(1, timeUnits[unit(t)])
	}
	return scale
}

// periodOf returns the sampling period if it is a time; else 0.
func periodOf(p *profile.Profile) time.Duration {
	if p.PeriodType == nil || p.Period <= 0 {
		return 0
	}
	return time.Duration(times(p.Period, timeUnits[unit(p.PeriodType)]))
}

// contradict reports whether the values contradict the stated period (0: none): the profile has
// times and no number of samples, and most of the times are below half a period. Pyroscope states
// 1 s for samples of 10 ms.
func (v *values) contradict(p *profile.Profile, period time.Duration) bool {
	at := max(v.wall, v.cpu)
	if at < 0 || v.count >= 0 || v.quantity.IsSet() {
		return false
	}
	below, above := 0, 0
	for _, s := range p.Sample {
		switch n := times(s.Value[at], v.scale[at]); {
		case n <= 0:
		case n < int64(period/2):
			below++
		default:
			above++
		}
	}
	return below > above
}

// times returns n*by, limited to the range of an int64.
func times(n, by int64) int64 {
	if by == 0 {
		return 0
	}
	return max(min(n, math.MaxInt64/by), -math.MaxInt64/by) * by
}

// of returns the values of a sample. If the profile has no wall time, CPU time is used instead; if
// it has neither, the number of samples times the interval.
func (v *values) of(s *profile.Sample, interval time.Duration) (n, wall, cpu int64) {
	at := func(i int) int64 {
		if i < 0 {
			return 0
		}
		return times(s.Value[i], v.scale[i])
	}
	n, wall, cpu = at(v.count), at(v.wall), at(v.cpu)
	switch {
	case v.quantity.IsSet():
		return 1, wall, 0
	case v.wall >= 0:
	case v.cpu >= 0:
		wall = cpu
	default:
		wall = times(n, int64(interval))
		if v.ofCPU {
			cpu = wall
		}
	}
	if v.count < 0 {
		n = wall/int64(interval) + wall%int64(interval)*2/int64(interval)
	}
	return n, wall, cpu
}

// hasCPU reports whether the recording has CPU times.
func (v *values) hasCPU() bool { return v.cpu >= 0 || v.ofCPU }

// left returns the names of the values that are not read.
func (v *values) left(p *profile.Profile) (names []string) {
	for i, t := range p.SampleType {
		if i != v.wall && i != v.cpu && i != v.count {
			names = append(names, t.Type)
		}
	}
	return names
}

// others returns a sentence about the values that are not in the recording. It returns "" if there
// are none, or if the profile states its main value.
func (v *values) others(p *profile.Profile) string {
	left := slices.DeleteFunc(v.left(p), func(name string) bool { return v.quantity.Signed && is(&profile.ValueType{Type: name}, sampleNames) })
	read := max(v.wall, v.cpu)
	switch {
	case len(left) == 0 || p.DefaultSampleType != "":
		return ""
	case v.wall >= 0 && v.cpu >= 0:
		wall, cpu := p.SampleType[v.wall].Type, p.SampleType[v.cpu].Type
		return fmt.Sprintf("%s and %s are read as wall time and CPU time (--value %[1]s or --value %[2]s reads one of them); the profile also has %s",
			wall, cpu, strings.Join(left, ", "))
	case read < 0:
		read = v.count
	}
	return fmt.Sprintf("the values of %s are read (--value NAME reads others: %s)", p.SampleType[read].Type, strings.Join(left, ", "))
}
