package device

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"artifice/instrument"
	"artifice/trace"
	"artifice/trace/stats"
)

// Calibration is an estimate of the device that recorded a trace: one of Sampled and Instrumented.
// Values that a trace does not contain are marked as guesses: no file contains the nominal
// interval, and the trace only bounds a pause.
type Calibration struct {
	Sampled      *SampledTiming
	Instrumented *InstrumentedTiming
	Evidence     string // reason for the classification of the trace
	Events       int64  // events processed
}

// Estimate is a value with an interval around it: the 95 % confidence interval of a quantile or a
// fit, otherwise the bounds that its comment names.
type Estimate struct {
	Value, Low, High time.Duration
	N                int // number of observations; 0 if there is no estimate
}

// minPeriods is the minimum number of single-period intervals for an estimate.
const minPeriods = 20

// Calibrate reads rec, which must be in time order, and estimates the timing of the device that
// recorded it. It reads at most 262144 samples of threads (or events of an instrumented trace), in
// bounded memory.
//
// It fails if the tracing method cannot be determined, or if the trace is a truth, has samples of
// CPU time, has no wall clock, or is too short.
func Calibrate(rec *trace.Recording) (*Calibration, error) { return calibrate(rec, &Ticks{}) }

func calibrate(rec *trace.Recording, ticks *Ticks) (*Calibration, error) {
	if rec.Info.Technique == trace.Truth {
		return nil, errors.New("a ground truth was not recorded on a device: use a sampled trace or a trace of every call")
	}
	if rec.Info.OfCPU {
		return nil, errors.New("samples of CPU time do not show the timing of ART's tracers: use a method trace")
	}
	if !rec.Info.Clock.HasWall() {
		return nil, fmt.Errorf("clock %s: calibration needs the wall clock", rec.Info.Clock)
	}
	var s samples
	if err := s.read(rec); err != nil {
		return nil, err
	}
	technique, evidence := s.groups.TechniqueOf(&rec.Info)
	c := &Calibration{Evidence: evidence, Events: s.groups.Events}
	switch technique {
	case trace.Sampled:
		c.Sampled = s.timing(rec, ticks)
		if n := c.Sampled.Period.N; n < minPeriods {
			return nil, fmt.Errorf("%d consecutive samples of one thread, but at least %d are needed: record a longer trace", n, minPeriods)
		}
	case trace.Instrumented:
		c.Instrumented = s.gaps.timing(rec)
	default:
		return nil, fmt.Errorf("cannot determine whether the trace is sampled or instrumented: %s", evidence)
	}
	return c, nil
}

// Device returns the device that recorded the trace called source, for traces of that nominal
// interval (0: [SampledTiming.Interval]). The costs of the other tracing method are those of the
// clocks alone, and those of tools the published ones.
func (c *Calibration) Device(name, source string, interval time.Duration) Device {
	d := Device{Name: name, Description: estimatedFrom + source}
	if c.Sampled != nil {
		c.Sampled.describe(&d, source, interval)
	} else {
		c.Instrumented.describe(&d, source)
	}
	return d.withPublishedTools()
}

// estimatedFrom begins the description of a device estimated from a trace.
const estimatedFrom = "estimated from "

// maxSamples is the maximum number of processed samples of threads: enough for any estimate, and a
// bound on memory.
const maxSamples = 1 << 18

// sample is one sample of one thread in the trace: a group of events with equal timestamps.
type sample struct {
	wall, cpu time.Duration
	thread    trace.ThreadID
	depth     int32 // frames after it
}

// samples collects the input of the estimates from events in time order.
type samples struct {
	all    []sample
	latest []int32 // by thread: index of its last sample
	groups stats.Groups
	gaps   gaps
}

// read reads rec to its end, where a stream states the cost of its clock. Events after maxSamples
// samples are not used.
func (s *samples) read(rec *trace.Recording) error {
	batch := make([]trace.Event, trace.BatchSize)
	for len(s.all) < maxSamples {
		n, err := rec.Events.ReadEvents(batch)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		for _, e := range batch[:n] {
			if int(e.Thread) >= len(rec.Symbols.Threads) {
				return fmt.Errorf("event %d of thread index %d: there are %d threads", s.groups.Events, e.Thread, len(rec.Symbols.Threads))
			}
			s.add(e)
		}
	}
	_, err := trace.Copy(trace.Discard, rec.Events)
	return err
}

func (s *samples) add(e trace.Event) {
	for int(e.Thread) >= len(s.latest) {
		s.latest = append(s.latest, 0)
	}
	s.gaps.add(e)
	if s.groups.Add(e) {
		s.latest[e.Thread] = int32(len(s.all))
		s.all = append(s.all, sample{wall: e.Wall, cpu: e.CPU, thread: e.Thread})
	}
	s.all[s.latest[e.Thread]].depth = int32(s.groups.Nesting().Depth(e.Thread))
}

// wallRead is the time of one read of the wall clock on a phone. Traces with both clocks state only
// the sum.
const wallRead = 50 * time.Nanosecond

// ClockCost returns the cost of reading the clocks. A trace states the sum for the clocks it uses.
func ClockCost(overhead time.Duration, used trace.Clock) instrument.Cost {
	switch used {
	case trace.Wall:
		return instrument.Cost{WallRead: overhead}
	case trace.ThreadCPU:
		return instrument.Cost{CPURead: overhead}
	}
	return instrument.Cost{CPURead: max(0, overhead-wallRead), WallRead: min(overhead, wallRead)}
}

// ascending returns values in ascending order, as package stat expects them.
func ascending(values []time.Duration) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = float64(v)
	}
	slices.Sort(out)
	return out
}

// quantile returns the q-quantile of values in ascending order: the smallest that a share q of them
// does not exceed. Its 95 % confidence interval is that of order statistics: the quantiles q -+
// 1.96*sqrt(q*(1-q)/n).
func quantile(values []float64, q float64) Estimate {
	n := len(values)
	if n == 0 {
		return Estimate{}
	}
	at := func(q float64) time.Duration {
		return time.Duration(stat.Quantile(min(1, max(0, q)), stat.Empirical, values, nil))
	}
	reach := 1.96 * math.Sqrt(q*(1-q)/float64(n))
	return Estimate{Value: at(q), Low: at(q - reach), High: at(q + reach), N: n}
}

// mean returns the mean of values with its 95 % confidence interval.
func mean(values []float64) Estimate {
	n := len(values)
	if n == 0 {
		return Estimate{}
	}
	m, deviation := stat.MeanStdDev(values, nil)
	reach := 0.0
	if n > 1 {
		reach = 1.96 * deviation / math.Sqrt(float64(n))
	}
	return Estimate{time.Duration(m), time.Duration(m - reach), time.Duration(m + reach), n}
}

// coarseStep is the clock resolution from which medians of short times are unreliable: many
// differences are 0 or one step. Finer resolutions cannot be distinguished in timestamps of whole
// microseconds.
const coarseStep = 20 * time.Microsecond

// step returns the resolution of the clock of the samples' wall timestamps: all differences of
// adjacent timestamps are multiples of it, except for rounding to whole microseconds. It is 1 µs
// unless a coarser one explains nearly all.
func (s *samples) step() time.Duration {
	var differences []time.Duration
	for i := 1; i < len(s.all); i++ {
		if d := s.all[i].wall - s.all[i-1].wall; d > 0 {
			differences = append(differences, d)
		}
	}
	return clockStep(ascending(differences))
}

// clockStep returns the number of which all values, in ascending order, are multiples, or 1 µs. A
// multiple may be off by 2 µs, because it is the difference of two timestamps rounded down to whole
// microseconds.
//
// The smallest values, of one step, give a first estimate, and each later value improves it.
// Timestamps of one sample can be equally far apart for other reasons, so the values of many steps,
// which lie between samples, have to fit separately.
func clockStep(values []float64) time.Duration {
	const (
		cut         = float64(time.Microsecond)
		few, enough = 8, 300 // in steps: up to few, values fit without an exact step
	)
	if len(values) < minPeriods || values[0] < float64(coarseStep) {
		return time.Microsecond
	}
	ones, _ := slices.BinarySearch(values, values[0]+2*cut)
	step := stat.Mean(values[:ones], nil)
	var sum, counts float64
	var fitting, tried [2]int // of few steps, and of more
	for _, v := range values {
		n := math.Round(v / step)
		if n > enough {
			break
		}
		kind := 0
		if n > few {
			kind = 1
		}
		tried[kind]++
		if math.Abs(v-n*step) <= 2*cut {
			fitting[kind]++
			sum, counts = sum+v, counts+n
			step = sum / counts
		}
	}
	for kind := range tried {
		if tried[kind] < minPeriods || fitting[kind] < tried[kind]*9/10 {
			return time.Microsecond
		}
	}
	return time.Duration(math.Round(step))
}
