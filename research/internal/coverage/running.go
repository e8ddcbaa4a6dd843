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

// Running is the result for intervals of exclusive wall time of a live app, sampled by a thread
// that needs one of the app's cores.
type Running struct {
	Row                     // without a width: each run has another truth
	Runs      int           // with different random numbers
	Claiming  int           // those with an interval
	Late      int           // of these, the runs with a warning about delayed samples
	Unsampled int           // with a warning about undersampled running threads
	Warned    int           // with either warning
	Waited    time.Duration // mean delay of a sample
}

// MeasureRunning measures a number of runs of an app. open returns a live truth ([trace.LiveApp])
// of a seed, from its beginning.
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
	stated.Info = sampled.Info // including its length
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

// inTime is the delay of events that already have their actual times.
var inTime = []time.Duration{0}

// followed is a live app with the times of its methods.
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
