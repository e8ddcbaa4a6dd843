package profilers

import (
	"fmt"
	"math"
	"time"

	"artifice/format"
	"artifice/report/estimate"
	"artifice/trace"
	"artifice/trace/filter"
	"artifice/tracer"
)

// plain are the methods that neither wait nor call others nor themselves: those with 50 % to 1 % of
// their common time.
var plain = []string{"p50", "p25", "p12", "p6", "p2", "p05"}

// seen summarizes samples: their number, and the share of samples with each method as the leaf.
type seen struct {
	samples int64 // with a method of the program
	shares  map[string]float64
}

// tally counts the samples by leaf method.
type tally struct {
	symbols *trace.Symbols
	byTime  bool // a sample is weighted by the time until the next one
	samples int64
	sum     float64
	of      map[string]float64
}

// WriteSnapshot implements [trace.SnapshotWriter].
func (t *tally) WriteSnapshot(s *trace.Snapshot) error {
	if len(s.Stack) == 0 {
		return nil
	}
	weight := float64(s.Count)
	if t.byTime {
		weight = float64(s.Until - s.Wall)
	}
	t.of[t.symbols.Method(s.Stack[len(s.Stack)-1]).Name] += weight
	t.sum += weight
	t.samples += s.Count
	return nil
}

func (t *tally) seen() seen {
	s := seen{samples: t.samples, shares: map[string]float64{}}
	for method, sum := range t.of {
		s.shares[method] = sum / t.sum
	}
	return s
}

// both passes events and snapshots to an estimator, and snapshots to a tally.
type both struct {
	*estimate.Estimator
	tally *tally
}

func (b both) WriteSnapshot(s *trace.Snapshot) error {
	if err := b.tally.WriteSnapshot(s); err != nil {
		return err
	}
	return b.Estimator.WriteSnapshot(s)
}

// observe reads the profile of a run. Frames of functions that are not the program's are merged
// into their callers.
func observe(r *run, t *truth) (seen, *estimate.Profile, *trace.Symbols, error) {
	in, err := format.Open(r.profile, format.Config{})
	if err != nil {
		return seen{}, nil, nil, err
	}
	defer in.Close()
	fold := filter.Fold{Folds: func(m *trace.Method) bool { return !t.has(m.Name) }}
	rec := fold.Apply(in.Recording)
	b := both{estimate.New(rec, estimate.Config{MethodsOnly: true}), &tally{symbols: rec.Symbols, byTime: r.counts == wallTime, of: map[string]float64{}}}
	if _, err := trace.Copy(b, rec.Events); err != nil {
		return seen{}, nil, nil, err
	}
	s := b.tally.seen()
	if s.samples == 0 {
		return s, nil, nil, fmt.Errorf("%s: no sample shows a method of the program", r.profile)
	}
	return s, b.Finish(), rec.Symbols, nil
}

// phases is the number of emulated profilers that predict a run.
const phases = 24

// predicted are the results of emulated profilers, one per phase.
type predicted []seen

// predict emulates the profiler on the log of a run; it uses no other input.
func predict(r *run, t *truth) (predicted, error) {
	way, err := tracer.ByName(r.way)
	if err != nil {
		return nil, err
	}
	var all predicted
	for i := range phases {
		phase := time.Duration((float64(i) + 0.5) / phases * float64(r.interval))
		rec, err := way.Record(t.recording(), &tracer.Options{Interval: r.interval, Phase: phase, Seed: uint64(i + 1), TempDir: r.dir})
		if err != nil {
			return nil, err
		}
		count := &tally{symbols: t.symbols, byTime: r.counts == wallTime, of: map[string]float64{}}
		if _, err := trace.Copy(struct {
			trace.Writer
			trace.SnapshotWriter
		}{trace.Discard, count}, rec.Events); err != nil {
			return nil, err
		}
		all = append(all, count.seen())
	}
	return all, nil
}

// spread returns the mean and the standard deviation of a figure over the phases.
func (p predicted) spread(of func(seen) float64) (mean, sd float64) {
	for _, s := range p {
		mean += of(s) / float64(len(p))
	}
	for _, s := range p {
		sd += (of(s) - mean) * (of(s) - mean) / float64(len(p)-1)
	}
	return mean, math.Sqrt(sd)
}

// overlap returns the sum of the smaller of the two shares of each method.
func overlap(a, b map[string]float64) (sum float64) {
	for method, share := range a {
		sum += min(share, b[method])
	}
	return sum
}

// outcome is the comparison of one run with its prediction.
type outcome struct {
	plainInside, plain   int
	outside              []string // plain methods that are outside
	measured, foreseen   float64  // overlap with the truth
	samples              float64  // relative to the prediction
	right, stacks        int
	intervalsHold, given int
}

// compare compares the profile of a run with its prediction.
func compare(r *run, t *truth) (o outcome, err error) {
	have, profile, symbols, err := observe(r, t)
	if err != nil {
		return o, err
	}
	foreseen, err := predict(r, t)
	if err != nil {
		return o, err
	}
	times := t.selfTimes(r.counts)
	truth := shares(times)
	for _, method := range plain {
		of := func(s seen) float64 { return s.shares[method] }
		mean, sd := foreseen.spread(of)
		o.plain++
		if math.Abs(of(have)-mean) <= 1.96*sd {
			o.plainInside++
		} else {
			o.outside = append(o.outside, fmt.Sprintf("%s %.2f for %.2f ± %.2f", method, 100*of(have), 100*mean, 196*sd))
		}
	}
	o.measured = overlap(have.shares, truth)
	o.foreseen, _ = foreseen.spread(func(s seen) float64 { return overlap(s.shares, truth) })
	samples, _ := foreseen.spread(func(s seen) float64 { return float64(s.samples) })
	o.samples = float64(have.samples) / samples
	if r.instant {
		all, err := perfSamples(r.profile)
		if err != nil {
			return o, err
		}
		o.right, o.stacks = right(all, t)
	}
	o.hold(profile, symbols, times, r.counts)
	return o, nil
}

// hold counts the intervals of self times in a profile, and those that contain the log's value.
func (o *outcome) hold(profile *estimate.Profile, symbols *trace.Symbols, times map[string]time.Duration, c counts) {
	for m := range profile.Methods() {
		claim := m.Exclusive.CPU
		if c == wallTime {
			claim = m.Exclusive.Wall
		}
		if !m.Exclusive.Runs.Enough() || c != wallTime && m.Exclusive.NoCPU || claim == (estimate.Time{}) {
			continue
		}
		o.given++
		if truth := times[symbols.Method(m.ID).Name]; claim.Low <= truth && truth <= claim.High {
			o.intervalsHold++
		}
	}
}

// shares returns the times divided by their sum.
func shares(times map[string]time.Duration) map[string]float64 {
	var sum time.Duration
	for _, t := range times {
		sum += t
	}
	all := map[string]float64{}
	for method, t := range times {
		all[method] = float64(t) / float64(sum)
	}
	return all
}
