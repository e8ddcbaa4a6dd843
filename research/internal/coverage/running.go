package coverage

import (
	"errors"
	"fmt"
	"time"

	"artifice/report/estimate"
	"artifice/sampler"
	"artifice/trace"
	"artifice/tracer/device"
)

// Running is how the intervals of exclusive wall time did of an app that ran while it was sampled, by a thread that needed
// one of its cores.
type Running struct {
	Row                     // its width is not known: each run is another truth
	Runs      int           // with other random numbers each
	Claiming  int           // those with an interval
	Late      int           // of these, runs of which the profile says that samples came late
	Unsampled int           // that they missed what ran
	Warned    int           // one or the other
	Waited    time.Duration // by how much a sample came later than it was due, on average
}

// MeasureRunning measures some runs of an app. open returns a live truth ([trace.LiveApp]) of a seed, from its beginning.
func MeasureRunning(open func(seed uint64) (*trace.Recording, error), d device.Device, interval time.Duration, runs int) (Running, error) {
	r := Running{Row: Row{Device: d.Name, Interval: interval, Time: ExclusiveWall, Rule: Ours}, Runs: runs}
	for seed := range uint64(runs) {
		rec, err := open(seed)
		if err != nil {
			return r, err
		}
		if err := r.measure(rec, sampler.Config{Interval: interval, Cost: d.Sampling, KeepSymbols: true, Seed: seed}); err != nil {
			return r, fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	r.finish()
	r.Waited /= time.Duration(runs)
	return r, nil
}

// measure adds one run.
func (r *Running) measure(rec *trace.Recording, cfg sampler.Config) error {
	app, ok := rec.Events.(trace.LiveApp)
	if !ok {
		return errors.New("the app does not run while it is sampled")
	}
	sum := &truthSum{rec: rec, wall: make([][]time.Duration, 1)}
	rec.Events = &followed{app, sum}
	sampled, err := sampler.Record(rec, cfg)
	if err != nil {
		return err
	}
	stated := asInFile(sampled)
	e := estimate.New(stated, estimate.Config{MethodsOnly: true})
	if _, err := trace.Copy(struct{ trace.Writer }{e}, sampled.Events); err != nil {
		return err
	}
	stated.Info = sampled.Info // with how long it was
	for id, thread := range rec.Symbols.Threads {
		end := thread.End
		if end == 0 {
			end = rec.Info.Elapsed
		}
		sum.End(trace.ThreadID(id), end, inTime)
	}
	profile, truth := e.Finish(), sum.finish(false)
	one := judge(truth, [][]claims{claimsOf(profile, truth, false)}, ExclusiveWall, Ours)
	r.add(one.covered, one.Claims)
	r.Methods = max(r.Methods, one.Methods)
	r.Waited += sampled.Events.(*sampler.Reader).Stats().MeanLate()
	if one.Claims == 0 {
		return nil
	}
	r.Claiming++
	late, unsampled := profile.Late.Samples > 0, profile.Unsampled > 0
	for count, said := range map[*int]bool{&r.Late: late, &r.Unsampled: unsampled, &r.Warned: late || unsampled} {
		if said {
			*count++
		}
	}
	return nil
}

// inTime is how late events are that have the times at which they happen.
var inTime = []time.Duration{0}

// followed is an app that runs, with what its methods did.
type followed struct {
	trace.LiveApp
	sum *truthSum
}

// ReadEvents implements [trace.Reader].
func (f *followed) ReadEvents(p []trace.Event) (int, error) {
	n, err := f.LiveApp.ReadEvents(p)
	for i := range p[:n] {
		f.sum.Event(&p[i], inTime)
	}
	return n, err
}
