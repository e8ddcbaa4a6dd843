package device

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"artifice/sampler"
	"artifice/trace"
)

// Reproduction compares a sampled trace with emulations of it. An app with the trace's stacks is
// sampled with the calibrated device, and the result is calibrated again.
type Reproduction struct {
	Interval time.Duration // nominal interval, given or guessed
	Figures  []Reproduced
}

// Reproduced is one value of a trace and of its emulation.
type Reproduced struct {
	Name     string
	Unit     string  // ns, or "" for a plain number
	Real     float64 // NaN if the trace does not contain it
	Emulated float64 // mean of the emulations
}

// Difference returns the relative difference of the emulated from the real value; NaN if there is
// none.
func (r Reproduced) Difference() float64 { return (r.Emulated - r.Real) / r.Real }

// Tolerance is the maximum relative difference of an emulated value from the real one.
const Tolerance = 0.05

// Ok reports whether the values agree. A value that the trace does not contain agrees with any.
func (r Reproduced) Ok() bool {
	return math.IsNaN(r.Real) || math.Abs(r.Difference()) <= Tolerance
}

// emulations is the number of emulations of a trace, each with its own seed.
const emulations = 16

// maxReplayed is the maximum number of replayed events. It bounds memory.
const maxReplayed = 1 << 20

// Reproduce calibrates the sampled trace rec, which must be in time order, for that nominal
// interval (0: [SampledTiming.Interval]), emulates it and compares. It uses at most the first
// 1048576 events.
func Reproduce(rec *trace.Recording, interval time.Duration) (*Reproduction, error) {
	kept := &keeper{from: rec.Events}
	rec.Events = kept
	real, err := Calibrate(rec)
	rec.Events = kept.from
	switch {
	case err != nil:
		return nil, err
	case real.Sampled == nil:
		return nil, fmt.Errorf("--check emulates only sampled traces, and this trace is instrumented (%s)", real.Evidence)
	}
	t := real.Sampled
	if interval == 0 {
		interval = t.Interval()
	} else if err := t.CheckInterval(interval); err != nil {
		return nil, err
	}
	// Read the trace again for data that a calibration does not keep.
	var s samples
	groups := make([]int32, len(kept.events))
	for i, e := range kept.events {
		s.add(e)
		groups[i] = s.latest[e.Thread]
	}
	places := listOrder(rec)
	w := s.walk(places, mainPlace(rec, places), t.ShortPeriod.Value)
	cost := t.cost(interval)
	again := newReplay(rec, kept.events, groups, &s, t, w, &cost)

	var all []measured
	for seed := range uint64(emulations) {
		m, err := again.emulate(rec.Info.PID, sampler.Config{Interval: interval, Seed: seed + 1, Clock: rec.Info.Clock, Cost: cost}, t)
		if err != nil {
			return nil, fmt.Errorf("emulation %d: %w", seed+1, err)
		}
		all = append(all, m)
	}
	return &Reproduction{interval, compare(measure(t, t.Skew, t.SkewPlaces), all)}, nil
}

// keeper keeps the events read through it.
type keeper struct {
	from   trace.Reader
	events []trace.Event
}

// ReadEvents implements [trace.Reader].
func (k *keeper) ReadEvents(p []trace.Event) (int, error) {
	if len(k.events) >= maxReplayed {
		return 0, io.EOF
	}
	n, err := k.from.ReadEvents(p[:min(len(p), maxReplayed-len(k.events))])
	k.events = append(k.events, p[:n]...)
	return n, err
}

// emulate samples the replay and calibrates the result. Skew is measured between the same two
// threads as in the original trace, described by real.
func (r *replay) emulate(pid int, cfg sampler.Config, real *SampledTiming) (measured, error) {
	truth := r.recording(pid)
	var out trace.Buffer
	smp, err := sampler.New(truth, cfg, &out)
	if err != nil {
		return nil, err
	}
	var ticks periodsOfTicks
	smp.SetObserver(&ticks)
	if err := sampler.Run(truth, smp); err != nil {
		return nil, err
	}
	rec := *smp.Recording()
	rec.Events = trace.NewSliceReader(out.Events)
	var s samples
	if err := s.read(&rec); err != nil {
		return nil, err
	}
	t := s.timing(&rec, &Ticks{})
	if t.Period.N < minPeriods {
		return nil, errors.New("too few samples")
	}
	ticks.describe(t, real.limit)
	w := s.walk(listOrder(&rec), 0, t.ShortPeriod.Value)
	return measure(t, w.skewOf(r.ids[real.Thread], r.ids[real.SkewTo], t.Granularity), real.SkewPlaces), nil
}

// periodsOfTicks collects the periods of an emulation between all ticks that found some thread
// changed. Those of the busiest thread alone would lack short ones: the replay's stacks change once
// per period of the trace, and a shorter emulated period can lie between two changes. An app that
// changes all the time has no such periods.
type periodsOfTicks struct {
	last int64
	all  []time.Duration
}

// Sample implements [sampler.Observer].
func (p *periodsOfTicks) Sample(s *sampler.Sample) {
	if s.Tick != p.last && s.Period > 0 {
		p.all = append(p.all, s.Period)
	}
	p.last = s.Tick
}

// Ended implements [sampler.Observer].
func (p *periodsOfTicks) Ended(*sampler.Sample) {}

// describe sets the values for periods below limit, as in the trace.
func (p *periodsOfTicks) describe(t *SampledTiming, limit time.Duration) {
	all := ascending(p.all)
	n, _ := slices.BinarySearch(all, float64(limit))
	t.setPeriods(all[:n])
}

// measured are the compared values of one trace, in the order of reproducedFigures; NaN if the
// trace lacks one.
type measured []float64

var reproducedFigures = []struct{ name, unit string }{
	{"period p1", "ns"}, {"period p50", "ns"}, {"period mean", "ns"}, {"period spread", "ns"},
	{"CPU share", ""}, {"skew per place", "ns"}, {"events per sample", ""},
}

func measure(t *SampledTiming, skew Estimate, places int) measured {
	m := measured{
		float64(t.ShortPeriod.Value), float64(t.Period.Value), t.periodMean, t.periodSpread,
		t.CPUShare, float64(skew.Value) / float64(max(1, places)), t.EventsPerSample,
	}
	if t.CPU.N == 0 {
		m[4] = math.NaN()
	}
	if skew.N == 0 {
		m[5] = math.NaN()
	}
	return m
}

// compare pairs the values of a trace with the means of its emulations.
func compare(real measured, emulated []measured) []Reproduced {
	var list []Reproduced
	for i, f := range reproducedFigures {
		var sum, n float64
		for _, m := range emulated {
			if !math.IsNaN(m[i]) {
				sum, n = sum+m[i], n+1
			}
		}
		list = append(list, Reproduced{f.name, f.unit, real[i], sum / n})
	}
	return list
}
