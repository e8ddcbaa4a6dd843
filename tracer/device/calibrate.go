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

// Calibration is what a trace says of the device that recorded it: one of
// Sampled and Instrumented. What a trace does not have is not guessed without
// saying so: the nominal interval is in no file, and a pause is only bounded by
// what shows of it.
type Calibration struct {
	Sampled      *SampledTiming
	Instrumented *InstrumentedTiming
	Evidence     string // why the trace is taken for one or the other
	Events       int64  // events looked at
}

// Estimate is a figure with an interval around it: 95 % where it is a quantile
// or a fit, else the bounds that its comment names.
type Estimate struct {
	Value, Low, High time.Duration
	N                int // observations behind it; 0 when there is no estimate
}

// minPeriods is how many single-period intervals an estimate needs.
const minPeriods = 20

// Calibrate reads rec, whose events are in time order, and estimates the timing
// of the device that recorded it. It looks at the first 262144 samples of
// threads (or as many events of an instrumented trace), which takes bounded
// memory.
//
// It fails when the trace does not show how it was recorded, is a truth, has no
// wall clock, or is too short.
func Calibrate(rec *trace.Recording) (*Calibration, error) { return calibrate(rec, &Ticks{}) }

func calibrate(rec *trace.Recording, ticks *Ticks) (*Calibration, error) {
	if rec.Info.Technique == trace.Truth {
		return nil, errors.New("a truth was not recorded on a device: use a sampled trace or a trace of every call")
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

// Device returns the device that recorded the trace called source, for traces
// of that nominal interval (0: [SampledTiming.Interval]). Costs of the way of
// tracing that the trace is not of are those of the clocks alone, and those of tools
// the published ones.
func (c *Calibration) Device(name, source string, interval time.Duration) Device {
	d := Device{Name: name, Description: estimatedFrom + source}
	if c.Sampled != nil {
		c.Sampled.describe(&d, source, interval)
	} else {
		c.Instrumented.describe(&d, source)
	}
	return d.withPublishedTools()
}

// estimatedFrom begins the description of a device that a trace gave.
const estimatedFrom = "estimated from "

// maxSamples is how many samples of threads are looked at: enough for any
// estimate, and a bound on memory.
const maxSamples = 1 << 18

// sample is what one sample of one thread left in the trace: a group of events
// with equal stamps.
type sample struct {
	wall, cpu time.Duration
	thread    trace.ThreadID
	depth     int32 // frames after it
}

// samples gathers what estimates are made of from events in time order.
type samples struct {
	all    []sample
	latest []int32 // by thread: index of its last sample
	groups stats.Groups
	gaps   gaps
}

// read reads rec to its end, or until it has seen enough.
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
	return nil
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

// wallRead is what one read of the wall clock takes on a phone. Traces with both
// clocks only state the sum.
const wallRead = 50 * time.Nanosecond

// clocks returns the costs of reading the clocks, of which a trace states the sum
// of those it uses.
func clocks(overhead time.Duration, used trace.Clock) instrument.Cost {
	switch used {
	case trace.Wall:
		return instrument.Cost{WallRead: overhead}
	case trace.ThreadCPU:
		return instrument.Cost{CPURead: overhead}
	}
	return instrument.Cost{CPURead: max(0, overhead-wallRead), WallRead: min(overhead, wallRead)}
}

// ascending returns values in ascending order, as package stat takes them.
func ascending(values []time.Duration) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = float64(v)
	}
	slices.Sort(out)
	return out
}

// quantile returns the q-quantile of values in ascending order, the smallest
// that a share q of them does not exceed, with the 95 % interval that order
// statistics give: the quantiles q -+ 1.96*sqrt(q*(1-q)/n).
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

// mean returns the mean of values with its 95 % interval.
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

// coarseStep is from what step of a clock on medians of short times are not to be
// relied on: many differences are 0 or one step. Between finer steps and none the
// whole us of stamps do not tell.
const coarseStep = 20 * time.Microsecond

// step returns the step of the wall clock that stamped the samples: what all
// differences of neighbouring stamps are multiples of, but for the whole us to
// which they are cut. It is 1 us unless a coarser one explains nearly all.
func (s *samples) step() time.Duration {
	var differences []time.Duration
	for i := 1; i < len(s.all); i++ {
		if d := s.all[i].wall - s.all[i-1].wall; d > 0 {
			differences = append(differences, d)
		}
	}
	return clockStep(ascending(differences))
}

// clockStep returns the number that all values, which ascend, are multiples of, or
// 1 us. A multiple may be off by 2 us, as the difference of two stamps is that are
// cut to whole us.
//
// The smallest values, of one step, give a first idea of it, and each value after
// them a better one. Stamps of one sample can be equally far apart for other
// reasons; so the values of many steps, which lie between samples, have to fit on
// their own.
func clockStep(values []float64) time.Duration {
	const (
		cut         = float64(time.Microsecond)
		few, enough = 8, 300 // steps: up to few they fit without an exact step
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
